"""Regions with channels: what two threads gain, what order costs, and where channels lose.

Every way must make the same rows: those of one thread, of which the sums are compared with a loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import pyarrow as pa

from penstock.bench.busy import Way
from penstock.bench.keyed import EXPONENTS, Result, dict_loop, table, timed
from penstock.bench.report import Grid, Target
from penstock.bench.section import Section, Stage

TUPLE_ROWS = 1_024
CHEAP_ROWS = 4_000_000
CHECKED_ROWS = 20_000
SECONDS = 0.2  # of one thread's work in each run
LONGER = 0.6  # where the first and the last tuple, which few threads work on, must not matter
ALONE = Way("manual", 1, 1)
DEFAULT = Way("conveyor", 2)
FIXED = tuple(Way("conveyor", 2, channels) for channels in (2, 4, 8))
ONE_CHANNEL, IN_ORDER = Way("conveyor", 2, 1), Way("conveyor", 2, 4)
ANY_ORDER = replace(IN_ORDER, order=None)


@dataclass(frozen=True)
class Case:
    """Ways that are compared with each other.

    Attributes:
        name: What is shown.
        cost: Microseconds for each row.
        keys: One of `EXPONENTS`.
        ways: Who takes part.
    """

    name: str
    cost: float
    keys: str
    ways: tuple[Way, ...]

    def __str__(self) -> str:
        return f"{self.name}, {self.cost:g} us, {self.keys}"

    @property
    def rows(self) -> int:
        """Of a full run."""
        seconds = LONGER if self.name == "work" else SECONDS
        return round(seconds * 1e6 / self.cost) if self.cost else CHEAP_ROWS


WORK = {keys: Case("work", 10.0, keys, (ALONE, *FIXED, DEFAULT)) for keys in EXPONENTS}
E11 = tuple(
    Case("E11", cost, "uniform", (ALONE, ONE_CHANNEL, FIXED[0])) for cost in (5.0, 10.0, 20.0)
)
ORDER = tuple(
    Case("order", cost, "uniform", (IN_ORDER, ANY_ORDER)) for cost in (0.0, 1.0, 5.0, 10.0)
)
CHEAP = Case("no work", 0.0, "uniform", (ALONE, ONE_CHANNEL, *FIXED, DEFAULT))
CASES = (*WORK.values(), *E11, *ORDER, CHEAP)

Results = Mapping[tuple[Case, Way], Result]


def regions(stage: Stage) -> Section:
    """Measure every way of every case."""
    quick = stage.size.quick
    found: dict[tuple[Case, Way], Result] = {}
    for case in CASES:
        stage.tell(f"region, {case}: checking")
        data = table(stage.size.rows(case.rows), EXPONENTS[case.keys])
        few = data.slice(0, CHECKED_ROWS)
        made = {way: way.run(case.cost, few, TUPLE_ROWS) for way in (ALONE, *case.ways)}
        same = {way: right(few, made[ALONE], made[way], way) for way in case.ways}
        turns = {
            str(way): timed(len(data), partial(way.run, case.cost, data, TUPLE_ROWS))
            for way in case.ways
        }
        answers = stage.rounds_of(
            turns, 3 if quick else 5, 1.0 if quick else 8.0, f"region, {case}: "
        )
        found |= {(case, way): Result.of(answers[str(way)], same=same[way]) for way in case.ways}
    return section_of(found)


def right(data: pa.Table, alone: pa.Table, made: pa.Table, way: Way) -> bool:
    """Whether the rows made are those of one thread, and the sums in them those of a loop."""
    if not alone["total"].equals(pa.chunked_array([dict_loop(*_lists(data))], pa.int64())):
        return False
    if way.order == "stream":
        return bool(made.equals(alone))
    every = [(name, "ascending") for name in alone.column_names]
    return bool(made.sort_by(every).equals(alone.sort_by(every)))


def section_of(found: Results) -> Section:
    """What was measured, as points, goals and tables."""
    points = tuple(result.point(f"region, {case}/{way}") for (case, way), result in found.items())
    different = Target(
        "regions: ways with other rows", sum(not each.same for each in found.values()), most=0
    )
    best = (
        f"Best with 10 us for each row, {keys}: {_best(found, case)}."
        for keys, case in WORK.items()
    )
    return Section(points, (different, *targets(found)), tuple(_grids(found)), tuple(best))


def targets(found: Results) -> Iterable[Target]:
    """The goals."""

    def over(case: Case, way: Way, base: Way) -> float:
        return found[case, way].rate / found[case, base].rate

    for keys, case in WORK.items():
        best = over(case, _best(found, case), ALONE)
        name = f"regions, 10 us, {keys}: two threads / one"
        yield Target(f"{name}, best channels", best, least=1.85)
        yield Target(f"{name}, no region", over(case, DEFAULT, ALONE), least=1.85)
    for case in E11:
        two = over(case, FIXED[0], ONE_CHANNEL)
        yield Target(f"E11, {case.cost:g} us: 2 channels / 1", two, least=1.2)
    for case in ORDER:
        if case.cost:
            cost = over(case, ANY_ORDER, IN_ORDER)
            yield Target(f"regions, {case.cost:g} us: any order / in order", cost, most=1.15)


def _best(found: Results, case: Case) -> Way:
    return max(FIXED, key=lambda way: found[case, way].rate)


def _lists(data: pa.Table) -> tuple[Sequence[int], Sequence[int]]:
    return data["k"].to_pylist(), data["v"].to_pylist()


def _grids(found: Results) -> Iterable[Grid]:
    groups = {
        "two threads, 10 us for each row": (*WORK.values(),),
        "channels and what a row costs (E11)": E11,
        "order and what a row costs, 4 channels": ORDER,
        "where channels lose: a sum alone": (CHEAP,),
    }
    for title, cases in groups.items():
        ways = dict.fromkeys(chain.from_iterable(case.ways for case in cases))
        rows = {str(way): tuple(_cell(found[case, way]) for case in cases) for way in ways}
        columns = tuple(f"{case.cost:g} us, {case.keys}" for case in cases)
        yield Grid(f"{title}, k rows/s (* other rows)", columns, rows)


def _cell(result: Result) -> str:
    return f"{result.rate / 1e3:.4g}" + ("" if result.same else "*")
