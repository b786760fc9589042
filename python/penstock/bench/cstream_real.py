"""E25 to E28 on this machine's two cores: topologies, costs, sizes and selectivities.

The `dynamic` threading model carries single tuples by each policy, with the very sets of ports that
a flow has by that name. What every run makes is compared with what one thread makes of the same
tuples.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from penstock.bench.cstream import TOPOLOGIES
from penstock.bench.report import Grid, Measure, Point, Target
from penstock.bench.section import Answer, Section, Stage
from penstock.policy_names import DEFAULT, WORDS

COSTS_US = (10, 20, 50, 100, 200)
SIZES = (4, 8, 16, 32, 64)
SELECTIVITIES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
SLOPE_FROM_US = 50
CPU_SECONDS = 0.1  # of work in each run
US = 100


@dataclass(frozen=True)
class Case:
    """What is run, by which policy and how many threads.

    Attributes:
        experiment: Its number.
        label: What is varied.
        policy: Who is next.
        threads: How many.
        request: The topology as the program takes it.
        tuple_us: Work for each tuple.
    """

    experiment: str
    label: str
    policy: str
    threads: int
    request: Mapping[str, str | float] = field(hash=False)
    tuple_us: float

    @property
    def name(self) -> str:
        """All that tells it from the others."""
        return f"{self.experiment} {self.label}/{self.policy} x{self.threads}"

    def ask(self, stage: Stage, seconds: float) -> Answer:
        """Run as many tuples as take one thread so long."""
        return stage.programs[0].ask(
            kind="run",
            policy=self.policy,
            threads=self.threads,
            tuples=max(20, round(1e6 * seconds / self.tuple_us)),
            end_us=0,
            **self.request,
        )


@dataclass(frozen=True)
class Result:
    """Medians: tuples a second and mean latency in microseconds; how many runs were wrong."""

    rate: float
    latency_us: float
    broken: int = 0

    @classmethod
    def of(cls, answers: Sequence[Answer]) -> Result:
        """The medians of what the program answered."""
        return cls(
            float(statistics.median(each["tuples_per_s"] for each in answers)),
            float(statistics.median(each["mean_us"] for each in answers)),
            sum(each["correct"] != "yes" for each in answers),
        )


def cases() -> tuple[Case, ...]:
    """Everything that is run."""
    visited = {"chain": 12, "dataParallel": 1, "tree": 6, "reverseTree": 6}
    return (
        *(
            Case("E25", each, policy, threads, {"topology": each, "us": US}, visited[each] * US)
            for each in TOPOLOGIES
            for policy in WORDS
            for threads in (1, 2)
        ),
        *(
            Case("E26", f"{us} us", "random", 2, {"topology": "dataParallel", "us": us}, us)
            for us in COSTS_US
        ),
        *(
            Case(
                "E27",
                f"{size} operators",
                "random",
                2,
                {"topology": "dataParallel", "operators": size, "us": US},
                US,
            )
            for size in SIZES
        ),
        *(
            Case(
                "E28",
                f"selectivity {each}",
                "random",
                2,
                {"topology": "chain", "selectivity": each, "us": US},
                US * sum(each**k for k in range(12)),
            )
            for each in SELECTIVITIES
        ),
    )


def cstream_real(stage: Stage) -> Section:
    """Run every case, in turn with those of its experiment."""
    seconds = stage.size.scale * CPU_SECONDS * (0.1 if stage.size.quick else 1)
    found: dict[Case, Result] = {}
    turns: dict[str, dict[str, Callable[[], Answer]]] = {}
    every = {case.name: case for case in cases()}
    for case in every.values():
        group = f"{case.experiment} {case.label}" if case.experiment == "E25" else case.experiment
        turns.setdefault(group, {})[case.name] = partial(case.ask, stage, seconds)
    answers = stage.rounds_of_cases(turns, 8.0 if stage.size.quick else 150.0)
    for (_, name), each in answers.items():
        found[every[name]] = Result.of(each)
    return section_of(found)


Results = Mapping[Case, Result]


def section_of(found: Results) -> Section:
    """What was measured, as points, goals and tables."""
    points = tuple(
        Point(
            case.name,
            {
                "tuples_per_s": result.rate,
                "mean_us": result.latency_us,
                "result": "wrong" if result.broken else "same",
            },
        )
        for case, result in found.items()
    )
    return Section(points, targets(found), _grids(found))


def targets(found: Results) -> tuple[Target, ...]:
    """The goals of E25 to E28 for two cores."""

    def rates(experiment: str) -> list[float]:
        return [each.rate for case, each in found.items() if case.experiment == experiment]

    def latencies(experiment: str) -> list[float]:
        return [each.latency_us for case, each in found.items() if case.experiment == experiment]

    chain = {
        (case.policy, case.threads): each.rate
        for case, each in found.items()
        if (case.experiment, case.label) == ("E25", "chain")
    }
    selective = rates("E28")
    from_here = COSTS_US.index(SLOPE_FROM_US)
    return (
        Target(
            "E25 to E28: runs with a wrong result", sum(r.broken for r in found.values()), most=0
        ),
        Target(
            "E25 chain: two threads / one, worst policy",
            min(chain[policy, 2] / chain[policy, 1] for policy in WORDS),
            least=1.6,
        ),
        *_of_the_default(found),
        Target(
            f"E26: distance of the slope from -1, from {SLOPE_FROM_US} us on",
            abs(slope(COSTS_US[from_here:], rates("E26")[from_here:]) + 1),
            most=0.15,
        ),
        Target(
            "E26: costs whose latency is below that of a lower one", falls(latencies("E26")), most=0
        ),
        Target(
            "E27 random: most / least throughput, 4 to 64 operators",
            max(rates("E27")) / min(rates("E27")),
            most=1.3,
        ),
        Target(
            "E28: largest rise of throughput with selectivity",
            max(b / a for a, b in pairwise(selective)),
            most=1.05,
        ),
        Target("E28: throughput, selectivity 0.5 / 1.0", selective[0] / selective[-1], least=4.0),
        Target(
            "E28: largest fall of latency with selectivity",
            max(a / b for a, b in pairwise(latencies("E28"))),
            most=1.05,
        ),
    )


def _of_the_default(found: Results) -> tuple[Target, ...]:
    """It has about the least latency of all policies, and costs little throughput."""
    goals = []
    for topology in TOPOLOGIES:
        by_policy = {
            case.policy: each
            for case, each in found.items()
            if (case.experiment, case.label, case.threads) == ("E25", topology, 2)
        }
        own = by_policy[DEFAULT]
        most = max(each.rate for each in by_policy.values())
        least = min(each.latency_us for each in by_policy.values())
        begin = f"E25 {topology}, two threads: {DEFAULT} /"
        goals += [
            Target(f"{begin} most throughput", own.rate / most, least=0.9),
            Target(f"{begin} least mean latency", own.latency_us / least, most=1.1),
        ]
    return tuple(goals)


def slope(costs: Sequence[float], rates: Sequence[float]) -> float:
    """Of a straight line through the logarithms.

    >>> round(slope([1, 10, 100], [50, 5, 0.5]), 6)
    -1.0
    """
    return statistics.linear_regression(
        [math.log(cost) for cost in costs], [math.log(rate) for rate in rates]
    ).slope


def falls(values: Sequence[float]) -> int:
    """How often a value is below the one before it.

    >>> falls([1, 3, 2, 4])
    1
    """
    return sum(b < a for a, b in pairwise(values))


def _grids(found: Results) -> tuple[Grid, ...]:
    def cell(case: Case) -> Measure:
        each = found[case]
        return f"{each.rate:.0f}/s, {each.latency_us / 1e3:.1f} ms" + ("*" if each.broken else "")

    by_name = {case.name: case for case in found}
    compared = {
        f"{policy} x{threads}": tuple(
            cell(by_name[f"E25 {topology}/{policy} x{threads}"]) for topology in TOPOLOGIES
        )
        for policy in WORDS
        for threads in (1, 2)
    }
    rest = {case.name: (cell(case),) for case in found if case.experiment != "E25"}
    return (
        Grid("E25 on two cores (* result wrong)", TOPOLOGIES, compared),
        Grid("E26 to E28 on two cores (* result wrong)", ("throughput, mean latency",), rest),
    )
