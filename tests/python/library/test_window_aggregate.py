"""Aggregates of windows: what they make, what is refused on the driver, what fails at a row."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pyarrow as pa
import pytest

from penstock import Flow, agg, flow, windows
from penstock.errors import FlowError, OperatorError

SCHEMA = "k string, ts timestamp_ntz, d date, x double, n long, tags array<string>"
DAY = dt.datetime(2026, 1, 1)


def rows(*given: tuple[Any, ...]) -> pa.Table:
    schema = flow("f", "k string, ts timestamp_ntz, n long").input_schema
    columns = zip(*given, strict=True)
    return pa.table([pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema)


def at(minutes: float) -> dt.datetime:
    return DAY + dt.timedelta(minutes=minutes)


def made(of: Flow, table: pa.Table) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in of.run(table).to_pylist()]


def test_a_row_is_made_of_each_window_when_it_closes() -> None:
    ten = windows.tumbling(time="10 minutes", on="ts", watermark="1 minute")
    by_key = flow("f", "k string, ts timestamp_ntz, n long").key_by("k")
    counts = by_key.window(ten, flush=False).agg(n=agg.count(), most=agg.max("n"))
    assert counts.schema.names == ["k", "window_start", "window_end", "n", "most"]
    assert not counts.schema.field("window_start").nullable
    table = rows(
        ("a", at(1), 1), ("b", at(50), 9), ("a", at(10.5), 2), ("a", at(9), 7), ("a", at(11), 3),
        ("a", at(9), 99), ("a", None, 99),
    )  # fmt: skip
    assert made(counts, table) == [("a", at(0), at(10), 2, 7)]


def test_open_windows_leave_by_key_if_they_are_flushed() -> None:
    pairs = flow("f", "k string, ts timestamp_ntz, n long").key_by("k")
    table = rows(("b", None, 1), (None, None, 2), ("a", None, 3), ("b", None, 4), ("b", None, 5))
    for flush, last in [(False, []), (True, [(None, 0, 1, 2), ("a", 0, 1, 3), ("b", 2, 3, 5)])]:
        sums = pairs.window(windows.tumbling(rows=2), flush=flush).agg(total=agg.sum("n"))
        assert made(sums, table) == [("b", 0, 2, 5), *last]


def test_dates_and_numbers_place_rows_too() -> None:
    dated = flow("f", "d date").window(windows.tumbling(time="1 week", on="d"), flush=True)
    days = [dt.date(1970, 1, 1), dt.date(1970, 1, 8), dt.date(1970, 1, 7), None]
    assert made(dated.agg(n=agg.count()), pa.table({"d": pa.array(days, pa.date32())})) == [
        (days[0], days[1], 2),
        (days[1], dt.date(1970, 1, 15), 1),
    ]
    near = flow("f", "x float").window(windows.tumbling(delta=0.5, on="x"), flush=True)
    values = pa.array([1.0, 1.5, float("nan"), 1.75, 1.25], pa.float32())
    assert made(near.agg(n=agg.count()), pa.table({"x": values})) == [
        (1.0, 1.5, 2),
        (1.75, 1.25, 2),
    ]


def test_keys_may_be_of_any_plain_type() -> None:
    table = pa.table({"k": pa.array([b"x", None, b"x"]), "b": [True, False, True]})
    every = flow("f", "k binary, b boolean").key_by("b", "k")
    counts = every.window(windows.tumbling(rows=2), flush=True).agg(n=agg.count())
    assert made(counts, table) == [(True, b"x", 0, 2, 2), (False, None, 0, 1, 1)]


def test_explain_says_what_it_does_and_how_it_runs() -> None:
    hour = windows.sliding(time="1 hour", every="20 minutes", on="ts", watermark="0 seconds")
    by_key = flow("f", SCHEMA).key_by("k").window(hour, flush=False).agg(n=agg.count(), name="w")
    assert by_key.operators[0].body == (
        "window sliding(time='1 hour', every='20 minutes', on='ts', watermark='0 seconds') by k, "
        "dropped at the end: n = count()"
    )
    assert "kind     keyed, native" in by_key.explanation()
    assert "w: divided by k into parts" in by_key.explanation()
    over_all = flow("f", SCHEMA).window(hour, flush=True).agg(n=agg.count())
    assert over_all.operators[0].kind == "stateful"
    assert over_all.operators[0].native


@pytest.mark.parametrize(
    ("given", "flush", "aggregates", "problem"),
    [
        (windows.tumbling(rows=2), None, {"n": agg.count()}, "flush=True makes rows of them"),
        (windows.tumbling(rows=2), 1, {"n": agg.count()}, "got flush=1"),
        ("1 hour", True, {"n": agg.count()}, "such as windows.tumbling(rows=100), got '1 hour'"),
        (windows.tumbling(rows=2), True, {}, "name at least one aggregate"),
        (windows.tumbling(rows=2), True, {"n": 3}, "n= must be an aggregate"),
        (windows.tumbling(rows=2), True, {"k": agg.count()}, "'k' would occur twice"),
        (windows.tumbling(rows=2), True, {"window_end": agg.count()}, "would occur twice"),
        (windows.tumbling(rows=2), True, {"n": agg.sum("m")}, "unknown column 'm'"),
        (windows.tumbling(rows=2), True, {"n": agg.sum("k")}, "must be a number"),
        (
            windows.tumbling(time="1 hour", on="ts"),
            False,
            {"n": agg.count()},
            "nothing would ever leave; give it a watermark=, or say flush=True",
        ),
        (windows.tumbling(time="1 hour", on="at"), True, {"n": agg.count()}, "unknown column 'at'"),
        (windows.tumbling(time="1 hour", on="n"), True, {"n": agg.count()}, "must be a timestamp"),
        (windows.tumbling(time="1 hour", on="d"), True, {"n": agg.count()}, "multiple of 1 day"),
        (windows.tumbling(time="20000000 days", on="ts"), True, {"n": agg.count()}, "longer than"),
        (windows.tumbling(delta=1, on="k"), True, {"n": agg.count()}, "must be a whole number, a"),
        (windows.tumbling(delta=0.5, on="n"), True, {"n": agg.count()}, "be a whole number, as"),
        (windows.tumbling(delta=-1, on="n"), True, {"n": agg.count()}, "must be 0 or more"),
        (windows.tumbling(delta=1, on="ts"), True, {"n": agg.count()}, "'10 minutes' or a"),
        (
            windows.session(gap="1 hour", on="ts"),
            True,
            {"n": agg.count("tags")},
            "which cannot be kept between rows; take a plain value out of it",
        ),
    ],
)
def test_what_cannot_be_is_refused_on_the_driver(
    given: Any, flush: Any, aggregates: dict[str, Any], problem: str
) -> None:
    with pytest.raises(FlowError) as error:
        flow("f", SCHEMA).key_by("k").window(given, flush=flush).agg(**aggregates)
    assert str(error.value).startswith("flow 'f', operator 'window_1': ")
    assert problem in str(error.value)


def test_a_late_row_is_an_error_if_that_is_wanted() -> None:
    strict = windows.tumbling(time="10 minutes", on="ts", watermark="0 seconds", late="error")
    counts = flow("f", "k string, ts timestamp_ntz, n long").key_by("k").window(strict, flush=True)
    table = rows(("a", at(1), 1), ("a", at(10), 1), ("b", at(1), 1), ("a", at(9), 1))
    with pytest.raises(OperatorError, match="the row is late: column 'ts'") as error:
        counts.agg(n=agg.count(), name="w").run(table)
    assert (error.value.operator, error.value.row) == ("w", 3)


@pytest.mark.parametrize("of", ["time", "sessions"])
@pytest.mark.parametrize("model", ["manual", "conveyor", "dynamic"])
def test_rows_that_came_too_late_are_counted_and_told(of: str, model: Any) -> None:
    ten = {
        "time": windows.tumbling(time="10 minutes", on="ts", watermark="0 seconds"),
        "sessions": windows.session(gap="2 minutes", on="ts", watermark="3 minutes"),
    }[of]
    by_key = flow("f", "k string, ts timestamp_ntz, n long").key_by("k")
    counts = by_key.window(ten, flush=True).agg(n=agg.count(), name="w")
    late = [("a", at(9), 1), ("b", at(3), 1), ("a", at(1), 1)]
    table = rows(("a", at(10), 1), ("a", at(20), 1), ("b", at(15), 1), ("a", None, 1), *late)
    run = counts.threading(model).run(table, settings={"spark.penstock.tuple.rows": 2})
    assert run.num_rows == 3
    assert run.metrics is not None
    assert run.metrics.operator("w").late == 3
    assert "'w' left out 3 rows that came too late" in str(run.metrics)


def test_a_sum_that_does_not_fit_is_an_error_of_its_row() -> None:
    table = rows(("a", None, 1), ("a", None, 2**63 - 1), ("a", None, 1))
    sums = flow("f", "k string, ts timestamp_ntz, n long").key_by("k")
    with pytest.raises(OperatorError, match="does not fit into 64 bits") as error:
        sums.window(windows.tumbling(rows=9), flush=True).agg(n=agg.sum("n")).run(table)
    assert error.value.row == 1


def test_windows_go_on_from_a_checkpoint() -> None:
    session = windows.session(gap="5 minutes", on="ts", watermark="2 minutes")
    by_key = flow("f", "k string, ts timestamp_ntz, n long").key_by("k")
    sums = by_key.window(session, flush=False).agg(total=agg.sum("n"), name="w")
    table = rows(*(("ab"[i % 2], at(i * i % 23 + i), i) for i in range(40)))
    whole = sums.run(table).to_pylist()
    assert len(whole) > 3
    first = sums.run(table.slice(0, 17), checkpoint=True)
    second = sums.run(table.slice(17), restore=first.states)
    assert first.to_pylist() + second.to_pylist() == whole


def test_values_of_any_plain_type_are_kept_in_windows_and_in_checkpoints() -> None:
    by_key = flow("f", "k string, s string, n long").key_by("k")
    made = by_key.window(windows.tumbling(rows=3), flush=False).agg(
        first=agg.first("s"),
        last=agg.last("s"),
        most=agg.max("s"),
        var=agg.var("n"),
        different=agg.approx_distinct("s"),
        name="w",
    )
    table = pa.table(
        {"k": ["a"] * 6, "s": [None, "x", "a longer one than fits", "b", None, "b"], "n": range(6)}
    )
    wanted = [
        ("x", "a longer one than fits", "x", 1.0, 2),
        ("b", "b", "b", 1.0, 1),
    ]
    first = made.run(table.slice(0, 2), checkpoint=True)
    second = made.run(table.slice(2), restore=first.states)
    for rows in (made.run(table).to_pylist(), first.to_pylist() + second.to_pylist()):
        assert [tuple(row.values())[3:] for row in rows] == wanted
    assert not made.schema.field("different").nullable


def test_what_is_remembered_is_limited() -> None:
    counts = flow("f", "k string, ts timestamp_ntz, n long").key_by("k")
    pairs = counts.window(windows.tumbling(rows=2), flush=True).agg(n=agg.count())
    table = rows(*((str(i), None, i) for i in range(5000)))
    with pytest.raises(OperatorError, match="raise it, spread the keys"):
        pairs.run(table, settings={"spark.penstock.state.maxBytes": 2**16})
