"""Running a flow without Spark: whatever holds Arrow data becomes an iterator of batches.

>>> [batch.num_rows for batch in batches_of(pa.table({"n": [1, 2]}))]
[2]
>>> batches_of(7)
Traceback (most recent call last):
    ...
penstock.errors.FlowError: a flow runs on a pyarrow Table, RecordBatch or RecordBatchReader, an \
iterable of RecordBatch, or anything with __arrow_c_stream__; got int
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import pyarrow as pa

from penstock.checkpoint import Checkpoint, warn_of_loss
from penstock.errors import FlowError
from penstock.flow import Flow
from penstock.metrics import Decision, FlowMetrics
from penstock.result import Result
from penstock.spec import FlowSpec
from penstock.watch import Watch

Trace: TypeAlias = str | os.PathLike[str]
Report: TypeAlias = Callable[[FlowMetrics | None, tuple[Decision, ...]], None]


def run(
    flow: Flow,
    data: Any,
    settings: Mapping[str, object] | None = None,
    trace: Trace | None = None,
    *,
    restore: Mapping[str, pa.Table] | None = None,
    checkpoint: bool = False,
    progress: bool = False,
) -> Result:
    """Run a flow over `data` to its end."""
    watch = _progress(flow, data) if progress else None
    spec = FlowSpec.of(flow, settings)
    begun_with = Checkpoint(spec, restore, keep=checkpoint)
    if checkpoint:
        warn_of_loss(spec, stacklevel=3)  # whoever called Flow.run
    told: list[tuple[FlowMetrics | None, tuple[Decision, ...]]] = []

    def report(metrics: FlowMetrics | None, decisions: tuple[Decision, ...]) -> None:
        told.append((metrics, decisions))

    made = stream(flow, data, settings, trace, report=report, checkpoint=begun_with, watch=watch)
    batches = tuple(made)
    return Result(flow.schema, batches, *told[0], states=begun_with.states, flow=flow)


def stream(
    flow: Flow,
    data: Any,
    settings: Mapping[str, object] | None = None,
    trace: Trace | None = None,
    *,
    report: Report | None = None,
    checkpoint: Checkpoint | None = None,
    watch: Watch | None = None,
) -> Iterator[pa.RecordBatch]:
    """Run a flow over `data`, as far as the result is read; then report what it did."""
    spec = FlowSpec.of(flow, settings)
    batches = batches_of(data)
    path = _trace_path(flow, trace)
    try:
        from penstock import worker  # noqa: PLC0415 - so that its absence can be explained
    except ImportError as error:
        raise FlowError(
            f"the native engine could not be loaded ({error}); `penstock doctor` says more"
        ) from error
    return worker.run(spec, batches, trace=path, report=report, checkpoint=checkpoint, watch=watch)


def rows_in(data: Any) -> int | None:
    """How many rows there are in `data`, if it can tell without being read."""
    if isinstance(data, (pa.Table, pa.RecordBatch)):
        return int(data.num_rows)
    if isinstance(data, (list, tuple)) and all(isinstance(one, pa.RecordBatch) for one in data):
        return sum(int(one.num_rows) for one in data)
    return None


def _progress(flow: Flow, data: Any) -> Watch:
    from penstock.terminal.progress import LiveView  # noqa: PLC0415 - few runs are watched

    return LiveView(flow.name, rows_in(data))


def _trace_path(flow: Flow, trace: Any) -> str:
    if trace is None:
        return ""
    try:
        path = os.fsdecode(trace)
    except TypeError:
        path = ""
    if path and "\0" not in path:
        return path
    raise FlowError(f"flow '{flow.name}': trace must be the path of a file, got {trace!r}")


def batches_of(data: Any) -> Iterator[pa.RecordBatch]:
    """Find the record batches in `data`."""
    if isinstance(data, pa.Table):
        return iter(data.to_batches())
    if isinstance(data, pa.RecordBatch):
        return iter([data])
    if isinstance(data, pa.RecordBatchReader):
        return iter(data)
    if hasattr(data, "__arrow_c_stream__"):
        return iter(pa.RecordBatchReader.from_stream(data))
    if not isinstance(data, Iterable) or isinstance(data, (str, bytes, dict)):
        raise FlowError(
            "a flow runs on a pyarrow Table, RecordBatch or RecordBatchReader, an iterable of "
            f"RecordBatch, or anything with __arrow_c_stream__; got {type(data).__name__}"
        )
    return _checked(data)


def _checked(batches: Iterable[Any]) -> Iterator[pa.RecordBatch]:
    for number, batch in enumerate(batches):
        if not isinstance(batch, pa.RecordBatch):
            raise FlowError(
                f"item {number} of the input is a {type(batch).__name__}, not a RecordBatch"
            )
        yield batch
