"""What a flow of 1,000 operators costs before the first row, after the last, and in between.

Of the engine alone, with operators that pass batches on, and of a flow as it is written in Python,
with operators that the engine has itself: there the clock starts when the flow is told to run.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

import pyarrow as pa

from penstock.bench.report import Grid, Point, Target
from penstock.bench.section import Answer, Section, Stage
from penstock.flow import Flow, flow
from penstock.threading_model import ModelName

OPERATORS = 1_000
THREADINGS: tuple[ModelName, ...] = ("manual", "conveyor", "dynamic", "dedicated", "automatic")
MOST_MS = 50
MOST_IDLE = 0.01
TABLE = pa.table({"n": [1], "m": [2]})


def lifecycle(stage: Stage) -> Section:
    """Start, leave idle and stop a flow under each threading model."""
    engine, python = _of_the_engine(stage), _of_python(stage)
    return Section(
        (*engine.points, *python.points),
        (*engine.targets, *python.targets),
        (*engine.grids, *python.grids),
    )


def pipeline(operators: int) -> Flow:
    """Swap two columns again and again: about the least that an operator of a flow can do."""
    made = flow("many", "n long, m long")
    for place in range(operators):
        made = made.select(*(("m", "n") if place % 2 == 0 else ("n", "m")))
    return made


def start_and_stop(made: Flow) -> dict[str, float]:
    """Milliseconds from the call to the first row, and from the last row to the end."""
    start = time.perf_counter()
    rows = made.stream(TABLE)
    next(rows)
    first = time.perf_counter()
    if next(rows, None) is not None:
        raise AssertionError("a flow of selects makes one batch of one batch")
    return {"start_ms": 1e3 * (first - start), "stop_ms": 1e3 * (time.perf_counter() - first)}


def _of_the_engine(stage: Stage) -> Section:
    seconds = stage.size.scale * (0.3 if stage.size.quick else 1.0)
    found: dict[str, dict[str, float]] = {}
    for threading in THREADINGS:
        stage.tell(f"starting and stopping {OPERATORS} operators, {threading}")
        found[threading] = _medians(
            [
                stage.programs[0].ask(
                    kind="lifecycle", operators=OPERATORS, threading=threading, seconds=seconds
                )
                for _ in range(_rounds(stage))
            ]
        )
    return _section(f"flow of {OPERATORS} operators", "in a processing element", found)


def _of_python(stage: Stage) -> Section:
    found: dict[str, dict[str, float]] = {}
    made = pipeline(OPERATORS)
    for threading in THREADINGS:
        stage.tell(f"starting and stopping {OPERATORS} operators from Python, {threading}")
        one = made.threading(threading)
        # The first run of a process loads what none loads again.
        answers = [start_and_stop(one) for _ in range(1 + _rounds(stage))]
        found[threading] = _medians(answers[1:])
    return _section(f"flow of {OPERATORS} selects", "from Python", found)


def _rounds(stage: Stage) -> int:
    return 3 if stage.size.quick else 5


def _medians(answers: Sequence[Answer]) -> dict[str, float]:
    measures = ("start_ms", "stop_ms", "idle_cores")
    return {
        name: statistics.median(each[name] for each in answers)
        for name in measures
        if name in answers[0]
    }


def _section(what: str, where: str, found: dict[str, dict[str, float]]) -> Section:
    points = tuple(Point(f"{what}/{threading}", each) for threading, each in found.items())
    targets: list[Target] = []
    for point in points:
        each = found[point.name.rpartition("/")[2]]
        targets += [
            Target(f"{point.name}: start, ms", each["start_ms"], most=MOST_MS),
            Target(f"{point.name}: stop, ms", each["stop_ms"], most=MOST_MS),
        ]
        if "idle_cores" in each:
            targets.append(
                Target(f"{point.name}: cores while idle", each["idle_cores"], most=MOST_IDLE)
            )
    columns = tuple(name.replace("_", " ") for name in next(iter(found.values())))
    rows = {threading: tuple(each.values()) for threading, each in found.items()}
    return Section(points, tuple(targets), (Grid(f"{what} {where}", columns, rows),))
