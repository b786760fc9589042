from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pyarrow as pa
import pytest

from penstock.bench import keyed
from penstock.bench.keyed import (
    ARROW_LOOP,
    AUTOMATIC,
    EXPONENTS,
    KEYS,
    LOOP,
    MANUAL,
    ONE,
    QUEUED,
    TWO,
    WAYS,
    Result,
    arrow_loop,
    dict_loop,
    run,
    section_of,
    table,
    targets,
)
from penstock.bench.section import Stage
from penstock.bench.suites import Size

FAST = Result(rate=40e6, cpu_rate=40e6, runs=5, same=True)


def good() -> dict[tuple[str, str], Result]:
    found = {(keys, way): FAST for keys in EXPONENTS for way in (MANUAL, ONE, QUEUED, AUTOMATIC)}
    found |= {(keys, TWO): replace(FAST, rate=70e6) for keys in EXPONENTS}
    found |= {(keys, LOOP): replace(FAST, rate=2e6) for keys in EXPONENTS}
    return found | {(keys, ARROW_LOOP): replace(FAST, rate=1e6) for keys in EXPONENTS}


def test_the_loop_adds_up_by_key() -> None:
    assert dict_loop([1, 2, 1, 2, 1], [10, 20, 30, 40, 50]) == [10, 20, 40, 60, 90]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("keys", EXPONENTS)
def test_every_way_gives_what_the_loop_gives(way: str, keys: str) -> None:
    data = table(5_000, EXPONENTS[keys])
    assert run(way, data).to_pydict() == arrow_loop(data).to_pydict()


def test_rows_are_as_many_as_asked_for_in_one_piece_and_always_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keyed, "DRAWN", 1_000)
    data = table(2_500, 0.0)
    assert (data.num_rows, data["k"].num_chunks) == (2_500, 1)
    assert data.slice(1_000, 1_000) == data.slice(0, 1_000)
    assert data == table(2_500, 0.0)
    assert data.schema.types == [pa.int64(), pa.int64()]


def test_skewed_keys_have_one_that_is_far_more_frequent_than_most() -> None:
    even, skewed = (
        Counter(table(100_000, exponent)["k"].to_pylist()) for exponent in EXPONENTS.values()
    )
    assert len(even) == KEYS
    assert even.most_common(1)[0][1] < 200
    assert skewed[0] == pytest.approx(23_000, rel=0.1)
    assert skewed[0] / skewed[1] == pytest.approx(2**1.2, rel=0.1)


def test_good_numbers_meet_every_goal() -> None:
    assert [(t.name, t.value, t.goal) for t in section_of(good()).targets] == [
        ("keyed: ways with other totals", 0, "<= 0"),
        ("keyed: M rows per second of CPU time, one thread", 40.0, ">= 25"),
        ("keyed: two threads / one", 1.75, ">= 1.6"),
        ("keyed: one thread / dict loop", 20.0, ">= 10"),
        ("keyed: one thread / dict loop over Arrow", 40.0, ">= 10"),
        ("keyed, manual: zipf 1.2 / uniform", 1.0, ">= 0.65"),
        ("keyed, conveyor x2: zipf 1.2 / uniform", 1.0, ">= 0.65"),
    ]
    assert all(target.holds for target in section_of(good()).targets)


@pytest.mark.parametrize("way", [MANUAL, ONE])
def test_two_threads_are_compared_with_the_better_of_the_ways_with_one(way: str) -> None:
    found = good() | {("uniform", way): replace(FAST, rate=70e6)}
    values = {target.name: target.value for target in targets(found)}
    assert values["keyed: two threads / one"] == 1.0


@pytest.mark.parametrize("way", [TWO, QUEUED, AUTOMATIC])
def test_of_the_ways_with_two_threads_the_best_one_counts(way: str) -> None:
    found = good() | {("uniform", way): replace(FAST, rate=80e6)}
    values = {target.name: target.value for target in targets(found)}
    assert values["keyed: two threads / one"] == 2.0


def test_losing_much_to_skew_misses_the_goal_of_that_way() -> None:
    found = good() | {("zipf 1.2", TWO): replace(FAST, rate=35e6)}
    assert [(t.name, t.value) for t in targets(found) if not t.holds] == [
        ("keyed, conveyor x2: zipf 1.2 / uniform", 0.5)
    ]


def test_other_totals_are_shown_and_miss_a_goal() -> None:
    section = section_of(good() | {("zipf 1.2", AUTOMATIC): replace(FAST, same=False)})
    assert [t.name for t in section.targets if not t.holds] == ["keyed: ways with other totals"]
    assert section.grids[0].rows[f"zipf 1.2/{AUTOMATIC}"] == ("40*", "40")
    (point,) = (each for each in section.points if each.name == f"keyed, zipf 1.2/{AUTOMATIC}")
    assert point.measures["totals"] == "different"


def test_a_way_with_other_totals_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(way: str, data: pa.Table) -> pa.Table:
        return run(way, data.slice(1) if way == ONE else data)

    monkeypatch.setattr(keyed, "run", wrong)
    stage = Stage(Size(quick=True, scale=0.0001), lambda _: None, ())
    section = keyed.keyed(stage)
    assert {p.name for p in section.points if p.measures["totals"] == "different"} == {
        f"keyed, {keys}/{ONE}" for keys in EXPONENTS
    }
