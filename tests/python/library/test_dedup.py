from __future__ import annotations

import datetime as dt
from typing import Any

import pyarrow as pa
import pytest

from penstock import flow
from penstock.errors import FlowError

SCHEMA = "host string, n int, at timestamp, day date, tags array<string>"
START = flow("f", SCHEMA)


def test_the_first_row_of_each_key_stays_as_it_is() -> None:
    hosts = flow("f", "host string, n int").key_by("host").dedup()
    data = {"host": ["a", None, "a", "b", None], "n": pa.array([1, 2, 3, 4, 5], pa.int32())}
    assert hosts.run(pa.table(data)).table.to_pydict() == {"host": ["a", None, "b"], "n": [1, 2, 4]}


def test_without_columns_all_of_them_make_rows_equal() -> None:
    rows = {"a": [1, 1, 1], "b": [1, 2, 1]}
    assert flow("f", "a long, b long").dedup().run(pa.table(rows)).table.num_rows == 2


def test_a_row_a_span_behind_the_last_one_kept_stays_and_a_late_one_does_not() -> None:
    near = flow("f", "k long, t long").key_by("k").dedup(within=10, on="t")
    rows = {"k": [1] * 7, "t": [100, 109, 110, 90, None, 119, 120]}
    assert near.run(pa.table(rows)).table["t"].to_pylist() == [100, 110, None, 120]


def test_a_difference_that_does_not_fit_into_64_bits_is_a_long_time() -> None:
    near = flow("f", "k long, t long").key_by("k").dedup(within=2**62, on="t")
    rows = {"k": [1, 1], "t": [-(2**63), 2**63 - 1]}
    assert near.run(pa.table(rows)).table.num_rows == 2


def test_a_date_is_counted_in_days() -> None:
    days = [dt.date(2026, 1, day) for day in (1, 2, 3)]
    rows = pa.table({"day": days, "k": [1, 1, 1]})
    made = flow("f", "k long, day date").key_by("k").dedup(within=dt.timedelta(days=2), on="day")
    assert made.run(rows).table["day"].to_pylist() == [days[0], days[2]]


def test_an_explanation_says_what_counts_and_for_how_long() -> None:
    made = START.key_by("host").dedup(within="10 minutes", on="at").explanation()
    assert "dedup by host within 10 minutes of at" in made
    assert "keyed, native" in made


@pytest.mark.parametrize(
    ("keys", "arguments", "problem"),
    [
        (["hots"], {}, "unknown key column 'hots'; did you mean 'host'"),
        (["tags"], {}, "key column 'tags' is array<string>, which cannot be a key"),
        (["host"], {"within": "1 hour"}, "within= and on= go together"),
        (["host"], {"on": "at"}, "within= and on= go together"),
        (["host"], {"within": "1 hour", "on": "ad"}, "on=: unknown column 'ad'"),
        (["host"], {"within": "1 hour", "on": "host"}, "column 'host' is string, and must be"),
        (["host"], {"within": "soon", "on": "at"}, "'soon' is not a length of time"),
        (
            ["host"],
            {"within": "0 hours", "on": "at"},
            "within= must be a time above 0 that the column",
        ),
        (["host"], {"within": 3, "on": "at"}, "a length of time is a text such as '10 minutes'"),
        (["host"], {"within": "1 hour", "on": "n"}, "must be a whole number above 0"),
        (
            ["host"],
            {"within": "1 hour", "on": "day"},
            "within= of 1 hour cannot be told in a column of date",
        ),
    ],
)
def test_what_cannot_be_is_refused_where_it_is_written(
    keys: list[str], arguments: dict[str, Any], problem: str
) -> None:
    with pytest.raises(FlowError, match=f"flow 'f', operator 'dedup_1': .*{problem}"):
        START.key_by(*keys).dedup(**arguments)
