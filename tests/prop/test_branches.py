"""Unions, joins and patterns on random rows, tuples and threads, against what others make of them.

The oracles share nothing with the package: DuckDB for equi-joins, pandas for as-of joins, a sort for
unions and a search through all subsets of rows for patterns.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.prop.comparison import EXAMPLES

from penstock import Elastic, Flow, flow

START = flow("f", "side long, k string, ts long, v long")
SCHEMA = START.input_schema
LEFT = START.filter(pc.field("side") == 0).select("k", "ts", l=pc.field("v"))
RIGHT = START.filter(pc.field("side") == 1).select("k", "ts", r=pc.field("v"))
LONG = "long enough to lie elsewhere"

Row = dict[str, Any]
WAYS = st.sampled_from(
    [("manual", None), ("conveyor", 2), ("dynamic", 2), ("dedicated", None)],
)
often = settings(
    max_examples=EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)


@st.composite
def rows(draw: st.DrawFn, *, ascending: bool = False, nulls: bool = True) -> list[Row]:
    """Rows of both sides; times come again, and ascend if they must."""
    key = st.sampled_from(["a", "b", "", LONG, *([None] if nulls else [])])
    time = st.integers(0, 12) if not nulls else st.none() | st.integers(0, 12)
    made = draw(st.lists(st.tuples(st.integers(0, 1), key, time), max_size=40))
    if ascending:
        made.sort(key=lambda row: (row[2] is not None, row[2] or 0, -row[0]))
    return [dict(side=s, k=k, ts=ts, v=v) for v, (s, k, ts) in enumerate(made)]  # noqa: C408


def run(made: Flow, given_rows: list[Row], data: st.DataObject) -> list[tuple[Any, ...]]:
    """Run a flow in some way: the result must not depend on it."""
    model, threads = data.draw(WAYS)
    if model != "manual":
        made = made.threading(model, threads=threads)  # type: ignore[arg-type]
    chosen = {
        "spark.penstock.tuple.rows": data.draw(st.integers(1, 17)),
        "spark.penstock.keyed.parts": data.draw(st.integers(1, 4)),
    }
    table = pa.Table.from_pylist(given_rows, made.input_schema)
    return [tuple(row.values()) for row in made.run(table, settings=chosen).to_pylist()]


@often
@given(rows(), st.data())
def test_a_union_is_the_input_row_by_row(given_rows: list[Row], data: st.DataObject) -> None:
    odd, even = START.select("v").split(pc.bit_wise_and(pc.field("v"), 1) == 1)
    made = run(odd.union(even, odd.with_column("v", pc.negate(pc.field("v")))), given_rows, data)
    right = [
        (n,) for row in given_rows for n in ([row["v"], -row["v"]] if row["v"] % 2 else [row["v"]])
    ]
    assert made == right


@often
@given(rows(ascending=True), st.data())
def test_an_ordered_union_is_sorted_and_complete(
    given_rows: list[Row], data: st.DataObject
) -> None:
    late = data.draw(st.integers(0, 5))
    shift = pc.if_else(pc.field("side") == 0, pc.field("ts"), pc.field("ts") + late)
    start = START.with_column("ts", shift).select("side", "ts", "v")
    one, other = start.split(pc.field("side") == 0)
    made = run(one.union(other, order_by="ts"), given_rows, data)

    def order(row: tuple[Any, ...]) -> tuple[bool, int]:
        return row[1] is not None, row[1] or 0

    assert [order(row) for row in made] == sorted(order(row) for row in made)
    right = [
        (r["side"], None if r["ts"] is None else r["ts"] + late * r["side"], r["v"])
        for r in given_rows
    ]
    assert Counter(made) == Counter(right), "nothing lost, nothing doubled"
    for side in (0, 1):
        assert [row[2] for row in made if row[0] == side] == [r[2] for r in right if r[0] == side]


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
@given(rows(ascending=True, nulls=False), st.none() | st.integers(0, 8), st.booleans(), st.data())
def test_as_of_joins_equal_pandas(
    given_rows: list[Row], tolerance: int | None, keyed: bool, data: st.DataObject
) -> None:
    by: Any = {"by": "k"} if keyed else {}
    right_side = RIGHT if keyed else RIGHT.select("ts", "r")
    made = run(LEFT.join_asof(right_side, on="ts", tolerance=tolerance, **by), given_rows, data)
    frame = pa.Table.from_pylist(given_rows, SCHEMA).to_pandas()
    left = frame[frame.side == 0][["k", "ts", "v"]].rename(columns={"v": "l"})
    other = frame[frame.side == 1][["k", "ts", "v"]].rename(columns={"v": "r"})
    merged = pd.merge_asof(left, other, on="ts", tolerance=tolerance, **by)
    right = [
        (row_l, None if pd.isna(row_r) else int(row_r))
        for row_l, row_r in zip(merged.l, merged.r, strict=True)
    ]
    assert [(row[2], row[-1]) for row in made] == right


@often
@given(st.data())
def test_patterns_equal_a_search_through_all_subsets(data: st.DataObject) -> None:
    steps = data.draw(
        st.lists(
            st.tuples(
                st.sampled_from("abc"),
                st.sampled_from([(1, 1), (2, 2), (1, 2), (2, 3), (1, 99), (2, 99)]),
                st.booleans(),
            ),
            min_size=1,
            max_size=3,
        )
    )
    words = data.draw(st.lists(st.sampled_from(["a", "b", "c", "ab", "ac", "", "x"]), max_size=11))
    keys = [data.draw(st.integers(0, 1)) for _ in words]
    gaps = [data.draw(st.integers(0, 3)) for _ in words]
    times = list(itertools.accumulate(gaps))
    within = data.draw(st.none() | st.integers(0, 12))
    text = " ".join(
        ("" if place == 0 else "next " if strict else "then ")
        + f"{name}{{{least},{'' if most == 99 else most}}}"
        for place, (name, (least, most), strict) in enumerate(steps)
    )
    named = {n: pc.match_substring(pc.field("k"), n) for n, _, _ in steps}
    made = run(
        START.key_by("side").pattern(text, on="ts", within=within, **named),
        [
            {"side": key, "k": word, "ts": ts, "v": 0}
            for key, word, ts in zip(keys, words, times, strict=True)
        ],
        data,
    )
    right = []
    for key in (0, 1):
        own = [(ts, w) for ts, w, k in zip(times, words, keys, strict=True) if k == key]
        right += [(key, *match) for match in _search(steps, own, within)]
    assert Counter(made) == Counter(right)


def _search(steps: Any, rows: list[tuple[int, str]], within: int | None) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    begin = 0
    for last in range(len(rows)):
        for first in range(begin, last + 1):
            span = rows[last][0] - rows[first][0]
            if (within is None or span <= within) and _some_subset(steps, rows[first : last + 1]):
                found.append((rows[first][0], rows[last][0], last - first + 1))
                begin = last + 1
                break
    return found


def _some_subset(steps: Any, rows: list[tuple[int, str]]) -> bool:
    inner = range(1, len(rows) - 1)
    for count in range(len(inner) + 1):
        for chosen in itertools.combinations(inner, count):
            taken = [0, *chosen, len(rows) - 1] if len(rows) > 1 else [0]
            if _fits(steps, [rows[place][1] for place in taken], taken):
                return True
    return False


def _fits(steps: Any, words: list[str], places: list[int]) -> bool:
    """Whether the rows taken are one step after the other, each as often as it may be."""
    if not steps:
        return not words
    name, (least, most), _ = steps[0]
    for count in range(least, min(most, len(words)) + 1):
        if not all(name in word for word in words[:count]):
            return False
        strict = len(steps) > 1 and steps[1][2]
        if strict and (count == len(places) or places[count] != places[count - 1] + 1):
            continue
        if _fits(steps[1:], words[count:], places[count:]):
            return True
    return False


@often
@given(rows(ascending=True), st.data())
def test_a_checkpoint_in_the_middle_changes_nothing(
    given_rows: list[Row], data: st.DataObject
) -> None:
    word = pc.match_substring(pc.field("k"), "a")
    flows = [
        LEFT.join(RIGHT, on="k", within=4, on_time="ts"),
        LEFT.join_asof(RIGHT, on="ts", by="k"),
        START.key_by("side").pattern("a{2} then b", on="ts", within=6, a=word, b=pc.field("v") > 3),
    ]
    middle = data.draw(st.integers(0, len(given_rows)))
    for made in flows:
        parts = [
            pa.Table.from_pylist(part, SCHEMA)
            for part in (given_rows, given_rows[:middle], given_rows[middle:])
        ]
        whole = made.run(parts[0]).to_pylist()
        first = made.run(parts[1], checkpoint=True)
        second = made.run(parts[2], restore=first.states)
        assert first.to_pylist() + second.to_pylist() == whole


@often
@given(rows(ascending=True), st.sampled_from(["conveyor", "dynamic"]), st.data())
def test_joins_and_patterns_survive_any_number_of_channels(
    given_rows: list[Row], model: Any, data: st.DataObject
) -> None:
    """A region of its own around the keyed operator, whose state moves with its keys."""
    word = pc.match_substring(pc.field("k"), "a")

    def body(part: Flow) -> Flow:
        return part.key_by("side").pattern(
            "a{2,} then b", on="ts", within=6, a=word, b=pc.field("v") > 3
        )

    plain = body(START)
    region = START.parallel(body, by="side", channels=Elastic(1, 4)).threading(model, threads=2)
    chosen = {"spark.penstock.tuple.rows": data.draw(st.integers(1, 17))}
    table = pa.Table.from_pylist(given_rows, SCHEMA)
    assert region.run(table, settings=chosen).to_pylist() == plain.run(table).to_pylist()
