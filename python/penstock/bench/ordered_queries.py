"""Whole queries: E21 compares queues by key, E24 and E23 ways to keep the order.

Five queries of TPCx-BB run as chains of ordered stages over generated clicks and sales. The native
program compares every run with plain code for one thread, row by row. The operators are run as
they are, which takes nanoseconds, and again with some microseconds of work more for each row. A sixth
chain is that of E23: an operator that makes fifty rows of each, and a keyed one that numbers them.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from penstock.bench.report import Grid, Measure, Point, Target, in_words
from penstock.bench.section import Answer, Section, Stage

WORKERS = 2
ALONE = "sequential"
# The first one has both: hybrid queues and the non-blocking scheme. The others differ in one.
OURS, PARTITIONED, LOCK = "hybrid", "partitioned", "lock"
CONTENDERS = (ALONE, OURS, PARTITIONED, LOCK)
FASTER_AT_ONCE = ("q2", "q3")  # where E21 asks for a lower latency
NOTE = (
    "E21 and E24: workers take the last operator that has rows (P12), whichever contender it is; the "
    "paper's CT policy (P14) is the engine's, and this chain of stages has none. Latency is that of "
    "marks, from the first operator to the result (P15)."
)


@dataclass(frozen=True)
class Case:
    """A query over so many rows, with so many microseconds more for each row and operator."""

    query: str
    rows: int
    us: float = 0

    @property
    def name(self) -> str:
        """The query and what its operators cost."""
        return f"{self.query}, {self.us:g} us more" if self.us else self.query

    def request(self, contender: str, share: float) -> dict[str, str | float]:
        """Ask for a share of the rows."""
        return {
            "kind": "query",
            "query": self.query,
            "contender": contender,
            "workers": WORKERS,
            "rows": max(1, round(self.rows * share)),
            "us": self.us,
        }


AS_THEY_ARE = (
    Case("q1", 2_000_000),
    Case("q2", 150_000),
    Case("q3", 1_200_000),
    Case("q4", 1_200_000),
    Case("q15", 2_000_000),
)
WITH_WORK = (
    Case("q1", 80_000, 5),
    Case("q2", 10_000, 5),
    Case("q3", 80_000, 5),
    Case("q4", 80_000, 5),
    Case("q15", 120_000, 5),
)
FAN = Case("fan", 200, 100)
CASES = (*AS_THEY_ARE, *WITH_WORK, FAN)


@dataclass(frozen=True)
class Result:
    """What one contender reached on one case: medians.

    Attributes:
        rate: Rows a second.
        latency: Median and 99th percentile from the first operator to the result, microseconds.
        runs: How many there were.
        broken: Runs whose output was not that of plain code.
    """

    rate: float
    latency: tuple[float, float]
    runs: int
    broken: int

    @classmethod
    def of(cls, answers: Sequence[Answer]) -> Result:
        """The medians of what the program answered."""

        def median(name: str) -> float:
            return float(statistics.median(each[name] for each in answers))

        return cls(
            median("rows_per_s"),
            (median("p50_us"), median("p99_us")),
            len(answers),
            sum(each["correct"] != "yes" for each in answers),
        )

    def point(self, name: str, alone: Result) -> Point:
        """The result for the report, with its gain over one thread without queues."""
        measures: dict[str, Measure] = {
            "rows_per_s": self.rate,
            "speed_up": self.rate / alone.rate,
            "p50_us": self.latency[0],
            "p99_us": self.latency[1],
            "runs": self.runs,
            "result": "wrong" if self.broken else "same",
        }
        return Point(name, measures)


Results = Mapping[tuple[Case, str], Result]


def ordered_queries(stage: Stage) -> Section:
    """Measure every contender on every query."""
    share = stage.size.scale * (0.2 if stage.size.quick else 1.0)
    turns = {
        case.name: {name: _turn(stage, case, name, share) for name in CONTENDERS} for case in CASES
    }
    answers = stage.rounds_of_cases(turns, 24.0 if stage.size.quick else 300.0)
    cases = {case.name: case for case in CASES}
    return section_of({(cases[c], name): Result.of(each) for (c, name), each in answers.items()})


def section_of(found: Results) -> Section:
    """What was measured, as points, goals and a table."""
    points = tuple(
        result.point(f"{case.name}/{name}", found[case, ALONE])
        for (case, name), result in found.items()
    )
    broken = Target(
        "ordered queries: runs with a wrong result",
        sum(result.broken for result in found.values()),
        most=0,
    )
    fan = Target(
        f"E23 {FAN.name}: throughput, nonblocking / lock",
        found[FAN, OURS].rate / found[FAN, LOCK].rate,
        least=0.98,  # as in E24; how long workers are blocked is measured at one stage alone
    )
    goals = (*targets(found, AS_THEY_ARE), *targets(found, WITH_WORK), fan)
    return Section(points, (broken, *goals), (_grid(found),), (NOTE,))


def targets(found: Results, cases: Sequence[Case]) -> tuple[Target, ...]:
    """The goals of E21 and E24 for two cores, on one set of queries."""

    def faster(case: Case, other: str) -> float:
        return found[case, OURS].rate / found[case, other].rate

    def later(case: Case) -> float:
        return found[case, OURS].latency[0] / found[case, PARTITIONED].latency[0]

    more = f", {cases[0].us:g} us more" if cases[0].us else ""
    return (
        *(
            Target(
                f"E21 {case.name}: throughput, hybrid / partitioned",
                faster(case, PARTITIONED),
                least=0.95,
            )
            for case in cases
        ),
        *(
            Target(f"E21 {case.name}: p50, hybrid / partitioned", later(case), most=1.0)
            for case in cases
            if case.query in FASTER_AT_ONCE
        ),
        *(
            Target(
                f"E24 {case.name}: throughput, nonblocking / lock", faster(case, LOCK), least=0.98
            )
            for case in cases
        ),
        Target(
            f"E24 geometric mean{more}: throughput, nonblocking / lock",
            statistics.geometric_mean(faster(case, LOCK) for case in cases),
            least=1.0,
        ),
    )


def _turn(stage: Stage, case: Case, contender: str, share: float) -> Callable[[], Answer]:
    return partial(stage.ask, **case.request(contender, share))


def _grid(found: Results) -> Grid:
    rows: dict[str, tuple[Measure, ...]] = {}
    for (case, name), result in found.items():
        rate = in_words(result.rate) + ("*" if result.broken else "")
        gain = result.rate / found[case, ALONE].rate
        rows[f"{case.name}/{name}"] = (rate, gain, *result.latency)
    title = f"queries of TPCx-BB and a fan of 50, {WORKERS} workers (* result wrong)"
    return Grid(title, ("rows/s", "gain", "p50 us", "p99 us"), rows)
