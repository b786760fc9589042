"""Operators as the engine calls them: one array in by address, at most one out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from penstock.errors import FlowError
from penstock.expression_calls import evaluator, steps_of
from penstock.expressions import evaluate
from penstock.fit import Fit
from penstock.functions import check_whole, one_batch
from penstock.operators import Compute, Expression, Filter, FlatMap, Operator

# (address of the ArrowArray given, address of an empty one to fill) -> rows made.
Body: TypeAlias = Callable[[int, int], int]
Process: TypeAlias = Callable[[pa.RecordBatch], "pa.RecordBatch | None"]


def body_of(operator: Operator, *, full_check: bool) -> Body:
    """Wrap an operator for the engine.

    Only arrays cross: each side knows its schema already, so a label that differs (such as
    a timestamp's zone) is replaced by the declared one without touching a row.
    """
    given = operator.input
    process = _process_whole(operator) if full_check else process_of(operator)
    if isinstance(operator, (Compute, Filter)):
        return _exporting(given, process)  # what Arrow makes fits: it was asked when it was bound
    check = checked(operator)

    def fitting(batch: pa.RecordBatch) -> pa.RecordBatch | None:
        made = process(batch)
        return None if made is None else check(made)

    return _exporting(given, fitting)


def _exporting(given: pa.Schema, process: Process) -> Body:
    def body(in_address: int, out_address: int) -> int:
        made = process(pa.RecordBatch._import_from_c(in_address, given))
        if made is None or not made.num_rows:
            return 0
        made._export_to_c(out_address)
        return int(made.num_rows)

    return body


def process_of(operator: Operator) -> Process:
    """What an operator does to a batch, with all made ready that is the same for every batch."""
    if isinstance(operator, Filter):
        passes, keep, rule = mask_of(operator), pc.get_function("filter").call, pc.FilterOptions()
        return lambda batch: keep([batch, passes(batch)], rule)
    if isinstance(operator, Compute):
        return _columns_of(operator)
    return operator.process


def mask_of(operator: Filter) -> Callable[[pa.RecordBatch], pa.Array]:
    """Which rows of a batch pass."""
    steps = steps_of([operator.expression.value], operator.input)
    if steps is not None:
        return steps[0]
    return lambda batch: evaluate([operator.expression.value], batch)[0]


def checked(operator: Operator) -> Callable[[pa.RecordBatch], pa.RecordBatch]:
    """Make batches fit what an operator declared, or say what is wrong with them."""
    fit = Fit(operator.output)

    def check(made: pa.RecordBatch) -> pa.RecordBatch:
        try:
            return fit(made)
        except FlowError as error:
            raise FlowError(f"{operator.body} returned another schema: {error}") from error

    return check


def _columns_of(operator: Compute) -> Process:
    made = operator.columns
    wanted = [one.value for one in made if isinstance(one, Expression)]
    compute, schema = evaluator(wanted, operator.input), operator.output

    def process(batch: pa.RecordBatch) -> pa.RecordBatch:
        computed = iter(compute(batch))
        columns = [batch.column(one) if isinstance(one, int) else next(computed) for one in made]
        return pa.RecordBatch.from_arrays(columns, schema=schema)

    return process


def _process_whole(operator: Operator) -> Process:
    """Apply an operator, and refuse what its function made before anything else is done to it."""
    if isinstance(operator, FlatMap):
        function = operator.function
        return lambda batch: one_batch(function(batch), function, full_check=True)

    apply = process_of(operator)

    def process(batch: pa.RecordBatch) -> pa.RecordBatch | None:
        made = apply(batch)
        if made is not None:
            check_whole(made, operator.body)
        return made

    return process
