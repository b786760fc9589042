"""E25: the scheduler plug-ins of C-Stream in its four topologies, in virtual time.

Twelve busy operators in a row or side by side, or 63 in a tree, 100 us for each tuple, quanta of
50 ms, and 1 to 12 workers. The source always has tuples; every queue has room for a quantum's
worth of them, which the paper does not tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from penstock.bench.report import Grid, Measure, Point, Target
from penstock.bench.section import Answer, Section, Stage

TOPOLOGIES = ("chain", "dataParallel", "tree", "reverseTree")
WORKERS = (1, 2, 4, 8, 12)
USUAL_WORKERS = 4  # C17
LEAST_RECENT, RANDOM, MAX_QUEUE = "leastRecent", "random", "maxQueue"
PLUG_INS = (LEAST_RECENT, RANDOM, MAX_QUEUE, "minLatency", "maxRunningTime")
ROOM, SLICE_US, SWITCH_US = 500, 50_000, 1
SECONDS, QUICK_SECONDS, QUICK_ROOM = 20.0, 1.0, 20
NOTE = (
    "E25, simulated: the source and what merges cost 10 us, 1 us to begin with another operator, "
    f"queues of {ROOM}; which plug-in has the least latency depends on that. Goals for latency are those of {USUAL_WORKERS} workers, the paper's usual."
)


@dataclass(frozen=True)
class Run:
    """What a plug-in reached: tuples a second, mean latency in milliseconds, order kept."""

    rate: float
    latency_ms: float
    correct: bool

    @classmethod
    def of(cls, answer: Answer) -> Run:
        """What the program answered."""
        return cls(answer["tuples_per_s"], answer["mean_us"] / 1e3, answer["correct"] == "yes")


Runs = Mapping[tuple[str, int, str], Run]  # by topology, workers and plug-in


def cstream(stage: Stage) -> Section:
    """Simulate every plug-in in every topology with 1 to 12 workers."""
    quick = stage.size.quick
    found: dict[tuple[str, int, str], Run] = {}
    for topology in TOPOLOGIES:
        stage.tell(f"E25 {topology}, simulated")
        for workers in WORKERS:
            for plug_in in PLUG_INS:
                answer = stage.programs[0].ask(
                    kind="simulate",
                    policy=plug_in,
                    topology=topology,
                    workers=workers,
                    room=QUICK_ROOM if quick else ROOM,
                    slice_us=SLICE_US,
                    switch_us=SWITCH_US,
                    seconds=QUICK_SECONDS if quick else SECONDS,
                )
                found[topology, workers, plug_in] = Run.of(answer)
    return section_of(found)


def section_of(found: Runs) -> Section:
    """What was simulated, as points, goals and tables."""
    points = tuple(
        Point(
            f"E25 simulated {topology}, {workers} workers/{plug_in}",
            {
                "tuples_per_s": run.rate,
                "mean_ms": run.latency_ms,
                "order": "kept" if run.correct else "broken",
            },
        )
        for (topology, workers, plug_in), run in found.items()
    )
    grids = tuple(_grid(found, topology) for topology in TOPOLOGIES)
    return Section(points, targets(found), grids, (NOTE,))


def targets(found: Runs) -> tuple[Target, ...]:
    """The goals of E25 for virtual time."""

    def latency(topology: str, plug_in: str, workers: int = USUAL_WORKERS) -> float:
        return found[topology, workers, plug_in].latency_ms

    broken = sum(not run.correct for run in found.values())
    speed_up = min(found["chain", 2, each].rate / found["chain", 1, each].rate for each in PLUG_INS)
    return (
        Target("E25 simulated: runs out of order", broken, most=0),
        Target("E25 simulated chain: two workers / one, worst plug-in", speed_up, least=1.6),
        *(
            Target(
                f"E25 simulated {topology}: latency, leastRecent / least of all",
                latency(topology, LEAST_RECENT) / min(latency(topology, p) for p in PLUG_INS),
                most=1.1,
            )
            for topology in TOPOLOGIES[:3]
        ),
        Target(
            "E25 simulated tree: latency, maxQueue / random, up to 4 workers",
            min(
                latency("tree", MAX_QUEUE, workers) / latency("tree", RANDOM, workers)
                for workers in WORKERS
                if workers <= USUAL_WORKERS
            ),
            least=1.5,
        ),
    )


def _grid(found: Runs, topology: str) -> Grid:
    rows: dict[str, tuple[Measure, ...]] = {}
    for workers in WORKERS:
        runs = [found[topology, workers, each] for each in PLUG_INS]
        rows[f"{workers} workers"] = tuple(
            f"{run.rate:.0f}/s, {run.latency_ms:.0f} ms" + ("" if run.correct else "*")
            for run in runs
        )
    return Grid(f"E25 {topology}, simulated (* order broken)", PLUG_INS, rows)
