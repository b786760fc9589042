"""Operators as the engine calls them: one array in by address, at most one out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pyarrow as pa

from penstock.errors import FlowError
from penstock.fit import Fit
from penstock.operators import Operator

# (address of the ArrowArray given, address of an empty one to fill) -> rows made.
Body: TypeAlias = Callable[[int, int], int]


def body_of(operator: Operator, *, full_check: bool) -> Body:
    """Wrap an operator for the engine.

    Only arrays cross: each side knows its schema already, so a label that differs (such as
    a timestamp's zone) is replaced by the declared one without touching a row.
    """
    given = operator.input
    check = checked(operator, full_check=full_check)

    def body(in_address: int, out_address: int) -> int:
        made = operator.process(pa.RecordBatch._import_from_c(in_address, given))
        if made is None:
            return 0
        made = check(made)
        if made.num_rows:
            made._export_to_c(out_address)
        return int(made.num_rows)

    return body


def checked(operator: Operator, *, full_check: bool) -> Callable[[pa.RecordBatch], pa.RecordBatch]:
    """Make batches fit what an operator declared, or say what is wrong with them."""
    fit = Fit(operator.output)

    def check(made: pa.RecordBatch) -> pa.RecordBatch:
        if full_check:
            _validate(made, operator)
        try:
            return fit(made)
        except FlowError as error:
            raise FlowError(f"{operator.body} returned another schema: {error}") from error

    return check


def _validate(batch: pa.RecordBatch, operator: Operator) -> None:
    try:
        batch.validate(full=True)
    except pa.ArrowException as error:
        raise FlowError(f"{operator.body} returned a broken batch: {error}") from error
