"""A pipeline that is adapted as C-Stream's is, in virtual time.

The model is a fluid one. A pipeline is a line of stages: the source, busy operators, a splitter and
a merger around each operator that has replicas, and the sink; all are operators that the threads of
one pool share. A replica runs on one thread at a time, so a stage with r replicas takes at most
r tuples in the time of one. Throughput is what the slowest stage allows, or what the pool allows if
that is less. Each further thread makes everything slower by `contention`.

Where the slowest stage is not the source, tuples pile up before it: the inputs from there up to the
source are full for as long as the stage before each would otherwise have worked. Behind it nothing
waits.

The paper does not tell what source and sink cost. It does tell that 80 us need 5 replicas and twice
60 us need 4 each, which any source between 16 and 20 us explains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from penstock.elastic import Candidate, ReplicaController, UtilizationController

MOST_THREADS = 12
PERIODS = 120


@dataclass(frozen=True)
class Stage:
    """Operators of one kind.

    Attributes:
        name: Of the operator.
        us: What a tuple costs.
        replicas: Tuples that can be worked on at the same time.
        busy: Whether it may be replicated.
    """

    name: str
    us: float
    replicas: int = 1
    busy: bool = False

    @property
    def pace(self) -> float:
        """Time from one tuple to the next."""
        return self.us / self.replicas


@dataclass(frozen=True)
class Pipeline:
    """What a pipeline is made of.

    Attributes:
        busy_us: What each of the busy operators costs.
        source_us: What the source costs.
        sink_us: What the sink costs.
        split_us: What a splitter costs.
        merge_us: What a merger costs for each replica that it looks at.
        contention: By how much each further thread makes everything slower.
    """

    busy_us: tuple[float, ...]
    source_us: float = 17.0
    sink_us: float = 5.0
    split_us: float = 1.0
    merge_us: float = 1.5
    contention: float = 0.002

    def stages(self, replicas: Sequence[int]) -> list[Stage]:
        """The line with so many replicas of each busy operator."""
        line = [Stage("source", self.source_us)]
        for place, (us, count) in enumerate(zip(self.busy_us, replicas, strict=True)):
            if count > 1:
                line.append(Stage(f"split {place}", self.split_us))
            line.append(Stage(f"busy {place}", us, count, busy=True))
            if count > 1:
                line.append(Stage(f"merge {place}", self.merge_us * count))
        return [*line, Stage("sink", self.sink_us)]

    def run(self, threads: int, replicas: Sequence[int]) -> Measured:
        """What a period comes to."""
        line = self.stages(replicas)
        slower = 1 + self.contention * (threads - 1)
        work = sum(stage.us for stage in line)
        slowest = max(range(len(line)), key=lambda place: (line[place].pace, -place))
        pace = max(line[slowest].pace, work / threads) * slower
        blocked = [
            1 - line[place - 1].pace / line[slowest].pace if 0 < place <= slowest else 0.0
            for place in range(len(line))
        ]
        candidates = [
            Candidate(stage.name, [blocked[place]] * stage.replicas, blocked[place + 1])
            for place, stage in enumerate(line)
            if stage.busy
        ]
        return Measured(1e6 / pace, min(1.0, work / pace / threads), tuple(candidates))


@dataclass(frozen=True)
class Measured:
    """One period.

    Attributes:
        throughput: Tuples per second.
        utilization: Which part of its time a thread ran operators.
        candidates: The busy operators, as the controller looks at them.
    """

    throughput: float
    utilization: float
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class Adapted:
    """How the adaptation went.

    Attributes:
        threads: After each period.
        replicas: After each period, by busy operator.
        throughput: Of each period.
    """

    threads: tuple[int, ...]
    replicas: tuple[tuple[int, ...], ...]
    throughput: tuple[float, ...]

    @property
    def grown(self) -> list[int]:
        """Which busy operator got a replica, one after the other."""
        return [
            place
            for before, after in pairwise(self.replicas)
            for place, (few, more) in enumerate(zip(before, after, strict=True))
            if more > few
        ]

    @property
    def late_changes(self) -> int:
        """Changes in the last third."""
        states = list(zip(self.threads, self.replicas, strict=True))[-PERIODS // 3 :]
        return sum(one != other for one, other in pairwise(states))


def cstream(
    busy_us: Sequence[float],
    *,
    replicas: Sequence[int] | None = None,
    low: float = 0.90,
    high: float = 0.95,
    **costs: float,
) -> Adapted:
    """Let both controllers adapt a pipeline, one change at a time and a period skipped after it.

    Args:
        busy_us: What each of the busy operators costs.
        replicas: Fixes them; None begins with one of each and lets them grow.
        low: Of the utilization controller.
        high: Of the utilization controller.
        costs: As `Pipeline` takes them.

    >>> cstream([80]).replicas[-1]
    (5,)
    """
    pipeline = Pipeline(tuple(busy_us), **costs)
    pool = UtilizationController(maximum=MOST_THREADS, low=low, high=high)
    growth = ReplicaController()
    counts = tuple(replicas or [1] * len(busy_us))
    states: list[tuple[int, tuple[int, ...], float]] = []
    settling = False
    for _ in range(PERIODS):
        measured = pipeline.run(pool.level, counts)
        before = pool.level, counts
        if settling:
            pool.hold()
        elif pool.update(measured.utilization) == before[0] and replicas is None:
            counts = tuple(growth.update(measured.candidates, measured.throughput).values())
        settling = (pool.level, counts) != before
        states.append((pool.level, counts, measured.throughput))
    return Adapted(*zip(*states, strict=True))
