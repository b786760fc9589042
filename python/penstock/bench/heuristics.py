"""E18: the four heuristics of Prasaad et al. on the pipelines of five queries, in virtual time.

Machines of 2, 8 and 16 workers are simulated with a constant backlog before the first operator,
where latency counts from there, and with half as many rows more than they can do at best. The
paper tells the kinds of the operators (Table 1) but no costs; what they pass on is what the same
queries do in `penstock bench ordered`. A worker takes what it gets through in a slice and passes
that on when it comes back for more.

A backlog is as much for each worker on every machine: less than all workers take in one slice is
none, and ET waits for as long as it is. Latency is compared where all workers have work: the
paper adds cores until then (Fig. 8), and behind that what waits grows for as long as one looks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from penstock.bench.report import Grid, Measure, Point, Target
from penstock.bench.section import Answer, Section, Stage

QUERIES = ("q1", "q2", "q3", "q4", "q15")
WORKERS = (2, 8, 16)
LP, CT, ET, QST = "LP", "CT", "ET", "QST"
HEURISTICS = (LP, CT, ET, QST)
BACKLOG, OVERLOAD = "backlog", "overload"
LOADS = (BACKLOG, OVERLOAD)
WORKER_BACKLOG, OVER = 500, 1.5
SECONDS, QUICK_SECONDS = 1.0, 0.1
SLICE_US, SWITCH_US, CAPACITY = 1_000, 1, 10_000
NOTE = (
    "E18 is simulated only: a slice of 1 ms, which a worker takes at once and passes on as a whole, "
    "1 us to begin with another operator, and a capacity C of 10,000 for QST. All operators cost "
    "5 us a tuple, and what they pass on is what the same queries do in bench ordered, but for the "
    "pairs of q1 and q2. Every tuple is a mark, and those of the first and the last fifth do not "
    "count (P15). A backlog is 500 tuples for each worker, more than it takes from the first "
    "operator in two slices. Where latency grows, one worker at the last operator is the limit: it "
    "is as long as the run, and no goal counts it."
)
NOTE_BEHIND = (
    "Before the first operator tuples pile up under overload whoever decides. What tells ET from CT is "
    "what it leaves behind the first operator, where with CT next to nothing waits: there its queues "
    "grow for as long as the run, so before the first operator fewer wait than with CT."
)
NOTE_ET = (
    "What ET reaches under overload follows from its formula (P13) and from the costs. It keeps p "
    "alike at all operators, so where workers are many each does the same share x of what comes to "
    "it: the sum of f_i x^i is 2/3, where f_i is the operator's share of the work, and 1.5 x^n of "
    "the most there can be leave n operators. Of three that is 0.44 if all work is in the first and "
    "0.80 if they share it. Where the last one has little work it does less: p counts one worker "
    "more than there are, and who has less than that to do is never chosen."
)


@dataclass(frozen=True)
class Run:
    """What a heuristic reached.

    Attributes:
        reached: Throughput over the most there can be.
        latency_ms: Mean latency.
        waiting: Tuples before the first operator at the end.
        behind: Tuples behind it at the end, on their way through the others.
        correct: Whether no tuple was lost, doubled or out of order.
        steady: Whether all workers can have work, so that latency does not grow with the run.
    """

    reached: float
    latency_ms: float
    waiting: int
    behind: int
    correct: bool
    steady: bool = True

    @classmethod
    def of(cls, answer: Answer) -> Run:
        """What the program answered."""
        return cls(
            answer["tuples_per_s"] / answer["capacity_per_s"],
            answer["mean_us"] / 1e3,
            answer["waiting"],
            answer["inside"] - answer["waiting"],
            answer["correct"] == "yes",
            answer["limit"] == "workers",
        )


Runs = Mapping[tuple[str, str, int, str], Run]  # by load, query, workers and heuristic


def heuristics(stage: Stage) -> Section:
    """Simulate every heuristic on every query and machine."""
    program = stage.programs[0]
    seconds = QUICK_SECONDS if stage.size.quick else SECONDS
    found: dict[tuple[str, str, int, str], Run] = {}
    for load in LOADS:
        for query in QUERIES:
            stage.tell(f"E18 {query}, {load}")
            for workers in WORKERS:
                for name in HEURISTICS:
                    answer = program.ask(
                        kind="simulate",
                        policy=name,
                        topology=query,
                        workers=workers,
                        slice_us=SLICE_US,
                        whole_slices=1,
                        switch_us=SWITCH_US,
                        capacity=CAPACITY,
                        seconds=seconds,
                        **_arrivals(load, workers),
                    )
                    found[load, query, workers, name] = Run.of(answer)
    return section_of(found)


def _arrivals(load: str, workers: int) -> dict[str, float]:
    return {"backlog": WORKER_BACKLOG * workers} if load == BACKLOG else {"load": OVER}


def section_of(found: Runs) -> Section:
    """What was simulated, as points, goals and tables."""
    points = tuple(
        Point(
            f"E18 {query}, {workers} workers, {load}/{name}",
            {
                "throughput_of_most": run.reached,
                "mean_ms": run.latency_ms,
                "waiting_at_end": run.waiting,
                "behind_at_end": run.behind,
                "order": "kept" if run.correct else "broken",
            },
        )
        for (load, query, workers, name), run in found.items()
    )
    grids = tuple(_grid(found, load) for load in LOADS)
    return Section(points, targets(found), grids, (NOTE, NOTE_BEHIND, NOTE_ET))


def targets(found: Runs) -> tuple[Target, ...]:
    """The goals of E18: of the worst machine, for each query; latency where it is steady."""
    broken = sum(not run.correct for run in found.values())
    made = [Target("E18: simulations out of order", broken, most=0)]
    for query in QUERIES:

        def of(load: str, name: str, query: str = query) -> list[Run]:
            return [found[load, query, workers, name] for workers in WORKERS]

        def latencies(name: str, of: Callable[[str, str], list[Run]] = of) -> list[float]:
            return [run.latency_ms for run in of(BACKLOG, name) if run.steady]

        last, throttled = latencies(LP), latencies(QST)
        others = [min(runs) for runs in zip(*map(latencies, HEURISTICS[1:]), strict=True)]
        estimated = of(OVERLOAD, ET)
        current = of(OVERLOAD, CT)
        fastest, rest = (
            [
                best(found[OVERLOAD, query, workers, name].reached for name in names)
                for workers in WORKERS
            ]
            for best, names in ((max, HEURISTICS), (min, (LP, CT, QST)))
        )
        made += [
            Target(f"E18 {query}: mean latency of LP, ms", max(last), most=5.0),
            Target(
                f"E18 {query}: latency, LP / least of the others", _most(last, others), most=1.0
            ),
            Target(f"E18 {query}: latency, QST / LP", _least(throttled, last), least=3.0),
            Target(
                f"E18 {query}: throughput under overload, ET / CT",
                _most([run.reached for run in estimated], [run.reached for run in current]),
                most=0.5,
            ),
            Target(
                f"E18 {query}: throughput under overload, ET / least of the others",
                _most([run.reached for run in estimated], rest),
                most=1.0,
            ),
            Target(
                f"E18 {query}: throughput under overload, CT / best",
                _least([run.reached for run in current], fastest),
                least=0.95,
            ),
            Target(
                f"E18 {query}: tuples behind the first operator after overload, ET / CT",
                _least([run.behind for run in estimated], [max(run.behind, 1) for run in current]),
                least=3.0,
            ),
        ]
    return tuple(made)


def _most(values: list[float], others: list[float]) -> float:
    return max(a / b if b else float(a > 0) for a, b in zip(values, others, strict=True))


def _least(values: list[float], others: list[float]) -> float:
    return min(a / b if b else float(a > 0) for a, b in zip(values, others, strict=True))


def _grid(found: Runs, load: str) -> Grid:
    rows: dict[str, tuple[Measure, ...]] = {}
    for query in QUERIES:
        for workers in WORKERS:
            runs = [found[load, query, workers, name] for name in HEURISTICS]
            rows[f"{query}, {workers} workers"] = tuple(
                f"{run.reached:.2f}, {run.latency_ms:.1f} ms"
                + (", grows" if load == BACKLOG and not run.steady else "")
                + ("" if run.correct else "*")
                for run in runs
            )
    title = f"E18, {load}: throughput / the most there can be, and mean latency (simulated)"
    return Grid(title, HEURISTICS, rows)
