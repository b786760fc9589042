"""Lists and lines on random rows, tuples, threads and channels: what DuckDB and `re` make of them."""

from __future__ import annotations

import re
from typing import Any

import duckdb
import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.prop.comparison import EXAMPLES
from tests.prop.library_runs import RUNS, Run, on_changing_channels, referred

from penstock import Flow, flow

SCHEMA = flow("f", "k long, tags array<string>, line string, n long").input_schema
WORDS = st.text("ab=;", max_size=4)
ROWS = st.lists(
    st.tuples(
        st.sampled_from([None, 0, 1, 2]),
        st.none() | st.lists(st.none() | WORDS, max_size=4),
        st.none() | st.lists(WORDS, max_size=4).map(lambda words: f"{'='.join(words)};"),
    ),
    max_size=40,
)
RUN_OPTIONS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def table_of(rows: list[tuple[Any, ...]]) -> pa.Table:
    columns = zip(*((*row, n) for n, row in enumerate(rows)), strict=True) if rows else [[]] * 4
    return pa.table(
        [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)],
        schema=SCHEMA,
    )


def check(
    add: Any, names: list[str], wanted: list[tuple[Any, ...]], table: pa.Table, run: Run
) -> None:
    plain = add(flow("f", SCHEMA))
    for made in (
        run.of(plain, table),
        referred(plain, table),
        on_changing_channels(SCHEMA, add, table, run),
    ):
        columns = [made.column(name).to_pylist() for name in names]
        assert list(zip(*columns, strict=True)) == wanted


@RUN_OPTIONS
@given(ROWS, RUNS, st.booleans())
def test_each_item_makes_a_row(rows: list[Any], run: Run, outer: bool) -> None:
    table = table_of(rows)
    items = "case when coalesce(len(tags), 0) = 0 then [null] else tags end" if outer else "tags"
    with duckdb.connect() as connection:
        connection.register("rows", table)
        wanted = connection.execute(
            f"select n, tag from (select n, unnest({items}) tag, "
            f"generate_subscripts({items}, 1) place from rows) order by n, place"
        ).fetchall()

    def add(start: Flow) -> Flow:
        return start.explode("tags", into="tag", outer=outer)

    check(add, ["n", "tag"], wanted, table, run)


@RUN_OPTIONS
@given(ROWS, RUNS, st.booleans())
def test_a_line_is_cut_at_the_first_place_that_fits(rows: list[Any], run: Run, drop: bool) -> None:
    table = table_of(rows)
    wanted: list[tuple[Any, ...]] = []
    for n, line in enumerate(table["line"].to_pylist()):
        # What a field goes up to is not in it, so nothing is to be tried again.
        found = None if line is None else re.fullmatch(r"((?:(?!=a).)*)=a((?:(?!=).)*)=(.*);", line)
        if found:
            wanted.append((n, found[1], found[3]))
        elif not drop:
            wanted.append((n, None, None))

    def add(start: Flow) -> Flow:
        return start.parse("line", "{x}=a{}={y};", on_mismatch="drop" if drop else "null")

    check(add, ["n", "x", "y"], wanted, table, run)
