from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest

from penstock.bench.gil import (
    FUNCTIONS,
    LOADS,
    MANUAL,
    TWO,
    WAYS,
    Result,
    gain,
    gil,
    mixed,
    run,
    section_of,
)
from penstock.bench.section import Stage
from penstock.bench.suites import Size

FAIR = Result(rate=1e6, gain=1.7, runs=5, same=True)
CASES = [f"{python} Python, {load} native" for python in FUNCTIONS for load in LOADS]


def good() -> dict[tuple[str, str], Result]:
    return {(case, way): FAIR for case in CASES for way in WAYS}


@pytest.mark.parametrize("python", FUNCTIONS)
def test_every_way_makes_the_same_rows(python: str) -> None:
    data = pa.table({"n": pa.array(range(3_000), pa.int64())})
    expected = run(MANUAL, python, "light", data)
    assert all(run(way, python, "light", data).equals(expected) for way in WAYS)


def test_one_operator_among_native_ones_holds_the_gil() -> None:
    words = mixed(MANUAL, "cheap", "light").explanation().splitlines()[-1]
    assert words == "flow 'mixed': 4/5 operators native; 'map_3' holds the GIL"


def test_a_gain_is_over_the_better_way_with_one_thread_round_by_round() -> None:
    slow, fast = [{"rate": 1.0}] * 3, [{"rate": 2.0}, {"rate": 4.0}, {"rate": 2.0}]
    assert gain([{"rate": 4.0}] * 3, [slow, fast]) == 2.0


def test_good_numbers_meet_every_goal() -> None:
    assert all(target.holds for target in section_of(good()).targets)


@pytest.mark.parametrize("way", TWO)
def test_a_case_in_which_two_threads_are_slower_misses_a_goal(way: str) -> None:
    found = good() | {(CASES[0], way): replace(FAIR, gain=0.9)}
    missed = [target.name for target in section_of(found).targets if not target.holds]
    assert missed == [f"gil, {way} / one thread: the worst case"]


def test_other_rows_miss_a_goal_and_are_marked() -> None:
    section = section_of(good() | {(CASES[0], TWO[0]): replace(FAIR, same=False)})
    assert not section.targets[0].holds
    assert section.grids[0].rows[f"{CASES[0]}/{TWO[0]}"][0] == "1*"


def test_all_of_it_is_measured() -> None:
    section = gil(Stage(Size(quick=True, scale=0.004), lambda _: None, ()))
    assert len(section.points) == len(CASES) * len(WAYS)
    assert section.targets[0].holds
