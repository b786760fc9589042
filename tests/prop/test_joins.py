"""Joins on random rows, tuples and threads: what DuckDB, pandas and a loop make of them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from tests.prop.two_sides import LEFT, RIGHT, SCHEMA, Row, often, rows, run


@often
@given(
    rows(ascending=True),
    st.sampled_from(["inner", "left"]),
    st.none() | st.integers(0, 8),
    st.data(),
)
def test_joins_equal_duckdb(
    given_rows: list[Row], how: Any, within: int | None, data: st.DataObject
) -> None:
    near: Any = {} if within is None else {"within": within, "on_time": "ts"}
    made = run(LEFT.join(RIGHT, on="k", how=how, **near), given_rows, data)
    table = pa.Table.from_pylist(given_rows, SCHEMA)
    condition = "" if within is None else f"AND abs(l.ts - r.ts) <= {within}"
    right = _duckdb(table, how, condition)
    assert Counter(made) == Counter(right)
    pairs = [(row[2], row[4]) for row in made if row[4] is not None]
    assert [max(pair) for pair in pairs] == sorted(max(pair) for pair in pairs), "by arrival"


def _duckdb(table: pa.Table, how: str, condition: str) -> list[tuple[Any, ...]]:
    connection = duckdb.connect()
    connection.register("given_rows", table)
    return connection.execute(
        f"""SELECT l.k, l.ts, l.v, r.ts, r.v FROM (SELECT * FROM given_rows WHERE side = 0) l
            {how} JOIN (SELECT * FROM given_rows WHERE side = 1) r ON l.k = r.k {condition}"""
    ).fetchall()


@often
@given(rows(), st.sampled_from(["inner", "left"]), st.none() | st.integers(0, 8), st.data())
def test_joins_of_any_order_equal_a_loop_over_rows(
    given_rows: list[Row], how: Any, within: int | None, data: st.DataObject
) -> None:
    near: Any = {} if within is None else {"within": within, "on_time": "ts"}
    made = run(LEFT.join(RIGHT, on="k", how=how, **near), given_rows, data)
    pairs = _joined(given_rows, within)
    right = [pair for pair in pairs if how == "left" or pair[1] is not None]
    assert [(row[2], row[4]) for row in made] == right


def _joined(given_rows: list[Row], within: int | None) -> list[tuple[int, int | None]]:
    """A left join, row by row: (l, r) in the order in which they leave."""
    made: list[tuple[int, int | None]] = []
    kept: list[Row] = []  # in the order of time, then of arrival

    def leave(gone: list[Row]) -> None:
        made.extend((row["v"], None) for row in gone if row["side"] == 0 and not row["met"])

    for given_row in given_rows:
        row = given_row | {"met": False, "at": 0 if within is None else given_row["ts"]}
        if row["k"] is None or row["at"] is None:
            leave([row])
            continue
        times = [one["ts"] for one in given_rows[: row["v"] + 1] if one["k"] == row["k"]]
        first = -1 if within is None else max(ts for ts in times if ts is not None) - within
        old = [one for one in kept if one["k"] == row["k"] and one["at"] < first]
        leave(old)
        kept = [one for one in kept if one not in old]
        for other in kept:
            near = within is None or abs(other["at"] - row["at"]) <= within
            if other["k"] == row["k"] and other["side"] != row["side"] and near:
                other["met"] = row["met"] = True
                pair = (row, other) if row["side"] == 0 else (other, row)
                made.append((pair[0]["v"], pair[1]["v"]))
        if row["at"] < first:
            leave([row])
        else:
            kept = sorted([*kept, row], key=lambda one: (one["at"], one["v"]))
    leave(sorted(kept, key=lambda one: one["k"]))
    return made


@often
@given(rows(scattered=True), st.none() | st.integers(0, 8), st.booleans(), st.data())
def test_as_of_joins_equal_pandas(
    given_rows: list[Row], tolerance: int | None, keyed: bool, data: st.DataObject
) -> None:
    by: Any = {"by": "k"} if keyed else {}
    right_side = RIGHT if keyed else RIGHT.select("ts", "r")
    made = run(LEFT.join_asof(right_side, on="ts", tolerance=tolerance, **by), given_rows, data)
    # pandas takes no null for a time, and null for a key that equals null: such rows meet none.
    known = [r for r in given_rows if r["ts"] is not None and not (keyed and r["k"] is None)]
    frame = pa.Table.from_pylist(known, SCHEMA).to_pandas()
    left = frame[frame.side == 0][["k", "ts", "v"]].rename(columns={"v": "l"})
    other = frame[frame.side == 1][["k", "ts", "v"]].rename(columns={"v": "r"})
    merged = pd.merge_asof(left, other, on="ts", tolerance=tolerance, **by)
    found = {
        row_l: None if pd.isna(row_r) else int(row_r)
        for row_l, row_r in zip(merged.l, merged.r, strict=True)
    }
    assert len(found) == len(left)
    right = [(row["v"], found.get(row["v"])) for row in given_rows if row["side"] == 0]
    assert [(row[2], row[-1]) for row in made] == right
