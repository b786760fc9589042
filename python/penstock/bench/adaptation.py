"""E29 to E31 in the report: C-Stream's adaptation of threads and replicas, simulated."""

from __future__ import annotations

from itertools import pairwise

from penstock.bench.adapted_pipeline import MOST_THREADS, Adapted, Pipeline, cstream
from penstock.bench.report import Grid, Point, Target
from penstock.bench.section import Section, Stage

ONE_US, TWO_US, SPREAD_US = 80.0, 60.0, 100.0
SPREAD = 12  # replicas
SOURCES_US = (16.5, 17.0, 18.0, 19.0)  # what the source may cost by what the paper tells


def adaptation(stage: Stage) -> Section:
    """Let the controllers adapt three pipelines."""
    stage.tell("E29 to E31, simulated")
    one, two = cstream([ONE_US]), cstream([TWO_US, TWO_US])
    usual, eager = _spread(0.95), _spread(0.90)
    alone = Pipeline((ONE_US,)).run(1, [1]).throughput
    best = max(
        Pipeline((SPREAD_US,)).run(threads, [SPREAD]).throughput
        for threads in range(1, MOST_THREADS + 1)
    )
    repeated = sum(one == other for one, other in pairwise(two.grown))
    targets = (
        Target("E29: replicas, fewest allowed", one.replicas[-1][0], least=5),
        Target("E29: replicas, most allowed", one.replicas[-1][0], most=5),
        Target("E29: threads away from 7", abs(one.threads[-1] - 7), most=1),
        Target("E29: throughput / 1 thread and replica", one.throughput[-1] / alone, least=5),
        Target(
            "E30: replicas away from 4 and 4", sum(abs(n - 4) for n in two.replicas[-1]), most=0
        ),
        Target("E30: replicas not added by turns", repeated, most=0),
        Target("E30: threads away from 10", abs(two.threads[-1] - 10), most=0),
        Target("E31: threads at 0.90 / at 0.95", eager.threads[-1] / usual.threads[-1], least=1),
        Target("E31: throughput at 0.90 / best", eager.throughput[-1] / best, least=0.95),
        Target(
            "E29 to E31: changes in the last third",
            sum(each.late_changes for each in (one, two, usual, eager)),
            most=0,
        ),
    )
    runs = {"E29": one, "E30": two, "E31 at 0.95": usual, "E31 at 0.90": eager}
    for us in SOURCES_US:
        runs[f"E29, source of {us:g} us"] = cstream([ONE_US], source_us=us)
        runs[f"E30, source of {us:g} us"] = cstream([TWO_US, TWO_US], source_us=us)
    rows = {name: _numbers(run) for name, run in runs.items()}
    columns = ("threads", "replicas", "tuples/s")
    return Section(
        tuple(
            Point(f"C-Stream/{name}", dict(zip(columns, each, strict=True)))
            for name, each in rows.items()
        ),
        targets,
        (Grid("adaptation as C-Stream's, simulated", columns, rows),),
    )


# The paper asks for a low threshold below the high one and tells none for 0.90.
def _spread(high: float) -> Adapted:
    return cstream([SPREAD_US], replicas=[SPREAD], low=high - 0.05, high=high)


def _numbers(run: Adapted) -> tuple[float, ...]:
    return run.threads[-1], sum(run.replicas[-1]), run.throughput[-1]
