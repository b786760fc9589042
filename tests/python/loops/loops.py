"""Loops that several tests run."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import penstock
from penstock import Flow, wait_all, wait_any

Driver = Generator[Any, Any, None]
PAIR = "a long, b long"


def pair(left: pa.RecordBatch, right: pa.RecordBatch) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([left["n"], right["n"]], names=["a", "b"])


def barrier(left: Any, right: Any, out: Any) -> Driver:
    while (yield wait_all(left=1, right=1)):
        count = min(len(left), len(right))
        out.push(pair(left.take(count), right.take(count)))


def arrivals(left: Any, right: Any, out: Any) -> Driver:
    """Tell with every wake how much is there: what batches cut shows at once."""
    while (yield wait_any(left=1, right=1)):
        out.push([{"a": len(left), "b": len(right)}])
        left.take()
        right.take()


def sides(name: str = "f") -> tuple[Flow, Flow]:
    """Negative numbers go left, all others right."""
    return penstock.flow(name, "n long").split(pc.field("n") < 0)


def numbers(values: Iterable[int]) -> pa.Table:
    return pa.table({"n": pa.array(list(values), pa.int64())})


def tuples(rows: int) -> dict[str, object]:
    return {"spark.penstock.tuple.rows": rows}


def column(flow: Flow, values: Iterable[int], name: str = "n", **options: Any) -> list[Any]:
    found: list[Any] = flow.run(numbers(values), **options).table[name].to_pylist()
    return found
