"""Ways inside one task, which sees all rows in their order: mapInArrow and mapInPandas."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from penstock.bench.headline.job import Job, Ways, batch_of, rows_of


def _in_arrow(frame: Any, job: Job, task: Callable[..., Iterator[pa.RecordBatch]]) -> Any:
    return frame.mapInArrow(lambda batches: task(batches, job), job.output)


def row_loop(batches: Iterator[pa.RecordBatch], job: Job) -> Iterator[pa.RecordBatch]:
    """Row after row as a dictionary, as most people write it first."""
    program, schema = job.program(), job.schema
    for batch in batches:
        yield batch_of((made for row in rows_of(batch) for made in program.row(*row)), schema)


def column_loop(batches: Iterator[pa.RecordBatch], job: Job) -> Iterator[pa.RecordBatch]:
    """Row after row out of lists of columns, as someone writes it who has measured."""
    program, schema = job.program(), job.schema
    for batch in batches:
        columns = [column.to_pylist() for column in batch.columns]
        yield batch_of((one for made in map(program.row, *columns) for one in made), schema)


def in_pandas(batches: Iterator[pa.RecordBatch], job: Job) -> Iterator[pa.RecordBatch]:
    """Batch after batch as a pandas DataFrame."""
    memory: dict[str, Any] = {}
    for batch in batches:
        made = job.vectorised(batch.to_pandas(), memory)
        yield pa.RecordBatch.from_pandas(made, job.schema, preserve_index=False)


def _map_in_pandas(frame: Any, job: Job) -> Any:
    def task(frames: Iterator[Any]) -> Iterator[Any]:
        memory: dict[str, Any] = {}
        for each in frames:
            yield job.vectorised(each, memory)

    return frame.mapInPandas(task, job.output)


ROW_LOOP = "mapInArrow, row loop"
COLUMN_LOOP = "mapInArrow, loop over lists of columns"

IN_TASKS: Ways = {
    ROW_LOOP: lambda frame, job: _in_arrow(frame, job, row_loop),
    COLUMN_LOOP: lambda frame, job: _in_arrow(frame, job, column_loop),
    "mapInArrow, pandas": lambda frame, job: _in_arrow(frame, job, in_pandas),
    "mapInPandas": _map_in_pandas,
}
