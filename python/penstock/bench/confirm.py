"""Ratios that came out close to their goal, measured again: only the sides, in many turns.

Where many contenders take turns each has few of them, the machine is another one at the end of a
round than at its beginning, and the best of ten is also the luckiest of ten. So whatever came out
close to its line, on either side of it, is decided by rounds of the sides that are compared. A
round gives a ratio, and the median of these is the result: what hits a whole round hits all alike.

Ratios of one place share their rounds, for many have a side in common. Those that missed their
line come first and have more of the time. A ratio is decided by enough rounds or not at all: for
what no seconds are left, which is what came out farthest above its line, the first rounds count.

>>> is_close(0.95, 0.9), is_close(1.2, 0.9)
(True, False)
>>> middle_ratio([{"rate": 2.0}, {"rate": 9.0}, {"rate": 3.0}], [{"rate": 1.0}] * 3, "rate")
3.0
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from penstock.bench.report import Grid, Point
from penstock.bench.section import Answer, Stage

CLOSE = 0.2
ENOUGH = 7
ROUNDS = 15

Turn: TypeAlias = "Callable[[], Answer]"
Turns: TypeAlias = "Mapping[tuple[str, str], Turn]"  # by place and label


@dataclass(frozen=True, slots=True)
class Doubt:
    """A ratio that is to be decided.

    Attributes:
        place: Where; the name of a case or a load.
        own: Label of the side the ratio is of.
        other: Label of the side it is compared with.
        measure: What of the answers is compared.
        found: The ratio of the first rounds.
        margin: How many times its line that is worth; below 1 the line is missed.
    """

    place: str
    own: str
    other: str
    measure: str
    found: float
    margin: float

    @property
    def missed(self) -> bool:
        """Whether the first rounds say that the goal is missed."""
        return self.margin < 1

    @property
    def title(self) -> str:
        """What is compared, in words."""
        measure = "" if self.measure == "tuples_per_s" else f", {self.measure.replace('_', ' ')}"
        return f"{self.place}{measure}: {self.own} / {self.other}"


@dataclass(frozen=True, slots=True)
class Decided:
    """What decided a ratio.

    Attributes:
        ratio: The median of the rounds.
        rounds: How many there were.
    """

    ratio: float
    rounds: int


def is_close(value: float, line: float) -> bool:
    """Whether a value is within a fifth of its goal, reached or not."""
    return abs(value / line - 1) <= CLOSE


def again(
    stage: Stage, doubts: Iterable[Doubt], turns: Turns, seconds: float, most: int = ROUNDS
) -> dict[Doubt, Decided]:
    """Decide ratios; those that the seconds do not reach are left out.

    Args:
        stage: What is measured with.
        doubts: What to decide.
        turns: How to measure a side once, by its place and its label.
        seconds: For all together; what one place leaves over goes to those behind it.
        most: Rounds of a ratio at most.
    """
    groups = _groups(doubts)
    least = min(most, 3 if stage.size.quick else ENOUGH)
    ends = time.monotonic() + seconds
    made: dict[Doubt, Decided] = {}
    for done, group in enumerate(groups):
        left = ends - time.monotonic()
        if left <= 0:
            break
        patience = left * _weight(group) / sum(map(_weight, groups[done:]))
        place = group[0].place
        sides = dict.fromkeys(side for each in group for side in (each.own, each.other))
        answers = stage.rounds_of(
            {label: turns[place, label] for label in sides},
            least if stage.size.quick else most,
            patience,
            f"again, {place}: ",
            warm_ups=0,  # whatever is to be warm is so since the first rounds
            least=least,
        )
        for each in group:
            own, other = answers[each.own], answers[each.other]
            made[each] = Decided(middle_ratio(own, other, each.measure), len(own))
    return made


def middle_ratio(own: Sequence[Answer], other: Sequence[Answer], measure: str) -> float:
    """The median of what the rounds gave."""
    rounds = zip(own, other, strict=True)
    ratios: list[float] = [mine[measure] / theirs[measure] for mine, theirs in rounds]
    return statistics.median(ratios)


def points_of(decided: Mapping[Doubt, Decided]) -> tuple[Point, ...]:
    """What decided each ratio."""
    return tuple(
        Point(f"decided, {doubt.title}", {"ratio": each.ratio, "runs": each.rounds})
        for doubt, each in decided.items()
    )


def grids_of(
    what: str, doubts: Sequence[Doubt], decided: Mapping[Doubt, Decided]
) -> tuple[Grid, ...]:
    """What the first rounds said beside what decided; nothing where nothing was in doubt."""
    rows = {
        doubt.title: (doubt.found, decided[doubt].ratio, decided[doubt].rounds)
        if doubt in decided
        else (doubt.found, "not decided", 0)
        for doubt in doubts
    }
    columns = ("first rounds", "the sides alone", "rounds of these")
    return (Grid(f"{what}, decided by rounds of the sides alone", columns, rows),) if rows else ()


def _groups(doubts: Iterable[Doubt]) -> list[list[Doubt]]:
    groups: dict[tuple[str, bool], list[Doubt]] = {}
    for each in doubts:
        groups.setdefault((each.place, each.missed), []).append(each)
    return sorted(groups.values(), key=lambda group: min(each.margin for each in group))


def _weight(group: Sequence[Doubt]) -> int:
    return 2 if group[0].missed else 1
