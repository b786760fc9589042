"""Spans of time, in the unit of the column they are compared with.

>>> span_of("within", "10 minutes", pa.timestamp("us"))
600000000
>>> span_of("within", 5, pa.int64())
5
>>> span_of("within", "5 parsecs", pa.timestamp("s"))
Traceback (most recent call last):
    ...
penstock.errors.FlowError: within='5 parsecs' is not a span of time; write it as '10 minutes', \
'2.5 s' or '1 day'
"""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa
from pyarrow import types as is_

from penstock.errors import FlowError, did_you_mean
from penstock.schema import type_name

SPAN = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*")
NANOSECONDS = {
    "ns": 1,
    "us": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "second": 10**9,
    "min": 60 * 10**9,
    "minute": 60 * 10**9,
    "h": 3600 * 10**9,
    "hour": 3600 * 10**9,
    "d": 86400 * 10**9,
    "day": 86400 * 10**9,
    "week": 7 * 86400 * 10**9,
}
MOST = 2**63 - 1


def span_of(argument: str, span: Any, unit: pa.DataType) -> int:
    """How long it is, as the whole number that a column of type `unit` counts in."""
    in_ns = _nanoseconds_of(unit)
    if in_ns is None:
        if type(span) is not int or span < 0:
            raise FlowError(
                f"{argument}={span!r} must be a whole number from 0 on, as the column of "
                f"{type_name(unit)} that it is compared with"
            )
        made = span
    else:
        made, rest = divmod(_nanoseconds(argument, span), in_ns)
        if rest:
            raise FlowError(f"{argument}={span!r} is no whole number of {type_name(unit)} units")
    if made > MOST:
        raise FlowError(f"{argument}={span!r} is longer than 64 bits can count")
    return int(made)


def check_time(given: pa.Schema, argument: str, column: Any) -> None:
    """Refuse a column that rows cannot be ordered by in time."""
    if not isinstance(column, str):
        raise FlowError(f"{argument}= takes the name of a column, got {column!r}")
    if column not in given.names:
        raise FlowError(f"unknown column '{column}'; {did_you_mean(column, given.names)}")
    found = given.field(column).type
    whole = is_.is_integer(found) and found != pa.uint64()
    if not (whole or is_.is_timestamp(found) or is_.is_date(found)):
        raise FlowError(
            f"{argument}='{column}' is {type_name(found)}, but a timestamp, a date or a whole "
            "number is needed"
        )


def _nanoseconds(argument: str, span: Any) -> int:
    if isinstance(span, timedelta) and span >= timedelta():
        return span // timedelta(microseconds=1) * 1000
    found = SPAN.fullmatch(span) if isinstance(span, str) else None
    unit = found and NANOSECONDS.get(found[2], NANOSECONDS.get(found[2].removesuffix("s")))
    if found is None or unit is None:
        raise FlowError(
            f"{argument}={span!r} is not a span of time; write it as '10 minutes', '2.5 s' or "
            "'1 day'"
        )
    return int(Decimal(found[1]) * unit)


def _nanoseconds_of(unit: pa.DataType) -> int | None:
    if is_.is_date32(unit):
        return NANOSECONDS["day"]
    if is_.is_date64(unit):
        return NANOSECONDS["ms"]
    return NANOSECONDS[unit.unit] if is_.is_timestamp(unit) else None
