"""Unions on random rows, tuples and threads, and what joins and patterns know on its way elsewhere."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import given
from hypothesis import strategies as st
from tests.prop.two_sides import LEFT, RIGHT, SCHEMA, START, Row, often, rows, run

from penstock import Elastic, Flow


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
