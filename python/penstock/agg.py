"""Aggregates of the rows of a key.

>>> from penstock import agg
>>> agg.sum("bytes")
sum(bytes)

Nulls are passed over: before the first value that is not null, every aggregate but a count is null.
Sums of whole numbers are exact, and one that does not fit into 64 bits is an error of its row.
NaN counts as larger than any number.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
from pyarrow import types as is_

from penstock.errors import FlowError, did_you_mean
from penstock.schema import type_name


@dataclass(frozen=True, repr=False)
class Aggregate:
    """A function over the values of a column, or over rows.

    Attributes:
        function: `count`, `sum`, `min`, `max` or `mean`.
        column: Name of the column; None for a count of rows.
    """

    function: str
    column: str | None = None

    def __repr__(self) -> str:
        return f"{self.function}({self.column or ''})"

    def type_over(self, given: pa.Schema) -> pa.DataType:
        """What it makes of rows of that schema."""
        if self.column is None:
            return pa.int64()
        if self.column not in given.names:
            raise FlowError(
                f"{self}: unknown column '{self.column}'; {did_you_mean(self.column, given.names)}"
            )
        found = given.field(self.column).type
        if self.function == "count":
            return pa.int64()
        whole, floating = (
            is_.is_signed_integer(found),
            is_.is_float32(found) or is_.is_float64(found),
        )
        if self.function in {"min", "max"}:
            if whole or floating or is_.is_date32(found) or is_.is_timestamp(found):
                return found
            raise FlowError(f"{self}: {_refusal(found)} a number, a date or a timestamp")
        if not (whole or floating):
            raise FlowError(f"{self}: {_refusal(found)} a number")
        return pa.int64() if whole and self.function == "sum" else pa.float64()


def count(column: str | None = None) -> Aggregate:
    """Rows, or values of a column that are not null."""
    return Aggregate("count", column)


def sum(column: str) -> Aggregate:  # noqa: A001 - as Spark and SQL call it
    """The sum: a long of whole numbers, a double of others."""
    return Aggregate("sum", column)


def min(column: str) -> Aggregate:  # noqa: A001 - as Spark and SQL call it
    """The smallest value."""
    return Aggregate("min", column)


def max(column: str) -> Aggregate:  # noqa: A001 - as Spark and SQL call it
    """The largest value."""
    return Aggregate("max", column)


def mean(column: str) -> Aggregate:
    """The mean, a double."""
    return Aggregate("mean", column)


def _refusal(found: pa.DataType) -> str:
    return f"the column is {type_name(found)}, and must be"
