"""Aggregates of the rows of a key.

>>> from penstock import agg
>>> agg.sum("bytes")
sum(bytes)

Nulls are passed over: before the first value that is not null, every aggregate but a count is null.
So the first value is the first one that is not null. Sums of whole numbers are exact, and one that
does not fit into 64 bits is an error of its row. NaN counts as larger than any number, and strings
are compared by their bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pyarrow as pa
from pyarrow import types as is_

from penstock.errors import FlowError, did_you_mean
from penstock.schema import type_name


@dataclass(frozen=True, repr=False)
class Aggregate:
    """A function over the values of a column, or over rows.

    Attributes:
        function: Its name here, such as `sum`.
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
        allowed = ALLOWED.get(self.function)
        if allowed is not None and not any(is_one(found) for is_one in allowed.values()):
            kinds = list(allowed)
            listed = f"{', '.join(kinds[:-1])} or {kinds[-1]}" if kinds[1:] else kinds[0]
            raise FlowError(f"{self}: the column is {type_name(found)}, and must be {listed}")
        if self.is_count:
            return pa.int64()
        if self.function in SINGLE:
            return found
        whole = is_.is_signed_integer(found)
        return pa.int64() if whole and self.function == "sum" else pa.float64()

    @property
    def is_count(self) -> bool:
        """Whether it counts something, so that it is never null."""
        return self.function in {"count", "approx_distinct"}


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


def var(column: str) -> Aggregate:
    """The variance of a sample, a double; null before the second value."""
    return Aggregate("var", column)


def stddev(column: str) -> Aggregate:
    """The standard deviation of a sample, a double; null before the second value."""
    return Aggregate("stddev", column)


def first(column: str) -> Aggregate:
    """The first value that is not null, of any plain type."""
    return Aggregate("first", column)


def last(column: str) -> Aggregate:
    """The last value that is not null, of any plain type."""
    return Aggregate("last", column)


def approx_distinct(column: str) -> Aggregate:
    """Roughly how many different values there are that are not null.

    Exact up to 128, and beyond that with a standard error of 1.6 %, from about 4 KB for each key.
    Values are the same if they are as keys: all NaN are one, and -0.0 is 0.0.
    """
    return Aggregate("approx_distinct", column)


def _is_number(found: pa.DataType) -> bool:
    return bool(is_.is_signed_integer(found) or is_.is_float32(found) or is_.is_float64(found))


def _is_text(found: pa.DataType) -> bool:
    return bool(
        is_.is_string(found)
        or is_.is_large_string(found)
        or is_.is_binary(found)
        or is_.is_large_binary(found)
    )


NUMBERS: Mapping[str, Callable[[pa.DataType], bool]] = {"a number": _is_number}
ORDERED = {
    **NUMBERS,
    "a date": is_.is_date32,
    "a timestamp": is_.is_timestamp,
    "a string": _is_text,
}
PLAIN = {**ORDERED, "a boolean": is_.is_boolean, "a decimal": is_.is_decimal}
SINGLE = {"min", "max", "first", "last"}
# By function, what it can be over; a count can be over anything.
ALLOWED: Mapping[str, Mapping[str, Callable[[pa.DataType], bool]]] = {
    "sum": NUMBERS,
    "mean": NUMBERS,
    "var": NUMBERS,
    "stddev": NUMBERS,
    "min": ORDERED,
    "max": ORDERED,
    "first": PLAIN,
    "last": PLAIN,
    "approx_distinct": PLAIN,
}
