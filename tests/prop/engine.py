"""A case as the engine runs it: real threads, real queues, bodies called through Arrow."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pyarrow as pa
from tests.prop.bodies import Body, body
from tests.prop.cases import Carriers, Case
from tests.prop.oracle import Outcome, batches_of, name

from penstock import _native
from penstock.bodies import body_of
from penstock.operators import Operator

SCHEMA = pa.schema([pa.field("n", pa.int64())])


@dataclass(frozen=True)
class ListOperator(Operator):
    """A function of lists, as an operator of the package."""

    function: Body

    @property
    def body(self) -> str:
        """What it does."""
        return self.name

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Apply the function to the values."""
        return batch_of(self.function(batch.column(0).to_pylist()))


def batch_of(values: list[int]) -> pa.RecordBatch:
    """Make a batch of one column."""
    return pa.RecordBatch.from_arrays([pa.array(values, pa.int64())], schema=SCHEMA)


def called_by_address(operator: str, function: Body) -> Callable[[int, int], int]:
    """Wrap a function of lists the way the package wraps every body."""
    return body_of(ListOperator(operator, SCHEMA, SCHEMA, function), full_check=True)


def graph_of(case: Case) -> _native.Graph:
    """Describe a case to the engine."""
    graph = _native.Graph("case")
    for place, step in enumerate(case.steps):
        made = called_by_address(name(place), body(case, place))
        graph.add(name(place), step.kind, _native.function(made), step.inputs)
    for edge in case.edges:
        graph.connect(edge.upstream, edge.downstream, edge.port)
    return graph


def open_element(
    graph: _native.Graph,
    batches: Iterator[pa.RecordBatch],
    model: str,
    carriers: Carriers,
    *,
    rows_per_tuple: int = 0,
    locate_row: bool = True,
    schemas: tuple[pa.Schema, pa.Schema] = (SCHEMA, SCHEMA),
) -> tuple[_native.ProcessingElement, pa.RecordBatchReader]:
    """Start the engine on a graph; what it makes is read from the second."""
    given, made, schema = (ctypes.c_uint64 * 5)(), (ctypes.c_uint64 * 5)(), (ctypes.c_uint64 * 9)()
    pa.RecordBatchReader.from_batches(schemas[0], batches)._export_to_c(ctypes.addressof(given))
    schemas[1]._export_to_c(ctypes.addressof(schema))
    element = _native.ProcessingElement(
        graph,
        ctypes.addressof(given),
        ctypes.addressof(schema),
        rows_per_tuple=rows_per_tuple,
        locate_row=locate_row,
        threading=model,
        threads=carriers.threads,
        elastic=carriers.elastic,
        controller=carriers.controller,
        period_ms=1,
        queue_capacity=carriers.capacity,
        patience_ms=60_000,
        observe=False,
        trace="",
        policy=carriers.policy,
        library_policy=None,
        input_interrupted=lambda: False,
    )
    element.export_stream(ctypes.addressof(made))
    return element, pa.RecordBatchReader._import_from_c(ctypes.addressof(made))


def run(case: Case, model: str, carriers: Carriers, *, locate_row: bool = True) -> Outcome:
    """Run a case to its end, forcing the threads to come and go between reads."""
    element, reader = open_element(
        graph_of(case),
        iter([batch_of(values) for values in batches_of(case)]),
        model,
        carriers,
        rows_per_tuple=case.rows_per_tuple,
        locate_row=locate_row,
    )
    try:
        return read(element, reader, carriers.levels)
    finally:
        element.close()


def read(
    element: _native.ProcessingElement, reader: pa.RecordBatchReader, levels: tuple[int, ...] = ()
) -> Outcome:
    """Read what an element makes, and how it ends."""
    outcome = Outcome()
    while True:
        if levels:
            element.limit_threads(levels[len(outcome.batches) % len(levels)])
        try:
            outcome.batches.append(reader.read_next_batch().column(0).to_pylist())
        except StopIteration:
            return outcome
        except (pa.ArrowException, OSError):
            failure = element.failure()
            if failure is None:
                raise
            outcome.operator, outcome.reason = failure.operator, str(failure.exception)
            outcome.rows = failure.row, failure.last_row
            return outcome
