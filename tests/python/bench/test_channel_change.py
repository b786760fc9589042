from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pyarrow as pa
import pytest

from penstock.bench import channel_change
from penstock.bench.channel_change import (
    AFTER,
    BEFORE,
    SLICE,
    WIDTHS,
    Change,
    Dip,
    Passes,
    Watch,
    changes,
    section_of,
)


def batch(totals: list[int]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"total": pa.array(totals, pa.int64())})


def steady(pause: float) -> Iterator[tuple[float, int]]:
    """A row each millisecond around a change at second 10, after which there is none for a while."""
    for tick in range(-1_000, 1_500):
        if not 0 <= tick / 1_000 < pause:
            yield 10.0005 + tick / 1_000, 1


def test_every_pass_has_every_key_once() -> None:
    passes = Passes(70_000)
    batches = iter(passes)
    first = pa.Table.from_batches([next(batches), next(batches)])
    assert sorted(first["k"].to_pylist()) == list(range(70_000))
    assert next(batches).equals(first.to_batches()[0])
    passes.ended = True
    assert sum(1 for _ in batches) == 1


def test_totals_that_number_the_passes_are_right() -> None:
    watch = Watch(keys=3)
    for totals in ([1, 1], [1, 2, 2], [2], [3, 3, 3]):
        watch.take(batch(totals), 0.5)
    assert (watch.rows, watch.wrong) == (9, 0)
    assert watch.seen == [(0.5, 2), (0.5, 3), (0.5, 1), (0.5, 3)]


@pytest.mark.parametrize("totals", [[1, 2], [1, 1, 1, 1], [1, 1, 1, 2, 3], [2, 1, 1], [0]])
def test_a_lost_or_doubled_total_is_seen(totals: list[int]) -> None:
    watch = Watch(keys=3)
    watch.take(batch(totals), 0.0)
    assert watch.wrong == 1


def test_a_pause_is_a_dip_of_its_length() -> None:
    dip = Dip.of(list(steady(pause=0.1)), 10.0)
    assert (len(dip.rates), dip.at) == (round((BEFORE + AFTER) / SLICE), round(BEFORE / SLICE))
    assert dip.usual == pytest.approx(1_000)
    assert dip.settled == pytest.approx(1_000)
    assert dip.least == 0.0
    assert dip.seconds == pytest.approx(0.1)
    assert dip.gap == pytest.approx(0.1, abs=0.001)
    assert dip.bars == "█" * 15 + "|" + "▁" * 5 + "█" * 30


def test_without_a_pause_there_is_no_dip() -> None:
    dip = Dip.of(list(steady(pause=0.0)), 10.0)
    assert dip.least == pytest.approx(1.0)
    assert dip.seconds == 0.0


def test_totals_stay_right_while_channels_come_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_change, "BEFORE", 0.04)
    monkeypatch.setattr(channel_change, "AFTER", 0.04)
    found = changes(1_000)
    assert list(found) == [Change(1_000, before, after) for before, after in pairwise(WIDTHS)]
    assert [wrong for _, wrong in found.values()] == [0, 0, 0]


def test_wrong_totals_are_shown_and_miss_the_goal() -> None:
    dip = Dip.of(list(steady(pause=0.1)), 10.0)
    section = section_of({Change(10, 1, 2): (dip, 0), Change(10, 2, 4): (dip, 2)})
    assert [point.measures["totals"] for point in section.points] == ["same", "different"]
    assert [(target.value, target.holds) for target in section.targets] == [(2, False)]
    assert section.grids[0].rows["10 keys, 1 -> 2"][0] == dip.bars
