"""One ordered stage: E22 and E23 compare ways to keep the order, E19 and E20 queues by key.

The native program checks every run against one thread that works on tuple after tuple. Throughput
comes from runs that read no clock for each tuple; time blocked and latency from others.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from penstock.bench.report import Grid, Measure, Point, Target, in_words
from penstock.bench.section import Answer, Section, Stage

WORKERS = 2
ALONE = "sequential"
SCHEMES = (ALONE, "nonblocking", "lock", "baton")
QUEUES = (ALONE, "hybrid", "partitioned")
# What was never blocked is compared as if it had been for this part of its time.
LEAST_SHARE = 1e-6
EQUAL = 0.98


@dataclass(frozen=True)
class Case:
    """What is run, by whom.

    Attributes:
        name: The experiment and what is special.
        contenders: Who takes part.
        us: What a tuple costs, in microseconds.
        more: The rest of the request.
        timed: Whether it is also run with clocks, for time blocked and latency.
    """

    name: str
    contenders: tuple[str, ...]
    us: float
    more: Mapping[str, str | float] = field(default_factory=dict, hash=False)
    timed: bool = True

    def request(self, contender: str, seconds: float) -> dict[str, str | float]:
        """Ask for as many tuples as take about so many seconds, once it is warm."""
        workers = 1 if contender == ALONE else WORKERS
        tuples = max(1, round(seconds * workers * 1e6 / self.us))
        return {
            "contender": contender,
            "workers": workers,
            "us": self.us,
            "tuples": tuples,
            "warm": tuples // 4,
            **self.more,
        }


LIGHT = tuple(Case(f"E22 {us} us", SCHEMES, us) for us in (1, 10, 20))
# The stage of E23 that makes them, alone; `ordered_queries` has the keyed one behind it as well.
MANY = Case("E23 50 outputs", SCHEMES, 100, {"selectivity": 50})
SKEWED = Case(
    "E19 gaussian 0.2",
    QUEUES,
    100,
    {"keys": "gaussian", "mean": 0.5, "sigma": 0.2},
    timed=False,
)
FLAT = Case(
    "E19 gaussian 4",
    QUEUES,
    100,
    {"keys": "gaussian", "mean": 0.5, "sigma": 4},
    timed=False,
)
ZIPF = Case("E19 zipf 1.2", QUEUES, 100, {"keys": "zipf", "exponent": 1.2}, timed=False)
UNIFORM = Case("E19 uniform", QUEUES, 100, {"keys": "uniform"}, timed=False)
LATENCY = Case("E20 100 partitions", QUEUES, 100, {"keys": "uniform", "partitions": 100})
CASES = (*LIGHT, MANY, SKEWED, FLAT, ZIPF, UNIFORM, LATENCY)


@dataclass(frozen=True)
class Result:
    """What one contender reached on one case: medians.

    Attributes:
        rate: Tuples a second.
        runs: How many there were.
        broken: Runs whose output was not that of one thread.
        blocked: Part of the workers' time that was lost in handing over; None without clocks.
        latency: Median and 99th percentile from the operator's start to the sink, microseconds.
    """

    rate: float
    runs: int
    broken: int
    blocked: float | None = None
    latency: tuple[float, float] | None = None

    @classmethod
    def of(cls, answers: Sequence[Answer]) -> Result:
        """The medians of what the program answered."""

        def median(name: str) -> float:
            return float(statistics.median(each[name] for each in answers))

        timed = "blocked_share" in answers[0]
        return cls(
            median("tuples_per_s"),
            len(answers),
            sum(each["correct"] != "yes" for each in answers),
            median("blocked_share") if timed else None,
            (median("p50_us"), median("p99_us")) if timed else None,
        )

    def point(self, name: str, alone: Result) -> Point:
        """The result for the report, with its gain over one thread."""
        measures: dict[str, Measure] = {
            "tuples_per_s": self.rate,
            "speed_up": self.rate / alone.rate,
            "runs": self.runs,
        }
        if self.blocked is not None and self.latency is not None:
            p50, p99 = self.latency
            measures |= {"blocked_share": self.blocked, "p50_us": p50, "p99_us": p99}
        return Point(name, {**measures, "order": "broken" if self.broken else "kept"})


Results = Mapping[tuple[Case, str], Result]


def ordered_stage(stage: Stage) -> Section:
    """Measure every contender on every case."""
    seconds = stage.size.scale * (0.1 if stage.size.quick else 0.5)
    turns = {
        case.name: {name: _turn(stage, case, name, seconds) for name in case.contenders}
        for case in CASES
    }
    answers = stage.rounds_of_cases(turns, 32.0 if stage.size.quick else 420.0)
    cases = {case.name: case for case in CASES}
    return section_of({(cases[c], name): Result.of(each) for (c, name), each in answers.items()})


def section_of(found: Results) -> Section:
    """What was measured, as points, goals and tables."""
    points = tuple(
        result.point(f"{case.name}/{name}", found[case, ALONE])
        for (case, name), result in found.items()
    )
    broken = Target(
        "ordered stage: runs with a broken order",
        sum(result.broken for result in found.values()),
        most=0,
    )
    return Section(points, (broken, *targets(found)), grids(found))


def targets(found: Results) -> tuple[Target, ...]:
    """The goals of E22, E23, E19 and E20 for two cores."""
    made: list[Target] = []
    for case in LIGHT[1:]:  # the criterion is for tens of microseconds; 1 us is shown only
        made += [
            Target(
                f"{case.name}: throughput, nonblocking / lock",
                _faster(found, case, "nonblocking", "lock"),
                least=1.0,
            ),
            Target(
                f"{case.name}: time blocked, lock / nonblocking", _longer(found, case), least=2.0
            ),
        ]
    # It must be faster, unless it is less blocked: then it may be as fast.
    made.append(
        Target(
            f"{MANY.name}: throughput, nonblocking / lock",
            _faster(found, MANY, "nonblocking", "lock"),
            least=EQUAL if _longer(found, MANY) > 1 else 1.05,
        )
    )
    skewed = _faster(found, SKEWED, "hybrid", "partitioned")
    flat = _faster(found, FLAT, "hybrid", "partitioned")
    hybrid, partitioned = (_p50(found[LATENCY, name]) for name in ("hybrid", "partitioned"))
    return (
        *made,
        Target(f"{SKEWED.name}: throughput, hybrid / partitioned", skewed, least=1.2),
        Target(f"{FLAT.name}: throughput, hybrid / partitioned, from", flat, least=0.9),
        Target(f"{FLAT.name}: throughput, hybrid / partitioned, to", flat, most=1.1),
        Target(f"{LATENCY.name}: p50 of hybrid / cost", hybrid / LATENCY.us, most=3.0),
        Target(f"{LATENCY.name}: p50, partitioned / hybrid", partitioned / hybrid, least=10.0),
    )


def grids(found: Results) -> tuple[Grid, ...]:
    """One table for ways to keep the order, one for queues by key."""
    made: list[Grid] = []
    for title, contenders in (("ways to keep the order", SCHEMES), ("queues by key", QUEUES)):
        cases = dict.fromkeys(case for case, _ in found if case.contenders == contenders)
        rows = {
            f"{case.name}/{name}": _cells(found[case, name], found[case, ALONE])
            for case in cases
            for name in contenders
        }
        columns = ("tuples/s", "gain", "blocked", "p50 us", "p99 us")
        made.append(Grid(f"{title}, {WORKERS} workers (* order broken)", columns, rows))
    return tuple(made)


def _turn(stage: Stage, case: Case, contender: str, seconds: float) -> Callable[[], Answer]:
    request = case.request(contender, seconds)

    def measure() -> Answer:
        plain = stage.ask(**request, timed="no")
        if not case.timed:
            return plain
        timed = stage.ask(**request, timed="yes")
        correct = plain["correct"] == timed["correct"] == "yes"
        return {**timed, **plain, "correct": "yes" if correct else "no"}

    return measure


def _faster(found: Results, case: Case, one: str, other: str) -> float:
    return found[case, one].rate / found[case, other].rate


def _longer(found: Results, case: Case) -> float:
    lock, nonblocking = (found[case, name].blocked or 0.0 for name in ("lock", "nonblocking"))
    return max(lock, LEAST_SHARE) / max(nonblocking, LEAST_SHARE)


def _p50(result: Result) -> float:
    return result.latency[0] if result.latency else 0.0


def _cells(result: Result, alone: Result) -> tuple[Measure, ...]:
    measures = result.point("", alone).measures
    names = ("speed_up", "blocked_share", "p50_us", "p99_us")
    rate = in_words(result.rate) + ("*" if result.broken else "")
    return (rate, *(measures.get(name, "") for name in names))
