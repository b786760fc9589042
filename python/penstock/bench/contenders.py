"""Who takes part in the scheduler benchmark, and on which workloads.

>>> Case("pipeline", depth=100, width=1, cost=1).name
'pipeline of 100, cost 1'
>>> Entrant("conveyor", threads=2, run=1024).label
'conveyor x2 b1024 tuple'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

# One run should take milliseconds, not seconds: expensive operators get shorter runs.
MOST_FLOP_PER_RUN = 2_000_000
# Of the control loop: periods until it has settled on two threads or one, and runs in each.
PERIODS_TO_SETTLE = 20
RUNS_PER_PERIOD = 64
MOST_WARM_UP = 3.0
# A scheduler that fills all its queues before anything comes out needs too long above this.
MOST_FLOP_FOR_QUEUES = 1_000_000


@dataclass(frozen=True, slots=True)
class Case:
    """A workload: `width` pipelines of `depth` serial, stateful operators, and an ordered sink.

    Attributes:
        shape: The experiment it belongs to.
        depth: Operators one after another.
        width: Pipelines that take turns.
        cost: Floating point operations of each operator for each tuple.
    """

    shape: str
    depth: int
    width: int
    cost: int

    @property
    def operators(self) -> int:
        """How many there are."""
        return self.depth * self.width

    @property
    def size(self) -> str:
        """Its size as the shape speaks of it."""
        if self.shape == "pipeline":
            return f"{self.depth}"
        return f"{self.width}" if self.depth == 1 else f"{self.width} x {self.depth}"

    @property
    def name(self) -> str:
        """The case in words."""
        return f"{self.shape} of {self.size}, cost {self.cost}"

    @property
    def flop_per_tuple(self) -> int:
        """What one tuple costs from source to sink."""
        return self.depth * self.cost

    def request(self) -> dict[str, str | float]:
        """The case as the programs are asked for it."""
        return {"depth": self.depth, "width": self.width, "cost": self.cost}


@dataclass(frozen=True, slots=True)
class Entrant:
    """A contender in one set-up.

    Attributes:
        contender: Its name in the program.
        threads: Threads that run operators; dedicated takes as many as there are operators.
        run: Tuples moved together.
        interface: How operators are called, for each `tuple` or for each `batch`.
        quick: Whether it takes part in a quick run.
    """

    contender: str
    threads: int = 1
    run: int = 1
    interface: str = "tuple"
    quick: bool = True

    @property
    def label(self) -> str:
        """A name that tells set-ups apart."""
        return f"{self.contender} x{self.threads} b{self.run} {self.interface}"

    def request(self, case: Case) -> dict[str, str | float]:
        """The set-up as the programs are asked for it."""
        run = max(1, min(self.run, MOST_FLOP_PER_RUN // case.flop_per_tuple))
        return {
            "contender": self.contender,
            "threads": self.threads,
            "run": run,
            "interface": self.interface,
        }

    def warm_up(self, case: Case, rate: float) -> float:
        """Seconds before the clock starts at so many tuples a second.

        An elastic model looks for its threads first, and a period of it lasts as long as a number
        of runs take.
        """
        if self.contender != "automatic":
            return 0.0
        run = float(self.request(case)["run"])
        return min(MOST_WARM_UP, max(0.5, PERIODS_TO_SETTLE * RUNS_PER_PERIOD * run / rate))

    def reason_against(self, case: Case) -> str | None:
        """Why it cannot be measured there within reason, if so."""
        if self.contender == "as-printed" and case.flop_per_tuple > MOST_FLOP_FOR_QUEUES:
            return "it fills all its queues before anything comes out, which takes too long there"
        if self.contender == "tbb-pipeline" and self.run == 1 and case.width > 100:
            return "its filters stand in a line, and every tuple would pass those of all pipelines"
        if self.contender == "automatic" and self.threads != 2 and case.cost > 100:
            return "it takes seconds to settle there, and two threads show what it does"
        return None

    def fits(self, case: Case) -> bool:
        """Whether it can be measured there within reason."""
        return self.reason_against(case) is None


def left_out(cases: Iterable[Case], entrants: Iterable[Entrant]) -> tuple[str, ...]:
    """Which cells of the tables are empty, and why.

    >>> left_out([Case("pipeline", 1_000, 1, 10_000)], [Entrant("as-printed", 2)])[0][:68]
    'Not measured: as-printed x2 b1 tuple on pipeline of 1000, cost 10000'
    """
    there = tuple(cases)
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for entrant in entrants:
        empty: dict[str, list[str]] = {}
        for case in there:
            reason = entrant.reason_against(case)
            if reason is not None:
                empty.setdefault(reason, []).append(case.name)
        for reason, names in empty.items():
            found.setdefault((reason, tuple(names)), []).append(entrant.label)
    return tuple(
        f"Not measured: {' and '.join(labels)} on {'; '.join(names)}: {reason}."
        for (reason, names), labels in found.items()
    )


# Everything else is compared with the chain, also what it computes.
REFERENCE = Entrant("chain")
FIXED = ("manual", "conveyor", "dynamic", "dynamic-lru", "dedicated")
OWN_MODELS = (*FIXED, "automatic")

ENTRANTS = (
    REFERENCE,
    Entrant("manual", 1, 1024),
    Entrant("manual", 1, 1024, "batch"),
    Entrant("conveyor", 1, 1024),
    Entrant("conveyor", 1, 1024, "batch"),
    Entrant("conveyor", 2, 1024),
    Entrant("conveyor", 2, 1024, "batch"),
    Entrant("conveyor", 2, 256, "batch", quick=False),
    Entrant("conveyor", 3, 1024, quick=False),
    Entrant("conveyor", 4, 1024, quick=False),
    Entrant("conveyor", 2, 1, quick=False),
    Entrant("dynamic", 1, 1024, quick=False),
    Entrant("dynamic", 2, 1024),
    Entrant("dynamic", 2, 1024, "batch"),
    Entrant("dynamic", 3, 1024, quick=False),
    Entrant("dynamic", 4, 1024, quick=False),
    Entrant("dynamic", 2, 1),
    Entrant("dynamic-lru", 2, 1024, quick=False),
    Entrant("dedicated", 2, 1024),
    Entrant("automatic", 1, 1024, quick=False),
    Entrant("automatic", 2, 1024),
    Entrant("automatic", 2, 1024, "batch"),
    Entrant("automatic", 3, 1024, quick=False),
    Entrant("automatic", 4, 1024, quick=False),
    Entrant("as-printed", 2, 1),
    Entrant("tbb-pipeline", 2, 1),
    Entrant("tbb-pipeline", 2, 64, "batch"),
    Entrant("tbb-pipeline", 2, 256, "batch"),
    Entrant("tbb-pipeline", 2, 1024, "batch"),
    Entrant("tbb-graph", 2, 1),
)

COSTS = (1, 100, 1_000, 10_000)
PIPELINES = tuple(Case("pipeline", n, 1, cost) for cost in COSTS for n in (10, 100, 1_000))
DATA_PARALLEL = tuple(
    Case("data parallel", 1, width, cost) for cost in COSTS for width in (10, 100, 1_000)
)
MIXES = tuple(Case("mix", 100, 10, cost) for cost in COSTS)

ALL_CASES = (*PIPELINES, *DATA_PARALLEL, *MIXES)
QUICK_CASES = (
    *(Case("pipeline", n, 1, 1) for n in (10, 100, 1_000)),
    Case("pipeline", 100, 1, 100),
    Case("pipeline", 100, 1, 1_000),
    Case("data parallel", 1, 100, 1),
    Case("data parallel", 1, 100, 1_000),
    Case("mix", 100, 10, 100),
)
