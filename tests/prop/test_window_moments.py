"""Variances of windows on random rows: those of DuckDB, but for what rounding makes of a sum."""

from __future__ import annotations

import math

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import given
from hypothesis import strategies as st
from tests.prop.test_windows import LIMITS, SECONDS, rows_of, tables, threaded
from tests.prop.window_oracles import Lengths, rows_in_sql, time_in_sql

from penstock import agg, flow, windows

SPREADS = "var_samp(v), stddev_samp(v), avg(v)::DOUBLE"
AGGREGATES = {"var": agg.var("v"), "stddev": agg.stddev("v"), "mean": agg.mean("v")}
NEAR = 1e-6


@LIMITS
@given(tables(), st.integers(1, 12), st.booleans(), st.booleans(), st.data())
def test_tumbling_windows_vary_as_in_sql(
    table: pa.Table, size: int, of_time: bool, whole: bool, data: st.DataObject
) -> None:
    if not whole:  # sums of tenths are rounded, in another way in another order
        table = table.set_column(2, "v", pc.multiply(table["v"], pa.scalar(0.1)))
    types = [("k", pa.string()), ("t", SECONDS if of_time else pa.int64())]
    given_rows = flow("f", pa.schema([*types, table.schema.field("v")]))
    by = windows.tumbling(rows=size)
    if of_time:
        by = windows.tumbling(time=f"{size} s", on="t", watermark="1 hour")
    made = given_rows.key_by("k").window(by, flush=True).agg(**AGGREGATES, name="w")
    made, chosen = threaded(data, made)
    found = rows_of(made.run(table.cast(made.input_schema), settings=chosen).table)
    oracle = time_in_sql if of_time else rows_in_sql
    right = oracle(table, Lengths(size, size), SPREADS)
    assert [row[:3] for row in found] == [row[:3] for row in right]
    for ours, theirs in zip(found, right, strict=True):
        for value, wanted in zip(ours[3:], theirs[3:], strict=True):
            if value is None or wanted is None:
                assert value is wanted
            else:
                assert math.isclose(value, wanted, rel_tol=NEAR, abs_tol=NEAR)
