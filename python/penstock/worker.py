"""The door to the native engine: one partition in, one partition out, in order.

>>> import pyarrow.compute as pc
>>> from penstock.flow import flow
>>> from penstock.spec import FlowSpec
>>> spec = FlowSpec.of(flow("f", "a long").filter(pc.field("a") > 1))
>>> [batch.to_pydict() for batch in run(spec, iter([pa.RecordBatch.from_pydict({"a": [1, 2]})]))]
[{'a': [2]}]
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import TypeAlias

import pyarrow as pa

from penstock import _native
from penstock.c_data import CStruct
from penstock.checkpoint import Checkpoint
from penstock.errors import FlowError, OperatorError
from penstock.executor.budget import Budget
from penstock.executor.memory import memory_limit, where_memory_ran_out
from penstock.executor.peer import watch_peer
from penstock.failure_text import text_of
from penstock.fit import Fit
from penstock.library.policy_library import PolicyLibrary, tell_overruled
from penstock.loops.stopping import Stop
from penstock.machine import cores
from penstock.measured import decisions_of, metrics_of
from penstock.metrics import Decision, FlowMetrics
from penstock.policy_names import DEFAULT
from penstock.spec import FlowSpec
from penstock.watch import Progress, Watch
from penstock.wiring import graph_of

# Takes a region and how many channels it shall have.
SetChannels: TypeAlias = Callable[[str, int], None]
# Takes the metrics of a run, if it was measured, and what was decided.
Report: TypeAlias = Callable[[FlowMetrics | None, tuple[Decision, ...]], None]


def run(
    spec: FlowSpec,
    batches: Iterator[pa.RecordBatch],
    *,
    trace: str = "",
    report: Report | None = None,
    checkpoint: Checkpoint | None = None,
    steer: Callable[[SetChannels], None] | None = None,
    watch: Watch | None = None,
    budget: Budget | None = None,
    connection: int | None = None,
) -> Iterator[pa.RecordBatch]:
    """Run a flow over batches, which are pulled on the calling thread as results are read.

    The end of `batches` is not taken as proof that the input was complete: nothing is
    committed when it comes.

    Args:
        spec: What to run.
        batches: The input.
        trace: A file to write a trace to; none when empty.
        report: Called when the run is over, however it ended, with the metrics, if the
            settings want them, and with what was decided about threads.
        checkpoint: What operators remember from the beginning, and where to put it in the end.
        steer: Called before the first row with what changes the channels of a region from then on.
        watch: Follows the run while it is there; without it and `report` nothing is counted.
        budget: The threads it may use, which it shares with others; None to have what it asks for.
        connection: A socket. When its other end is closed the flow stops, and where an operator
            never returns, this process ends.
    """
    source = _Source(spec, batches)
    observe = report is not None and spec.settings.metrics
    rows_out = 0
    stop = Stop()
    element = _open(spec, source, stop, budget, observe=observe or watch is not None, trace=trace)
    failure: BaseException | None = None
    peer = watch_peer(spec, element, connection)

    def look() -> Progress:
        found = element.metrics()
        assert found is not None, "whoever watches has it observed"
        return Progress(metrics_of(found, decisions_of(element.actions())), source.rows, rows_out)

    try:
        if watch is not None:
            watch.begin(look)
        if checkpoint is not None:
            checkpoint.restore(element)
        if steer is not None:
            steer(element.set_channels)
        reader = _reader_of(element)
        while True:
            try:
                made = reader.read_next_batch()
            except StopIteration:
                _check_not_interrupted(source)
                if checkpoint is not None:
                    checkpoint.save(element)
                return
            except (pa.ArrowException, OSError) as error:
                failure = _what_failed(spec, source, element, error)
                if peer is not None and peer.closed:
                    # As when a generator is closed: nobody wants more rows, so nothing failed.
                    failure = GeneratorExit(f"Spark gave up the task of flow '{spec.name}'")
            # Raised here, outside the handler, so that no Arrow error becomes its context.
            if failure is not None:
                raise failure
            rows_out += made.num_rows
            yield made
    finally:
        stop.set()
        element.close()
        stop.end()
        if peer is not None:
            peer.end()
        if watch is not None:
            watch.end(look)
        _tell(element, report, trace, observed=observe)
        tell_overruled(spec.name, spec.threading.policy, element.overruled())
        _tell_refused(spec.name, element.refusal())
        # An error's traceback holds this frame, and the engine holds the error: without this
        # they would hold each other for ever.
        element = reader = peer = failure = None  # type: ignore[assignment]


def build_info() -> dict[str, str]:
    """Version, compiler and build type of the native engine."""
    return _native.build_info()


class _Source:
    """The input on its way into the engine, which must not swallow what its iterator raises."""

    def __init__(self, spec: FlowSpec, batches: Iterator[pa.RecordBatch]) -> None:
        self.error: BaseException | None = None
        self.rows = 0
        self._batches = batches
        self._name = spec.name
        self._fit = Fit(spec.input_schema, by_name=True)

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        return self

    def __next__(self) -> pa.RecordBatch:
        try:
            batch = self._fitted(next(self._batches))
            self.rows += batch.num_rows
            return batch
        except StopIteration:
            raise
        except BaseException as error:
            self.error = error
            raise

    @property
    def was_interrupted(self) -> bool:
        """Whether it was told to stop, if it failed: by KeyboardInterrupt or SystemExit.

        Where nothing was caught, a signal came just before the first line of `__next__`.
        """
        return not isinstance(self.error, Exception)

    def _fitted(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        try:
            return self._fit(batch)
        except FlowError as error:
            raise FlowError(f"flow '{self._name}', input: {error}") from error.__cause__


def _check_not_interrupted(source: _Source) -> None:
    """Raise what the input raised behind the last row that was wanted, if it was told to stop."""
    if source.error is not None and source.was_interrupted:
        raise source.error


def _open(
    spec: FlowSpec,
    source: _Source,
    stop: Stop,
    budget: Budget | None = None,
    *,
    observe: bool,
    trace: str,
) -> _native.ProcessingElement:
    graph = graph_of(spec, stop)
    given, made = CStruct(words=5), CStruct(words=9)
    reader = pa.RecordBatchReader.from_batches(spec.input_schema, source)
    reader._export_to_c(given.address)
    spec.output_schema._export_to_c(made.address)
    try:
        return _native.ProcessingElement(
            graph,
            given.address,
            made.address,
            rows_per_tuple=spec.settings.rows_per_tuple,
            locate_row=spec.settings.locate_row,
            threading=spec.threading.model,
            threads=_threads_of(spec, budget),
            elastic=spec.threading.elastic,
            controller=spec.settings.elastic_controller,
            period_ms=spec.settings.elastic_period_ms,
            queue_capacity=spec.settings.queue_capacity,
            patience_ms=spec.settings.cancel_patience_ms,
            observe=observe,
            trace=trace,
            policy=str(spec.threading.policy or DEFAULT),
            library_policy=_library_policy(spec),
            input_interrupted=lambda: source.was_interrupted,
            seat=budget.seat if budget is not None else None,
        )
    except _native.TraceError as error:
        raise FlowError(str(error)) from None
    finally:
        # What the engine refused to take over is released by taking it back.
        if made.is_held(release=7):
            pa.Schema._import_from_c(made.address)
        if given.is_held(release=3):
            pa.RecordBatchReader._import_from_c(given.address)


def _threads_of(spec: FlowSpec, budget: Budget | None) -> int:
    asked = spec.threading.threads
    return budget.threads(asked) if budget is not None else asked or cores().usable


def _library_policy(spec: FlowSpec) -> _native.LibraryPolicy | None:
    policy = spec.threading.policy
    return _native.LibraryPolicy(*policy.load()) if isinstance(policy, PolicyLibrary) else None


def _reader_of(element: _native.ProcessingElement) -> pa.RecordBatchReader:
    exported = CStruct(words=5)
    element.export_stream(exported.address)
    return pa.RecordBatchReader._import_from_c(exported.address)


def _tell(
    element: _native.ProcessingElement,
    report: Report | None,
    trace: str,
    *,
    observed: bool,
) -> None:
    if report is not None:
        decisions = decisions_of(element.actions())
        made = element.metrics() if observed else None  # a trace counts, too
        report(metrics_of(made, decisions) if made is not None else None, decisions)
    problem = element.trace_problem()
    if problem:
        warnings.warn(f"the trace '{trace}' is not complete: {problem}", stacklevel=3)


def _tell_refused(flow: str, refusal: str) -> None:
    if refusal:
        warnings.warn(f"flow '{flow}' went on with fewer threads: {refusal}", stacklevel=3)


def _what_failed(
    spec: FlowSpec, source: _Source, element: _native.ProcessingElement, error: Exception
) -> BaseException:
    if source.error is not None:
        return source.error
    failure = element.failure()
    if failure is None:
        return error
    cause = failure.exception
    if not isinstance(cause, Exception):
        return cause  # KeyboardInterrupt and SystemExit are not the operator's failure
    if not failure.operator and KeyboardInterrupt.__name__ in str(cause):
        return KeyboardInterrupt()  # raised around the input, of which only its text came through
    if not failure.operator and isinstance(cause, RuntimeError):
        return FlowError(f"flow '{spec.name}': {cause}")
    reason = str(cause) if isinstance(cause, FlowError) else text_of(cause)
    if isinstance(cause, MemoryError):
        reason += f"; {where_memory_ran_out(spec.name, memory_limit())}"
    raised = OperatorError(
        failure.operator, flow=spec.name, row=failure.row, last_row=failure.last_row, reason=reason
    )
    raised.__cause__ = cause
    return raised
