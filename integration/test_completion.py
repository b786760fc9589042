"""A flow that wants no more rows ends early; Spark's worker must not notice."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import penstock


def refuses_late_rows(batch: pa.RecordBatch) -> pa.RecordBatch:
    if pc.any(pc.greater_equal(batch["id"], 50_000)).as_py():
        raise ValueError("nobody asked for these")
    return batch


def pid_of_worker(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for _ in batches:
        pass
    yield pa.RecordBatch.from_pydict({"pid": [os.getpid()]})


def pids(spark: Any) -> set[int]:
    rows = spark.range(0, 4, 1, 1).mapInArrow(pid_of_worker, "pid long").collect()
    return {row.pid for row in rows}


def test_a_flow_that_ends_early_gives_its_rows_and_keeps_its_worker(spark: Any) -> None:
    first = penstock.flow("first", "id long").map(refuses_late_rows).take(7)
    before = pids(spark)
    rows = spark.range(0, 1_000_000, 1, 1).transform(first).collect()
    assert [row.id for row in rows] == list(range(7))
    assert pids(spark) & before, "the worker was used again"
