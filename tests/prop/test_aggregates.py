"""Running aggregates on random rows, tuples, threads and channels: what DuckDB's windows say."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import duckdb
import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.prop.comparison import EXAMPLES
from tests.prop.library_runs import RUNS, Run, in_two_runs, on_changing_channels, referred

from penstock import Flow, agg, flow

SCHEMA = flow(
    "f", "k string, s string, x long, f double, d decimal(20,2), b boolean, n long"
).input_schema
ROWS = st.lists(
    st.tuples(
        st.sampled_from([None, "", "a", "b"]),
        st.sampled_from([None, "", "b", "ba", "é", "longer than fits into a small string"]),
        st.none() | st.integers(-1000, 1000) | st.integers(-2, 2),
        st.none() | st.sampled_from([0.1, -0.3, 2.5, 1e6]) | st.floats(-1e6, 1e6),
        st.sampled_from([None, Decimal("1.50"), Decimal("-3.25")]),
        st.sampled_from([None, True, False]),
    ),
    max_size=60,
)
MADE = {
    "rows": agg.count(),
    "count": agg.count("x"),
    "sum": agg.sum("x"),
    "min": agg.min("x"),
    "max": agg.max("x"),
    "mean": agg.mean("x"),
    "sum_f": agg.sum("f"),
    "min_f": agg.min("f"),
    "max_f": agg.max("f"),
    "mean_f": agg.mean("f"),
    "var": agg.var("x"),
    "stddev": agg.stddev("x"),
    "first_s": agg.first("s"),
    "last_s": agg.last("s"),
    "min_s": agg.min("s"),
    "max_s": agg.max("s"),
    "first_d": agg.first("d"),
    "last_b": agg.last("b"),
    "different": agg.approx_distinct("s"),
}
NEAR = 1e-7
WANTED = """
    select count(*) over w, count(x) over w, cast(sum(x) over w as bigint), min(x) over w, max(x) over w,
           avg(x) over w, sum(f) over w, min(f) over w, max(f) over w, avg(f) over w,
           var_samp(x) over w, stddev_samp(x) over w,
           first_value(s ignore nulls) over w, last_value(s ignore nulls) over w,
           min(s) over w, max(s) over w,
           first_value(d ignore nulls) over w, last_value(b ignore nulls) over w,
           count(distinct s) over w
    from rows
    window w as (partition by k order by n rows between unbounded preceding and current row)
    order by n
"""


def added(rows: Flow) -> Flow:
    return rows.key_by("k").running(name="running", **MADE)


def check(made: list[dict[str, Any]], wanted: list[tuple[Any, ...]]) -> None:
    assert len(made) == len(wanted)
    for number, (row, right) in enumerate(zip(made, wanted, strict=True)):
        assert row["n"] == number
        for name, value in zip(MADE, right, strict=True):
            if isinstance(value, float):
                # Sums of doubles depend on the order in which they are added up.
                exact = name in ("min_f", "max_f")
                near = 0.0 if exact else NEAR
                assert math.isclose(row[name], value, rel_tol=near, abs_tol=near), name
            else:
                assert row[name] == value, name


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(ROWS, RUNS, st.integers(0, 60))
def test_aggregates_are_those_of_a_window_up_to_the_row(
    rows: list[Any], run: Run, cut: int
) -> None:
    columns = zip(*((*row, n) for n, row in enumerate(rows)), strict=True) if rows else [[]] * 7
    table = pa.table(
        [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)],
        schema=SCHEMA,
    )
    with duckdb.connect() as connection:
        connection.register("rows", table)
        wanted = connection.execute(WANTED).fetchall()
    made = added(flow("f", SCHEMA))
    check(run.of(made, table).to_pylist(), wanted)
    check(referred(made, table).to_pylist(), wanted)
    check(in_two_runs(made, table, cut), wanted)
    check(on_changing_channels(SCHEMA, added, table, run).to_pylist(), wanted)
