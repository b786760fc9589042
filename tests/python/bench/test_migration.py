from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from penstock.bench.migration import (
    CHANGES,
    FEW,
    KEYS,
    MANY,
    Change,
    Result,
    linearity,
    section_of,
    slope,
)

GOOD = {
    (change, keys): Result(
        seconds=1e-7 * keys * (0.5 if change == MANY else 1),
        runs=3,
        moved=round(change.expected(keys)),
        between_survivors=0,
        broken=0,
    )
    for change in CHANGES
    for keys in KEYS
}


def missed(found: dict[tuple[Change, int], Result]) -> list[str]:
    return [target.name for target in section_of(found).targets if not target.holds]


def test_every_change_is_measured_in_both_directions() -> None:
    assert {(change.after, change.before) for change in CHANGES} == {
        (change.before, change.after) for change in CHANGES
    }
    assert {str(change) for change in CHANGES} >= {"1 -> 2", "2 -> 3", "7 -> 8", "16 -> 15"}


def test_goals_hold_for_what_is_linear_and_moves_one_channel() -> None:
    section = section_of(GOOD)
    assert missed(GOOD) == []
    assert len(section.points) == len(CHANGES) * len(KEYS)
    assert section.points[0].measures["moved_to_expected"] == 1.0
    *_, milliseconds, moved = section.grids[0].rows["1 -> 2"]
    assert milliseconds == pytest.approx(100.0)
    assert moved == 500_000


@pytest.mark.parametrize(
    ("change", "other", "goal"),
    [
        (FEW, {"broken": 1}, "lost or misplaced"),
        (MANY, {"between_survivors": 1}, "between channels that stay"),
        (MANY, {"moved": 34_000}, "those of one channel, least"),
        (MANY, {"moved": 91_000}, "those of one channel, most"),
        (MANY, {"seconds": 0.11}, "15 -> 16 / 1 -> 2"),
    ],
)
def test_each_goal_can_be_missed(change: Change, other: dict[str, Any], goal: str) -> None:
    found = {**GOOD, (change, KEYS[-1]): replace(GOOD[change, KEYS[-1]], **other)}
    names = missed(found)
    assert len(names) == 1
    assert goal in names[0]


def test_a_second_is_too_long_for_a_million_keys() -> None:
    found = {place: replace(each, seconds=11 * each.seconds) for place, each in GOOD.items()}
    assert missed(found) == ["E17: seconds for 1000000 keys, 1 -> 2"]


def test_time_that_does_not_grow_with_the_keys_misses_the_goal() -> None:
    flat = replace(GOOD[FEW, KEYS[0]], seconds=0.5)
    found = {**GOOD, (FEW, KEYS[0]): flat}
    assert linearity(GOOD, FEW) == pytest.approx(1.0)
    assert linearity(found, FEW) < 0.5
    assert missed(found) == ["E17: time linear in keys, worst R^2"]


def powers(exponent: float, sizes: tuple[int, ...] = KEYS) -> dict[tuple[Change, int], Result]:
    """Times that go by a power of the keys, above a fixed cost."""
    return {
        (change, keys): replace(GOOD[change, full], seconds=2e-5 + 0.02 * (keys / 1e6) ** exponent)
        for change in CHANGES
        for keys, full in zip(sizes, KEYS, strict=True)
    }


@pytest.mark.parametrize(("exponent", "end"), [(2, "most"), (1.3, "most"), (0.7, "least")])
def test_time_that_goes_by_another_power_of_the_keys_misses_a_goal_that_a_line_fits(
    exponent: float, end: str
) -> None:
    found = powers(exponent)
    assert linearity(found, FEW) > 0.95
    assert missed(found) == [f"E17: time as a power of the keys, {end}"]


def test_a_fixed_cost_and_keys_that_cost_twice_as_much_out_of_the_cache_do_not_miss_it() -> None:
    assert slope(powers(1.0), FEW) == pytest.approx(1.0, abs=0.03)
    found = powers(1.0)
    twice = {
        (change, KEYS[-1]): replace(each, seconds=2 * each.seconds)
        for (change, keys), each in found.items()
        if keys == KEYS[-1]
    }
    assert slope(found | twice, FEW) == pytest.approx(1.15, abs=0.03)
    assert missed(found | twice) == []


def test_sizes_that_a_fixed_cost_rules_tell_no_power() -> None:
    found = powers(1.0, (16, 100, 1_000, 10_000))
    assert slope(found, FEW) is None
    assert not [each for each in section_of(found).targets if "power" in each.name]


def test_answers_are_summed_up_by_their_median_and_their_worst() -> None:
    def answer(seconds: float, between: int, correct: str) -> dict[str, object]:
        return {
            "seconds": seconds,
            "moved": 7,
            "between_survivors": between,
            "correct": correct,
        }

    answers = [answer(1.0, 0, "yes"), answer(9.0, 2, "no"), answer(2.0, 0, "yes")]
    assert Result.of(answers) == Result(2.0, 3, 7, 2, 1)
