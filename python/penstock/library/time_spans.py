"""Spans of time, as people write them, in the units of a column.

>>> in_units("10 minutes", pa.timestamp("us"))
600000000
>>> in_units(5, pa.int64())
5
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Any, TypeAlias

import pyarrow as pa
from pyarrow import types as is_

from penstock.errors import FlowError
from penstock.schema import type_name

Span: TypeAlias = "str | int | dt.timedelta"

MICROSECONDS = {
    "microsecond": 1,
    "millisecond": 10**3,
    "second": 10**6,
    "minute": 60 * 10**6,
    "hour": 3600 * 10**6,
    "day": 86400 * 10**6,
    "week": 7 * 86400 * 10**6,
}
PER_UNIT = {"s": 10**6, "ms": 10**3, "us": 1}
WRITTEN = re.compile(r"\s*(\d+)\s*([a-z]+?)s?\s*")


def in_units(span: Any, of: pa.DataType) -> int:
    """Count a span above zero in the units of a column of that type, or say why it cannot be."""
    if is_.is_signed_integer(of):
        if not isinstance(span, int) or isinstance(span, bool) or span <= 0:
            raise FlowError(
                f"the time is {type_name(of)}, so within= must be a whole number above 0 in its "
                f"own unit, got {span!r}"
            )
        return span
    length = _microseconds(span)
    if is_.is_timestamp(of) and of.unit == "ns":
        return length * 1000
    unit = 86400 * 10**6 if is_.is_date32(of) else PER_UNIT[of.unit]
    if length % unit:
        raise FlowError(f"within={span!r} is finer than the time, which is {type_name(of)}")
    return length // unit


def can_be_time(of: pa.DataType) -> bool:
    """Whether a column of that type says when a row was."""
    return bool(is_.is_timestamp(of) or is_.is_date32(of) or is_.is_signed_integer(of))


def _microseconds(span: Any) -> int:
    length = 0
    if isinstance(span, dt.timedelta):
        length = span // dt.timedelta(microseconds=1)
    elif isinstance(span, str):
        written = WRITTEN.fullmatch(span)
        if written and written[2] in MICROSECONDS:
            length = int(written[1]) * MICROSECONDS[written[2]]
    if length <= 0:
        raise FlowError(
            f"within= must be a time above 0 such as '10 minutes' ({', '.join(MICROSECONDS)}) or a "
            f"datetime.timedelta, got {span!r}"
        )
    return length
