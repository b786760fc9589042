"""Lengths of time: what can be written, and in which columns it can be told."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pytest

from penstock.durations import nanoseconds, text_of, ticks
from penstock.errors import FlowError

SECOND = 10**9


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("10 minutes", 600),
        ("1 hour", 3600),
        ("1 Hour 30 minutes", 5400),
        ("1.5h", 5400),
        ("1 week, 2 days", 9 * 86400),
        (" 7s ", 7),
        ("2 min", 120),
        (dt.timedelta(days=1, seconds=1), 86401),
        (dt.timedelta(seconds=-1), -1),
    ],
)
def test_lengths_are_read(written: object, seconds: int) -> None:
    assert nanoseconds(written) == seconds * SECOND


def test_lengths_are_exact() -> None:
    assert nanoseconds("500 milliseconds") == SECOND // 2
    assert nanoseconds("0.1 us") == 100
    assert nanoseconds(dt.timedelta(microseconds=1)) == 1000


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        (10, "'10 minutes' or a timedelta, got 10"),
        ("", "got ''"),
        ("soon", "'soon' is not a length of time"),
        ("-1 hour", "'-1 hour' is not a length of time"),
        ("10 minuets", "unknown unit 'minuets'; did you mean 'minute'"),
        ("1 year", "'1 year' has no fixed length; say it in days or weeks"),
        ("0.1 ns", "not a whole number of nanoseconds"),
    ],
)
def test_what_is_no_length_is_refused(written: object, problem: str) -> None:
    with pytest.raises(FlowError) as error:
        nanoseconds(written)
    assert problem in str(error.value)


@pytest.mark.parametrize("text", ["1 day", "36 hours", "1 second", "0 seconds", "7 nanoseconds"])
def test_a_length_is_written_in_its_largest_unit(text: str) -> None:
    assert text_of(nanoseconds(text)) == text


def test_a_column_must_be_able_to_tell_a_length() -> None:
    assert ticks(nanoseconds("1 day"), pa.date32(), "time=") == 1
    assert ticks(nanoseconds("1 second"), pa.timestamp("ms"), "time=") == 1000
    with pytest.raises(FlowError, match="time= of 1 hour cannot be told in a column of date"):
        ticks(nanoseconds("1 hour"), pa.date32(), "time=")
