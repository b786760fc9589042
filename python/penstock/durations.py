"""Lengths of time as people write them, and as columns count them.

>>> nanoseconds("1 hour 30 minutes") // 10**9
5400
>>> text_of(nanoseconds("90 seconds"))
'90 seconds'
>>> nanoseconds("3 months")
Traceback (most recent call last):
    ...
penstock.errors.FlowError: '3 months' has no fixed length; say it in days or weeks
"""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from typing import Any

import pyarrow as pa
from pyarrow import types as is_

from penstock.errors import FlowError, did_you_mean
from penstock.schema import type_name

UNITS = {
    "nanosecond": 1,
    "microsecond": 10**3,
    "millisecond": 10**6,
    "second": 10**9,
    "minute": 60 * 10**9,
    "hour": 3600 * 10**9,
    "day": 86400 * 10**9,
    "week": 7 * 86400 * 10**9,
}
SHORT = {"ns": "nanosecond", "us": "microsecond", "ms": "millisecond", "s": "second"}
SHORT |= {"sec": "second", "min": "minute", "h": "hour", "d": "day"}
UNEVEN = ("month", "year", "quarter")
PART = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*,?", re.IGNORECASE)
TICKS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


def nanoseconds(length: Any) -> int:
    """Read a length such as `10 minutes`, or a timedelta."""
    if isinstance(length, dt.timedelta):
        return ((length.days * 86400 + length.seconds) * 10**6 + length.microseconds) * 1000
    if not isinstance(length, str):
        raise FlowError(
            f"a length of time is a text such as '10 minutes' or a timedelta, got {length!r}"
        )
    parts, total = length.strip(), Decimal(0)
    if not parts:
        raise FlowError("a length of time is a text such as '10 minutes', got ''")
    while parts:
        match = PART.match(parts)
        if match is None:
            raise FlowError(f"{length!r} is not a length of time; write it as in '10 minutes'")
        total += Decimal(match[1]) * _unit(match[2].lower(), length)
        parts = parts[match.end() :]
    if total != int(total):
        raise FlowError(f"{length!r} is not a whole number of nanoseconds")
    return int(total)


def text_of(length: int) -> str:
    """Write a number of nanoseconds in the largest unit that it is a multiple of."""
    word, unit = next(
        (word, unit)
        for word, unit in reversed(UNITS.items())
        if word != "week" and not length % unit
    )
    if length == 0:
        word, unit = "second", UNITS["second"]
    return f"{length // unit} {word}" + ("" if length == unit else "s")


def ticks(length: int, column: pa.DataType, what: str) -> int:
    """A number of nanoseconds in the units of a column of dates or timestamps."""
    tick = UNITS["day"] if is_.is_date(column) else TICKS[column.unit]
    if length % tick:
        raise FlowError(
            f"{what} of {text_of(length)} cannot be told in a column of {type_name(column)}; "
            f"take a multiple of {text_of(tick)}"
        )
    return length // tick


def _unit(word: str, length: str) -> int:
    singular = SHORT.get(word, word.removesuffix("s"))
    if singular in UNITS:
        return UNITS[singular]
    if singular in UNEVEN:
        raise FlowError(f"{length!r} has no fixed length; say it in days or weeks")
    raise FlowError(f"{length!r}: unknown unit '{word}'; {did_you_mean(word, UNITS)}")
