"""Operators that keep rows, on random rows, tuples, threads and channels: what others make of them.

The oracles are DuckDB, which knows nothing of order but the column `n`, and loops over rows.
"""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.prop.comparison import EXAMPLES
from tests.prop.library_runs import RUNS, Run, in_two_runs, on_changing_channels, referred

from penstock import Flow, flow

SCHEMA = flow("f", "k string, j long, x double, t timestamp, good boolean, n long").input_schema
MINUTE = 60_000_000

ROWS = st.lists(
    st.tuples(
        st.sampled_from([None, "", "a", "b", "a longer one than fits"]),
        st.sampled_from([None, 0, 1, -5]),
        st.sampled_from([None, 0.0, -0.0, 1.5, -2.5, float("inf")]),
        st.none() | st.integers(-5, 5).map(lambda minutes: minutes * MINUTE),
        st.sampled_from([True, True, True, False, None]),
    ),
    max_size=60,
)
RUN_OPTIONS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def table_of(rows: list[tuple[Any, ...]]) -> pa.Table:
    columns = zip(*((*row, n) for n, row in enumerate(rows)), strict=True) if rows else [[]] * 6
    return pa.table(
        [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)],
        schema=SCHEMA,
    )


def numbers(query: str, table: pa.Table) -> list[int]:
    """The column `n` of what DuckDB finds in the table `rows`."""
    with duckdb.connect() as connection:
        connection.register("rows", table)
        return [row[0] for row in connection.execute(query).fetchall()]


def first_per_key(table: pa.Table, keys: str, count: int) -> list[int]:
    return numbers(
        f"select n from rows qualify row_number() over (partition by {keys} order by n) <= {count} "
        "order by n",
        table,
    )


@RUN_OPTIONS
@given(ROWS, RUNS, st.integers(0, 60))
def test_the_first_rows_of_each_key_stay(rows: list[Any], run: Run, cut: int) -> None:
    table = table_of(rows)
    start = flow("f", SCHEMA)
    assert run.of(start.dedup("k", "j"), table)["n"].to_pylist() == first_per_key(table, "k, j", 1)
    three = start.key_by("k").take(3, name="three")
    wanted = first_per_key(table, "k", 3)
    assert run.of(three, table)["n"].to_pylist() == wanted
    assert run.of(start.take(3), table)["n"].to_pylist() == list(range(len(rows)))[:3]
    assert [row["n"] for row in in_two_runs(three, table, cut)] == wanted
    assert referred(three, table)["n"].to_pylist() == wanted
    made = on_changing_channels(SCHEMA, lambda rows: rows.key_by("k").take(3), table, run)
    assert made["n"].to_pylist() == wanted
    made = on_changing_channels(SCHEMA, lambda rows: rows.key_by("k").dedup(), table, run)
    assert made["n"].to_pylist() == first_per_key(table, "k", 1)


def kept_within(table: pa.Table, minutes: int) -> list[int]:
    """Rows that are the first of their key, or so much later than the last one that stayed."""
    kept: list[int] = []
    by_n = {row["n"]: row for row in table.to_pylist()}
    for n, row in by_n.items():
        same = [m for m in kept if by_n[m]["k"] == row["k"] and by_n[m]["t"] is not None]
        late = not same or row["t"] is None
        if late or (row["t"] - by_n[same[-1]]["t"]).total_seconds() >= minutes * 60:
            kept.append(n)
    return kept


@RUN_OPTIONS
@given(ROWS, RUNS, st.integers(0, 60), st.integers(1, 4))
def test_duplicates_count_for_some_time_only(
    rows: list[Any], run: Run, cut: int, minutes: int
) -> None:
    table = table_of(rows)

    def near(start: Flow) -> Flow:
        return start.key_by("k").dedup(within=f"{minutes} minutes", on="t", name="near")

    wanted = kept_within(table, minutes)
    assert run.of(near(flow("f", SCHEMA)), table)["n"].to_pylist() == wanted
    assert referred(near(flow("f", SCHEMA)), table)["n"].to_pylist() == wanted
    assert [row["n"] for row in in_two_runs(near(flow("f", SCHEMA)), table, cut)] == wanted
    assert on_changing_channels(SCHEMA, near, table, run)["n"].to_pylist() == wanted


@RUN_OPTIONS
@given(ROWS, RUNS, st.integers(0, 60))
def test_rows_stay_until_a_condition_ends(rows: list[Any], run: Run, cut: int) -> None:
    table = table_of(rows)

    def good(start: Flow) -> Flow:
        return start.key_by("k").take_while("good", name="good")

    wanted = numbers(
        "select n from rows qualify coalesce(bool_and(coalesce(good, false)) over "
        "(partition by k order by n), false) order by n",
        table,
    )
    assert run.of(good(flow("f", SCHEMA)), table)["n"].to_pylist() == wanted
    assert referred(good(flow("f", SCHEMA)), table)["n"].to_pylist() == wanted
    assert [row["n"] for row in in_two_runs(good(flow("f", SCHEMA)), table, cut)] == wanted
    assert on_changing_channels(SCHEMA, good, table, run)["n"].to_pylist() == wanted


@RUN_OPTIONS
@given(ROWS, RUNS, st.integers(1, 5), st.booleans(), st.booleans())
def test_the_best_rows_leave_at_the_end(
    rows: list[Any], run: Run, most: int, largest: bool, later: bool
) -> None:
    table = table_of(rows)
    words = {True: "desc", False: "asc"}
    order = f"x {words[largest]} nulls last, j {words[later]} nulls last, n"

    def best(start: Flow) -> Flow:
        return start.key_by("k").top_k(most, by=("x", "j"), descending=(largest, later))

    wanted = numbers(
        f"select n from rows qualify row_number() over (partition by k order by {order}) <= {most} "
        f"order by k nulls first, {order}",
        table,
    )
    assert run.of(best(flow("f", SCHEMA)), table)["n"].to_pylist() == wanted
    assert referred(best(flow("f", SCHEMA)), table)["n"].to_pylist() == wanted
    assert on_changing_channels(SCHEMA, best, table, run)["n"].to_pylist() == wanted
    everywhere = flow("f", SCHEMA).top_k(most, by=["x", "j"], descending=[largest, later])
    wanted = numbers(f"select n from rows order by {order} limit {most}", table)
    assert run.of(everywhere, table)["n"].to_pylist() == wanted
    assert referred(everywhere, table)["n"].to_pylist() == wanted
