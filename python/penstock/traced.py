"""Operators that tell of each row they make from which row it came.

Inside a region by key a channel works on some rows of a tuple only, and what all channels made is
put in order by the row it came from.

>>> import pyarrow.compute as pc
>>> from penstock.operators import Filter
>>> keep = Filter.over(pa.schema([("n", pa.int64())]), "keep", pc.field("n") > 1)
>>> made = traced(keep, pa.RecordBatch.from_pydict({"n": [1, 2, 0, 3]}))
>>> made.batch.to_pydict(), made.rows.to_pylist()
({'n': [2, 3]}, [1, 3])
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from penstock.bodies import checked, mask_of
from penstock.functions import one_batch
from penstock.operators import Filter, FlatMap, Operator

# (ArrowArray given, empty one to fill, empty one for the row of each row made) -> rows made, and
# the row at which it failed, if so.
TracedBody: TypeAlias = Callable[[int, int, int], "int | tuple[int, int, Exception]"]


@dataclass
class Traced:
    """What an operator made of a batch.

    Attributes:
        batch: The rows made; None if there are none.
        rows: From which row of the batch each came; None if one was made of each.
        failed_at: The row that could not be worked on, where the operator knows it.
        failure: Why; what the rows before it made is there all the same.
    """

    batch: pa.RecordBatch | None
    rows: pa.Array | None = None
    failed_at: int = 0
    failure: Exception | None = None

    def whole(self) -> pa.RecordBatch | None:
        """The rows made, unless something failed."""
        if self.failure is not None:
            raise self.failure
        return self.batch


def makes_other_rows(operator: Operator) -> bool:
    """Whether it may make more or fewer rows than it is given, and so has to be traced."""
    return isinstance(operator, (Filter, FlatMap))


def traced(operator: Operator, batch: pa.RecordBatch, *, full_check: bool = False) -> Traced:
    """Apply an operator to a batch, and say of each row made from which row it came.

    A flat_map cannot say so of a whole batch, so its function is called with one row at a time.
    """
    if isinstance(operator, Filter):
        return _filtered(batch, mask_of(operator)(batch))
    if isinstance(operator, FlatMap):
        return _row_by_row(operator, batch, full_check=full_check)
    return Traced(operator.process(batch))


def traced_body_of(operator: Operator, *, full_check: bool) -> TracedBody:
    """Wrap an operator that makes other rows than it is given for the engine."""
    given = operator.input
    check = checked(operator)
    passes = mask_of(operator) if isinstance(operator, Filter) else None

    def body(
        in_address: int, out_address: int, rows_address: int
    ) -> int | tuple[int, int, Exception]:
        came = pa.RecordBatch._import_from_c(in_address, given)
        if passes is not None:
            made = _filtered(came, passes(came))
        else:
            made = traced(operator, came, full_check=full_check)
        count = 0
        if made.batch is not None and made.rows is not None:
            batch = check(made.batch)
            count = batch.num_rows
            if count:
                batch._export_to_c(out_address)
                made.rows._export_to_c(rows_address)
        return count if made.failure is None else (count, made.failed_at, made.failure)

    return body


def _filtered(batch: pa.RecordBatch, passes: pa.Array) -> Traced:
    return Traced(batch.filter(passes), pc.indices_nonzero(passes).cast(pa.int32()))


def _row_by_row(operator: FlatMap, batch: pa.RecordBatch, *, full_check: bool) -> Traced:
    fit = checked(operator)
    batches: list[pa.RecordBatch] = []
    rows: list[int] = []
    failed_at, failure = 0, None
    for row in range(batch.num_rows):
        try:
            returned = operator.function(batch.slice(row, 1))
            made = one_batch(returned, operator.function, full_check=full_check)
            if made is not None and made.num_rows:
                batches.append(_labelled(fit(made), operator.output))
                rows += [row] * made.num_rows
        except Exception as error:  # noqa: BLE001 - what the rows before it made is still good
            failed_at, failure = row, error
            break
    if not batches:
        return Traced(None, None, failed_at, failure)
    joined = one_batch(batches, operator.function)
    return Traced(joined, pa.array(rows, pa.int32()), failed_at, failure)


def _labelled(batch: pa.RecordBatch, declared: pa.Schema) -> pa.RecordBatch:
    """Give the batches of different rows the same labels, so that they can be joined."""
    columns = [
        column if column.type == field.type else column.cast(field.type)
        for column, field in zip(batch.columns, declared, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=declared)
