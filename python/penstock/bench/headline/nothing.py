"""The floor: what Spark takes to bring the rows to a Python worker and as many rows back.

An identity function in `mapInArrow`, but for its output, which has to be of the columns that the
job makes: rows that were ready before are given for those that came, as many as the job makes.
Whatever else is done in `mapInArrow` comes on top, so no way through it can be faster.

>>> ready = pa.RecordBatch.from_pydict({"a": [1, 2]})
>>> given = [pa.RecordBatch.from_pydict({"x": range(n)}) for n in (4, 1, 5)]
>>> [batch.num_rows for batch in ready_rows(iter(given), ready, share=(6, 10))]
[2, 1, 2, 1]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from penstock.bench.headline.job import Job

NOTHING = "nothing: mapInArrow, same columns in and out"
READY = 10_000  # rows: as many as Spark puts into a batch


def nothing(frame: Any, job: Job, wanted: pa.Table, rows: int) -> Any:
    """Read all rows, and make as many as the job makes, which were made before.

    Args:
        frame: The input.
        job: The job, of which only the output's schema is looked at.
        wanted: What the job makes.
        rows: Of the input.
    """
    batches = wanted.slice(0, READY).combine_chunks().to_batches()
    ready = batches[0] if batches else pa.RecordBatch.from_pylist([], job.schema)
    share = len(wanted), rows
    return frame.mapInArrow(lambda given: ready_rows(given, ready, share), job.output)


def ready_rows(
    batches: Iterator[pa.RecordBatch], ready: pa.RecordBatch, share: tuple[int, int]
) -> Iterator[pa.RecordBatch]:
    """Give ready rows for batches: of all rows that came, the share that is to be made."""
    made, of = share
    seen = given = 0
    for batch in batches:
        seen += batch.num_rows
        while given < seen * made // of:
            piece = ready.slice(0, seen * made // of - given)
            given += piece.num_rows
            yield piece
