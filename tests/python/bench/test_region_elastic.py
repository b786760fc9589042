from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest

from penstock.bench import region_elastic
from penstock.bench.busy import Way
from penstock.bench.keyed import EXPONENTS, table
from penstock.bench.region_elastic import (
    ALONE,
    ELASTIC,
    FIXED,
    WAYS,
    Found,
    observed,
    section_of,
    targets,
)
from penstock.bench.section import Stage
from penstock.bench.suites import Size
from penstock.metrics import Decision

FAST = Found(rate=1.5e5, last_rate=2e5, settled=0.5, ended_with="channels 3", same=True)


def good() -> dict[tuple[str, Way], Found]:
    return {(keys, way): FAST for keys in EXPONENTS for way in WAYS}


def decision(seconds: float, lever: str, previous: int, chosen: int) -> Decision:
    return Decision(seconds, lever, previous, chosen, reason="", text="", before=None, after=None)


def test_the_last_part_and_the_last_change_are_found() -> None:
    slow = [(second / 10, 10) for second in range(1, 51)]
    fast = [(5 + second / 100, 10) for second in range(1, 501)]
    decisions = [
        decision(1.0, "channels", 1, 2),
        decision(4.0, "threads", 1, 2),
        decision(5.0, "channels", 2, 3),
        decision(9.0, "threads", 2, 2),
    ]
    found = Found.of([*slow, *fast], decisions, same=True)
    assert found.rate == pytest.approx(550)
    assert found.last_rate == pytest.approx(1_000)
    assert found.settled == pytest.approx(0.5)
    assert found.ended_with == "channels 3, threads 2"


def test_a_run_of_a_single_batch_has_one_rate() -> None:
    found = Found.of([(0.5, 10)], [], same=True)
    assert (found.rate, found.last_rate, found.settled, found.ended_with) == (20, 20, 0.0, "")


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_all_rows_are_observed(monkeypatch: pytest.MonkeyPatch, way: Way) -> None:
    monkeypatch.setattr(region_elastic, "COST", 0.01)
    data = table(3_000, 0.0)
    made, seen, _ = observed(way, data)
    assert made.equals(ALONE.run(0.01, data, 64))
    assert sum(rows for _, rows in seen) == 3_000
    assert [moment for moment, _ in seen] == sorted(moment for moment, _ in seen)


def test_good_numbers_meet_every_goal() -> None:
    assert [(t.name, t.value, t.goal) for t in section_of(good()).targets] == [
        ("found channels: ways with other rows", 0, "<= 0"),
        *(
            (f"E11, {keys}: {model} x2, 1 to 8 channels / best fixed", 1.0, ">= 0.9")
            for keys in EXPONENTS
            for model in ("conveyor", "automatic")
        ),
    ]


def test_an_elastic_region_is_compared_with_the_best_that_is_fixed() -> None:
    found = good() | {("uniform", FIXED[1]): replace(FAST, last_rate=4e5)}
    missed = [(t.name, t.value) for t in targets(found) if not t.holds]
    assert missed == [(f"E11, uniform: {way} / best fixed", 0.5) for way in ELASTIC]


def test_other_rows_are_shown_and_miss_a_goal() -> None:
    section = section_of(good() | {("uniform", ALONE): replace(FAST, same=False)})
    assert [t.value for t in section.targets if not t.holds] == [1]
    assert section.grids[0].rows[f"uniform/{ALONE}"] == ("150*", "200", "50%", "channels 3")
    assert section.points[0].measures["rows"] == "different"


def test_a_way_with_other_rows_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(way: Way, data: pa.Table):  # type: ignore[no-untyped-def]
        return observed(way, data.slice(1) if way == ELASTIC[1] else data)

    monkeypatch.setattr(region_elastic, "observed", wrong)
    section = region_elastic.region_elastic(Stage(Size(scale=0.0001), lambda _: None, ()))
    assert {p.name for p in section.points if p.measures["rows"] == "different"} == {
        f"found, {keys}/{ELASTIC[1]}" for keys in EXPONENTS
    }
