from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest

from penstock import Elastic
from penstock.bench import busy, regions
from penstock.bench.busy import Way
from penstock.bench.keyed import Result, table
from penstock.bench.regions import (
    ALONE,
    ANY_ORDER,
    CASES,
    CHEAP,
    DEFAULT,
    E11,
    FIXED,
    ORDER,
    WORK,
    Case,
    right,
    section_of,
    targets,
)
from penstock.bench.section import Stage
from penstock.bench.suites import Size

SLOW = Result(rate=1e5, cpu_rate=1e5, runs=7, same=True)
FAST = replace(SLOW, rate=1.9e5)


def good() -> dict[tuple[Case, Way], Result]:
    found = {(case, way): SLOW for case in CASES for way in case.ways}
    quick = [(case, way) for case in WORK.values() for way in (FIXED[1], DEFAULT)]
    return found | dict.fromkeys([*quick, *((case, FIXED[0]) for case in E11)], FAST)


def test_ways_are_named_by_what_makes_them_different() -> None:
    assert [
        str(way) for way in (ALONE, DEFAULT, ANY_ORDER, Way("automatic", 2, Elastic(1, 8)))
    ] == [
        "manual, 1 channel",
        "conveyor x2, no region",
        "conveyor x2, 4 channels, any order",
        "automatic x2, 1 to 8 channels",
    ]


def test_work_takes_longer_in_proportion_to_its_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(busy, "rounds_per_us", lambda: 100.0)
    rounds = [Way("manual").flow(cost).operators[-1].body for cost in (0.5, 10.0)]
    assert rounds == ["busy_work 50 times on total", "busy_work 1000 times on total"]


def test_without_a_cost_there_is_only_the_sum() -> None:
    assert len(Way("manual").flow(0.0).operators) == 1


def test_this_machine_multiplies_some_times_in_a_microsecond() -> None:
    assert 1 < busy.rounds_per_us() < 1e5


@pytest.mark.parametrize("way", dict.fromkeys(way for case in CASES for way in case.ways), ids=str)
def test_every_way_makes_the_rows_of_one_thread(way: Way) -> None:
    data = table(5_000, 1.2)
    alone, made = (each.run(0.01, data, 64) for each in (ALONE, way))
    assert right(data, alone, made, way)
    assert not right(data, alone, made.slice(1), way)
    assert not right(data.slice(1), alone, made, way)


def test_rows_in_another_order_are_right_only_where_any_order_is() -> None:
    data = table(100, 0.0)
    alone = ALONE.run(0.0, data, 64)
    turned = pa.concat_tables([alone.slice(50), alone.slice(0, 50)])
    assert [right(data, alone, turned, way) for way in (ANY_ORDER, DEFAULT)] == [True, False]


def test_good_numbers_meet_every_goal() -> None:
    assert [(t.name, t.value, t.goal) for t in section_of(good()).targets] == [
        ("regions: ways with other rows", 0, "<= 0"),
        ("regions, 10 us, uniform: two threads / one, best channels", 1.9, ">= 1.85"),
        ("regions, 10 us, uniform: two threads / one, no region", 1.9, ">= 1.85"),
        ("regions, 10 us, zipf 1.2: two threads / one, best channels", 1.9, ">= 1.85"),
        ("regions, 10 us, zipf 1.2: two threads / one, no region", 1.9, ">= 1.85"),
        *((f"E11, {cost} us: 2 channels / 1", 1.9, ">= 1.2") for cost in (5, 10, 20)),
        *((f"regions, {cost} us: any order / in order", 1.0, "<= 1.15") for cost in (1, 5, 10)),
    ]
    assert section_of(good()).notes == (
        "Best with 10 us for each row, uniform: conveyor x2, 4 channels.",
        "Best with 10 us for each row, zipf 1.2: conveyor x2, 4 channels.",
    )


def test_order_that_costs_much_misses_its_goal() -> None:
    found = good() | {(ORDER[1], ANY_ORDER): FAST}
    assert [(t.name, t.value) for t in targets(found) if not t.holds] == [
        ("regions, 1 us: any order / in order", 1.9)
    ]


def test_other_rows_are_shown_and_miss_a_goal() -> None:
    section = section_of(good() | {(CHEAP, DEFAULT): replace(SLOW, same=False)})
    assert [t.name for t in section.targets if not t.holds] == ["regions: ways with other rows"]
    assert section.grids[-1].rows[str(DEFAULT)] == ("100*",)


def test_a_way_with_other_rows_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(way: Way, cost: float, data: pa.Table, tuple_rows: int) -> pa.Table:
        made = way.flow(cost).run(data, settings=busy.settings(tuple_rows)).table
        return made.slice(1) if way == DEFAULT else made

    monkeypatch.setattr(Way, "run", wrong)
    monkeypatch.setattr(regions, "CASES", (CHEAP,))
    monkeypatch.setattr(regions, "section_of", lambda found: found)
    found = regions.regions(Stage(Size(quick=True, scale=0.001), lambda _: None, ()))
    assert [way for (_, way), each in found.items() if not each.same] == [DEFAULT]  # type: ignore[attr-defined]
