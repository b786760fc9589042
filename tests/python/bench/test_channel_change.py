from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest

from penstock import worker
from penstock.bench import channel_change
from penstock.bench.channel_change import (
    AFTER,
    BEFORE,
    REGION,
    SLICE,
    WIDTHS,
    Change,
    Dip,
    Passes,
    Watch,
    changes,
    section_of,
)
from penstock.worker import SetChannels


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
    assert dip.over == pytest.approx(0.1, abs=0.001)
    assert dip.bars == "█" * 15 + "|" + "▁" * 5 + "█" * 30


def test_without_a_pause_there_is_no_dip() -> None:
    dip = Dip.of(list(steady(pause=0.0)), 10.0)
    assert dip.least == pytest.approx(1.0)
    assert dip.seconds == 0.0


def test_a_change_is_over_when_the_longest_gap_behind_it_ends() -> None:
    seen = [(9.9, 1), (10.01, 1), (10.02, 1), (10.32, 1), (10.4, 1)]
    dip = Dip.of(seen, 10.0)
    assert dip.gap == pytest.approx(0.3)
    assert dip.over == pytest.approx(0.32)


def test_a_gap_that_outlasts_what_is_looked_at_is_seen_to_its_end() -> None:
    seen = [(9.9, 1), (10.01, 1), (11.51, 1), (14.0, 1)]
    assert Dip.of(seen, 10.0).over == pytest.approx(1.51)
    assert Dip.of(seen, 10.0, until=11.0).over == pytest.approx(0.01), "then others count"


def test_the_first_number_of_channels_is_there_before_the_first_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, int]] = []

    def run(_: object, __: object, *, steer: Callable[[SetChannels], None]) -> Iterator[Any]:
        steer(lambda region, channels: asked.append((region, channels)))
        assert asked == [(REGION, WIDTHS[0])]
        for number in itertools.count(1):
            if len(asked) == len(WIDTHS):
                return
            yield batch([number])

    monkeypatch.setattr(channel_change, "BEFORE", 0.0)
    monkeypatch.setattr(channel_change, "AFTER", 0.0)
    monkeypatch.setattr(worker, "run", run)
    changes(1)
    assert asked == [(REGION, width) for width in WIDTHS]


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
    totals, _ = section.targets
    assert (totals.value, totals.holds) == (2, False)
    assert section.grids[0].rows["10 keys, 1 -> 2"][0] == dip.bars


def test_the_goal_is_that_of_the_most_keys_and_the_first_channel_that_comes() -> None:
    fast, slow = (replace(Dip.of(list(steady(0.1)), 10.0), over=over) for over in (0.9, 1.1))
    found = {
        Change(keys, before, after): (fast, 0)
        for keys in (10, 100)
        for before, after in pairwise(WIDTHS)
    }
    (_, goal) = section_of(found).targets
    assert goal.name == "E17 while rows flow: seconds for 100 keys, 1 -> 2"
    assert (goal.value, goal.holds) == (0.9, True)
    assert not section_of({**found, Change(100, 1, 2): (slow, 0)}).targets[1].holds
