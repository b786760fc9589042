from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from penstock.bench.migration import CHANGES, FEW, KEYS, MANY, Change, Result, linearity, section_of

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
        (FEW, {"seconds": 1.1}, "seconds for 1000000 keys"),
        (MANY, {"seconds": 0.11}, "15 -> 16 / 1 -> 2"),
    ],
)
def test_each_goal_can_be_missed(change: Change, other: dict[str, Any], goal: str) -> None:
    found = {**GOOD, (change, KEYS[-1]): replace(GOOD[change, KEYS[-1]], **other)}
    names = missed(found)
    assert len(names) == 1
    assert goal in names[0]


def test_time_that_does_not_grow_with_the_keys_misses_the_goal() -> None:
    flat = replace(GOOD[FEW, KEYS[0]], seconds=0.5)
    found = {**GOOD, (FEW, KEYS[0]): flat}
    assert linearity(GOOD, FEW) == pytest.approx(1.0)
    assert linearity(found, FEW) < 0.5
    assert missed(found) == ["E17: time linear in keys, worst R^2"]


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
