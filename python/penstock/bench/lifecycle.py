"""What a flow of 1,000 operators costs before the first row, after the last, and in between."""

from __future__ import annotations

import statistics

from penstock.bench.report import Grid, Point, Target
from penstock.bench.section import Section, Stage

OPERATORS = 1_000
THREADINGS = ("manual", "conveyor", "dynamic", "dedicated", "automatic")
MEASURES = ("start_ms", "stop_ms", "idle_cores")


def lifecycle(stage: Stage) -> Section:
    """Start, leave idle and stop a flow under each threading model."""
    seconds = stage.size.scale * (0.3 if stage.size.quick else 1.0)
    rounds = 3 if stage.size.quick else 5
    points: list[Point] = []
    targets: list[Target] = []
    rows: dict[str, tuple[float, ...]] = {}
    for threading in THREADINGS:
        stage.tell(f"starting and stopping {OPERATORS} operators, {threading}")
        answers = [
            stage.programs[0].ask(
                kind="lifecycle", operators=OPERATORS, threading=threading, seconds=seconds
            )
            for _ in range(rounds)
        ]
        medians = {name: statistics.median(each[name] for each in answers) for name in MEASURES}
        name = f"flow of {OPERATORS} operators/{threading}"
        points.append(Point(name, medians))
        rows[threading] = tuple(medians.values())
        targets += [
            Target(f"{name}: start, ms", medians["start_ms"], most=50),
            Target(f"{name}: stop, ms", medians["stop_ms"], most=50),
            Target(f"{name}: cores while idle", medians["idle_cores"], most=0.01),
        ]
    columns = tuple(name.replace("_", " ") for name in MEASURES)
    grid = Grid(f"flow of {OPERATORS} operators in a processing element", columns, rows)
    return Section(tuple(points), tuple(targets), (grid,))
