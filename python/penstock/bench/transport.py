"""Suite `transport`: the way into a flow and out again, without any work in between.

An identity flow does to each row what an identity `mapInArrow` function does: nothing. The
difference of the two is the price of the engine itself: wrapping Spark's batches as an Arrow
stream, passing them through the graph and handing them back. Whatever a flow gains by its
operators it must first earn against this.

Two shapes of rows, because cost per row and cost per byte are different things; two identity
flows, because a native operator and a Python function take different ways. All of it goes
into Spark's noop sink in one session, contenders in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa

import penstock
from penstock.bench.interleave import Timing, interleave, ratio
from penstock.bench.local_spark import local_spark
from penstock.bench.report import Findings, Point, Target
from penstock.bench.suites import BenchError, Size, Tell

BASE = "mapInArrow"
GOAL = 1.05


@dataclass(frozen=True)
class Shape:
    """Rows of one kind.

    Attributes:
        name: Name of the shape.
        rows: Rows of a full run, chosen so that a run takes some seconds.
        bytes_per_row: What a row weighs in Arrow.
        columns: The columns, as SQL expressions over `id`.
    """

    name: str
    rows: int
    bytes_per_row: int
    columns: tuple[str, ...]


NARROW = Shape(
    "narrow",
    10_000_000,
    25,
    ("id", "id * 0.5D AS x", "id % 1000 AS k", "id % 2 = 0 AS even"),
)
WIDE = Shape(
    "wide",
    1_600_000,
    264,
    (
        "id",
        *(f"id * {n}D AS x{n}" for n in range(8)),
        *(f"lpad(id, 20, 'row-') AS s{n}" for n in range(8)),
    ),
)
SHAPES = (NARROW, WIDE)


def measure(size: Size, tell: Tell) -> Findings:
    """Measure identity flows against an identity function, for each shape."""
    try:
        return _measure(size, tell)
    except ImportError as error:
        # PySpark itself, or the pandas it asks for as soon as mapInArrow is called.
        raise BenchError(
            f"the suite 'transport' needs PySpark: pip install 'penstock[spark]' ({error})"
        ) from error


def _measure(size: Size, tell: Tell) -> Findings:
    points: list[Point] = []
    targets: list[Target] = []
    tell("starting Spark, local[2]")
    with local_spark("transport") as spark:
        for shape in SHAPES:
            rows = size.rows(shape.rows)
            contenders = _contenders(spark, shape, rows)
            timings = interleave(
                contenders,
                size.rounds,
                patience=size.seconds / len(SHAPES),
                on_run=partial(_announce, tell, shape),
            )
            points += [_point(shape, rows, name, timings) for name in contenders]
            targets += [
                Target(f"{shape.name}: {name} / {BASE}, time", _against_base(timings, name), GOAL)
                for name in contenders
                if name != BASE
            ]
    return Findings(tuple(points), tuple(targets))


def identity(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What a user writes to pass everything on, and the least that mapInArrow can cost."""
    yield from batches


def flows(schema: Any) -> dict[str, penstock.Flow]:
    """Flows that pass every row on unchanged."""
    empty = penstock.flow("identity", schema)
    return {
        "flow.select": empty.select(*empty.input_schema.names),
        "flow.map": empty.map(lambda batch: batch),
    }


def _announce(tell: Tell, shape: Shape, name: str) -> None:
    tell(f"{shape.name} rows, {name}")


def _contenders(spark: Any, shape: Shape, rows: int) -> dict[str, Callable[[], None]]:
    frame = spark.range(0, rows, 1, 2).selectExpr(*shape.columns)
    made = {BASE: frame.mapInArrow(identity, frame.schema)}
    made |= {name: frame.transform(flow) for name, flow in flows(frame.schema).items()}

    def into_noop(result: Any) -> Callable[[], None]:
        return lambda: result.write.format("noop").mode("overwrite").save()

    return {name: into_noop(result) for name, result in made.items()}


def _point(shape: Shape, rows: int, name: str, timings: dict[str, Timing]) -> Point:
    timing = timings[name]
    return Point(
        f"{shape.name}/{name}",
        {
            "rows": rows,
            "row_bytes": shape.bytes_per_row,
            "runs": len(timing.seconds),
            "median_s": timing.median,
            "iqr_s": timing.spread,
            "rows_per_s": rows / timing.median,
            "ratio": _against_base(timings, name),
        },
    )


def _against_base(timings: dict[str, Timing], name: str) -> float:
    return ratio(timings[name], timings[BASE])
