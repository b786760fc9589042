"""Operators that tell of each row they make from which row it came.

Inside a region by key a channel works on some rows of a tuple only, and what all channels made is
put in order by the row it came from.

>>> import pyarrow.compute as pc
>>> from penstock.operators import Filter
>>> keep = Filter.over(pa.schema([("n", pa.int64())]), "keep", pc.field("n") > 1)
>>> made, rows = traced(keep, pa.RecordBatch.from_pydict({"n": [1, 2, 0, 3]}))
>>> made.to_pydict(), rows.to_pylist()
({'n': [2, 3]}, [1, 3])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from penstock.bodies import checked
from penstock.errors import FlowError
from penstock.expressions import evaluate
from penstock.fit import Fit
from penstock.functions import one_batch
from penstock.operators import Filter, FlatMap, Operator

# (ArrowArray given, empty one to fill, empty one for the row of each row made) -> rows made.
TracedBody: TypeAlias = Callable[[int, int, int], int]


def makes_other_rows(operator: Operator) -> bool:
    """Whether it may make more or fewer rows than it is given, and so has to be traced."""
    return isinstance(operator, (Filter, FlatMap))


def traced(
    operator: Operator, batch: pa.RecordBatch
) -> tuple[pa.RecordBatch | None, pa.Array | None]:
    """Apply an operator to a batch; the second says of each row made from which row it came.

    A flat_map cannot say so of a whole batch, so its function is called with one row at a time.
    None for the rows means one row for each row given.
    """
    if isinstance(operator, Filter):
        passes = evaluate([operator.expression.value], batch)[0]
        return batch.filter(passes), pc.indices_nonzero(passes).cast(pa.int32())
    if isinstance(operator, FlatMap):
        return _row_by_row(operator, batch)
    return operator.process(batch), None


def traced_body_of(operator: Operator, *, full_check: bool) -> TracedBody:
    """Wrap an operator that makes other rows than it is given for the engine."""
    given = operator.input
    check = checked(operator, full_check=full_check)

    def body(in_address: int, out_address: int, rows_address: int) -> int:
        made, rows = traced(operator, pa.RecordBatch._import_from_c(in_address, given))
        if made is None or rows is None:
            return 0
        made = check(made)
        if made.num_rows:
            made._export_to_c(out_address)
            rows._export_to_c(rows_address)
        return int(made.num_rows)

    return body


def _row_by_row(
    operator: FlatMap, batch: pa.RecordBatch
) -> tuple[pa.RecordBatch | None, pa.Array | None]:
    fit = Fit(operator.output)
    batches: list[pa.RecordBatch] = []
    rows: list[int] = []
    for row in range(batch.num_rows):
        made = one_batch(operator.function(batch.slice(row, 1)), operator.function)
        if made is None or made.num_rows == 0:
            continue
        try:
            batches.append(_labelled(fit(made), operator.output))
        except FlowError as error:
            raise FlowError(f"{operator.body} returned another schema: {error}") from error
        rows += [row] * made.num_rows
    if not batches:
        return None, None
    return one_batch(batches, operator.function), pa.array(rows, pa.int32())


def _labelled(batch: pa.RecordBatch, declared: pa.Schema) -> pa.RecordBatch:
    """Give the batches of different rows the same labels, so that they can be joined."""
    columns = [
        column if column.type == field.type else column.cast(field.type)
        for column, field in zip(batch.columns, declared, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=declared)
