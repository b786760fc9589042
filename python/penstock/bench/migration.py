"""E17: state that moves when the number of channels changes.

The native program fills the channels of a region with a sum for each key, lets them give and take,
and checks that every key is where it belongs, once, with its sum. One thread does all of it: in a
flow channels give while others run.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from penstock.bench.report import Grid, Point, Target
from penstock.bench.section import Answer, Section, Stage

KEYS = (1_000, 10_000, 100_000, 1_000_000)
LEAST_KEYS = 16
# With so many keys what a change costs by itself, some tens of microseconds, hardly counts.
ABOVE_FIXED_COST = 10_000


@dataclass(frozen=True)
class Change:
    """From so many channels to so many others."""

    before: int
    after: int

    def __str__(self) -> str:
        return f"{self.before} -> {self.after}"

    def expected(self, keys: int) -> float:
        """How many keys should move: those of the one channel that comes or goes."""
        return keys / max(self.before, self.after)


FEW, MANY = Change(1, 2), Change(15, 16)
GROWING = (FEW, Change(2, 3), Change(7, 8), MANY)
CHANGES = (*GROWING, *(Change(each.after, each.before) for each in GROWING))


@dataclass(frozen=True)
class Result:
    """What one change of so many keys took.

    Attributes:
        seconds: Median time.
        runs: How many there were.
        moved: Keys that moved.
        between_survivors: Of them, those that went from one channel that stays to another.
        broken: Runs after which a key was missing, twice there, elsewhere or had another sum.
    """

    seconds: float
    runs: int
    moved: int
    between_survivors: int
    broken: int

    @classmethod
    def of(cls, answers: Sequence[Answer]) -> Result:
        """What the program answered, time and time again."""
        return cls(
            statistics.median(each["seconds"] for each in answers),
            len(answers),
            answers[0]["moved"],
            max(each["between_survivors"] for each in answers),
            sum(each["correct"] != "yes" for each in answers),
        )


Results = Mapping[tuple[Change, int], Result]


def migration(stage: Stage) -> Section:
    """Measure every change with every number of keys."""
    quick = stage.size.quick
    program = stage.programs[0]
    found: dict[tuple[Change, int], Result] = {}
    for full in KEYS:
        keys = max(LEAST_KEYS, round(full * stage.size.scale))

        def ask(change: Change, keys: int = keys) -> Answer:
            return program.ask(kind="migrate", keys=keys, channels=change.before, to=change.after)

        turns = {str(change): lambda change=change: ask(change) for change in CHANGES}
        answers = stage.rounds_of(
            turns, 3 if quick else 9, 8.0 if quick else 60.0, f"E17 {keys} keys: "
        )
        found |= {(change, keys): Result.of(answers[str(change)]) for change in CHANGES}
    return section_of(found)


def section_of(found: Results) -> Section:
    """What was measured, as points, goals and a table."""
    points = tuple(
        Point(
            f"E17 {keys} keys/{change}",
            {
                "seconds": result.seconds,
                "moved_keys": result.moved,
                "moved_to_expected": result.moved / change.expected(keys),
                "runs": result.runs,
                "keys": "broken" if result.broken else "kept",
            },
        )
        for (change, keys), result in found.items()
    )
    return Section(points, targets(found), (_grid(found),))


def targets(found: Results) -> tuple[Target, ...]:
    """The goals of E17."""
    most = max(keys for _, keys in found)
    shares = [result.moved / change.expected(keys) for (change, keys), result in found.items()]
    few, many = found[FEW, most].seconds, found[MANY, most].seconds
    return (
        Target(
            "E17: runs that lost or misplaced a key",
            sum(result.broken for result in found.values()),
            most=0,
        ),
        Target(
            "E17: keys moved between channels that stay",
            sum(result.between_survivors for result in found.values()),
            most=0,
        ),
        Target("E17: keys moved / those of one channel, least", min(shares), least=0.55),
        Target("E17: keys moved / those of one channel, most", max(shares), most=1.45),
        Target(
            "E17: time linear in keys, worst R^2",
            min(linearity(found, change) for change in CHANGES),
            least=0.95,
        ),
        *_slopes(found),
        Target(f"E17: seconds for {most} keys, {FEW}", few, most=1.0),
        Target(f"E17: time for {most} keys, {MANY} / {FEW}", many / few, most=1.0),
    )


def linearity(found: Results, change: Change) -> float:
    """How much of the time's variance a straight line over the keys explains."""
    times = {keys: result.seconds for (each, keys), result in found.items() if each == change}
    return statistics.correlation(list(times), list(times.values())) ** 2


def slope(found: Results, change: Change) -> float | None:
    """The power of the number of keys that the time goes by; None where too few sizes tell.

    R^2 alone is 0.99 for x^2 over sizes that are ten times each other.
    """
    times = {
        math.log(keys): math.log(result.seconds)
        for (each, keys), result in found.items()
        if each == change and keys >= ABOVE_FIXED_COST
    }
    if len(times) < 2:
        return None
    return statistics.linear_regression(list(times), list(times.values())).slope


def _slopes(found: Results) -> Iterator[Target]:
    """The goals for the power of the keys.

    Tables of a million keys lie in no cache and others do, for which a key may cost twice as much:
    over two powers of ten that is 0.15.
    """
    slopes = [each for change in CHANGES if (each := slope(found, change)) is not None]
    if slopes:
        yield Target("E17: time as a power of the keys, least", min(slopes), least=0.8)
        yield Target("E17: time as a power of the keys, most", max(slopes), most=1.2)


def _grid(found: Results) -> Grid:
    sizes = list(dict.fromkeys(keys for _, keys in found))
    rows = {
        str(change): (
            *(1e3 * found[change, keys].seconds for keys in sizes),
            found[change, sizes[-1]].moved,
        )
        for change in CHANGES
    }
    columns = (*(f"{keys} keys" for keys in sizes), "moved of the last")
    return Grid("state that changes channels, ms", columns, rows)
