"""Equi-joins of two branches: behaviour, errors, memory."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import Flow, FlowError, OperatorError, agg, flow

START = flow("f", "side string, k string, ts long, v long")
LEFT = START.filter(pc.field("side") == "l").select("k", "ts", l=pc.field("v"))
RIGHT = START.filter(pc.field("side") == "r").select("k", "ts", r=pc.field("v"))
SCHEMA = START.input_schema

Row = tuple[str, str | None, int | None, int]


def table(*given: Row) -> pa.Table:
    return pa.Table.from_pylist(
        [dict(zip(SCHEMA.names, row, strict=True)) for row in given], SCHEMA
    )


def pairs(made: Flow, *given: Row, **more: Any) -> list[tuple[Any, Any]]:
    return [(row["l"], row["r"]) for row in made.run(table(*given), **more).to_pylist()]


GIVEN: tuple[Row, ...] = (
    ("l", "a", 1, 1),
    ("r", "b", 2, 2),
    ("r", "a", 3, 3),
    ("l", "a", 4, 4),
    ("l", None, 5, 5),
    ("r", None, 6, 6),
    ("r", "a", 20, 7),
    ("l", "c", 21, 8),
)


@pytest.mark.parametrize("rows", [1, 3, 1024])
def test_a_row_meets_all_of_the_other_side_that_came_before(rows: int) -> None:
    chosen = {"spark.penstock.tuple.rows": rows}
    made = pairs(LEFT.join(RIGHT, on="k"), *GIVEN, settings=chosen)
    assert made == [(1, 3), (4, 3), (1, 7), (4, 7)]


def test_left_rows_without_a_match_leave_at_the_end_by_key() -> None:
    given = (("l", "z", 1, 1), ("l", "y", 1, 2), ("l", "x", 1, 3), ("r", "y", 1, 4))
    assert pairs(LEFT.join(RIGHT, on="k", how="left"), *given) == [(2, 4), (3, None), (1, None)]


def test_null_equals_nothing() -> None:
    given = (("l", None, 1, 1), ("r", None, 1, 2), ("l", "a", 1, 3))
    assert pairs(LEFT.join(RIGHT, on="k"), *given) == []
    assert pairs(LEFT.join(RIGHT, on="k", how="left"), *given) == [(1, None), (3, None)]


def test_rows_that_are_too_far_apart_do_not_meet_and_are_forgotten() -> None:
    near = LEFT.join(RIGHT, on="k", how="left", within=10, on_time="ts", name="near")
    made = near.run(table(*GIVEN, ("l", "a", 31, 9), ("l", "a", None, 10)), checkpoint=True)
    assert [(row["l"], row["r"]) for row in made.to_pylist()] == [
        (1, 3),
        (4, 3),
        (5, None),
        (10, None),
        (9, None),
        (8, None),
    ]


def test_a_left_row_leaves_as_soon_as_it_is_forgotten() -> None:
    near = LEFT.join(RIGHT, on="k", how="left", within=10, on_time="ts")
    given = (("l", "a", 1, 1), ("r", "a", 20, 2), ("l", "a", 20, 3))
    assert pairs(near, *given) == [(1, None), (3, 2)]


def test_memory_is_limited_and_within_bounds_it() -> None:
    rows = [("l", "a", n, n) for n in range(1000)]
    few = {"spark.penstock.state.maxBytes": "16kB", "spark.penstock.tuple.rows": 10}
    small = [("l", "once", 0, 0), ("r", "twice", 0, 0), ("r", "twice", 0, 0)]
    with pytest.raises(OperatorError, match=r"spark\.penstock\.state\.maxBytes") as caught:
        pairs(LEFT.join(RIGHT, on="k"), *small, *rows, settings=few)
    assert "here of 3 keys, the largest k = 'a' (" in str(caught.value)
    assert pairs(LEFT.join(RIGHT, on="k", within=5, on_time="ts"), *rows, settings=few) == []


def test_a_run_goes_on_where_another_one_ended() -> None:
    joined = LEFT.join(RIGHT, on="k", name="joined")
    first = joined.run(table(*GIVEN[:3]), checkpoint=True)
    assert list(first.states) == ["joined"]
    assert pairs(joined, *GIVEN[3:], restore=first.states) == [(4, 3), (1, 7), (4, 7)]


def test_rows_that_are_too_late_are_so_in_the_next_run_as_well() -> None:
    near = LEFT.join(RIGHT, on="k", within=10, on_time="ts", name="near")
    first = near.run(table(("r", "a", 100, 1)), checkpoint=True)
    assert pairs(near, ("l", "a", 50, 2), ("r", "a", 55, 3), restore=first.states) == []


def test_columns_of_the_right_that_are_taken_get_a_suffix() -> None:
    assert LEFT.join(RIGHT, on="k").schema.names == ["k", "ts", "l", "ts_right", "r"]
    assert LEFT.join(RIGHT, on=("k", "ts"), suffix="2").schema.names == ["k", "ts", "l", "r"]


def test_an_operator_of_the_same_key_behind_it_shares_its_channels() -> None:
    counted = LEFT.join(RIGHT, on="k").key_by("k").running(n=agg.count())
    assert "join_5, running_9: divided by k into parts together" in counted.explanation()
    threaded = counted.threading("conveyor", threads=2)
    assert threaded.run(table(*GIVEN)).table["n"].to_pylist() == [1, 2, 3, 4]


def test_joins_of_joins_work() -> None:
    once = LEFT.join(RIGHT, on="k").select("k", "l", "r")
    twice = once.join(RIGHT.select("k", again=pc.field("r")), on="k")
    assert twice.schema.names == ["k", "l", "r", "again"]
    made = twice.run(table(("l", "a", 1, 1), ("r", "a", 1, 2), ("r", "a", 1, 3))).to_pylist()
    # Of one input row the first branch comes first: what was joined, then the row on the right.
    assert [(row["r"], row["again"]) for row in made] == [(2, 2), (3, 2), (2, 3), (3, 3)]


def test_the_reference_is_what_runs() -> None:
    joined = LEFT.join(RIGHT, on="k", how="left", within=2, on_time="ts")
    given = (*GIVEN, ("r", "a", 2, 9), ("l", "a", 19, 10), ("l", "a", 3, 11))
    tagged = joined.operators[-2].process(table(*given).to_batches()[0])
    assert tagged is not None
    reference = joined.operators[-1].process(tagged)
    assert reference is not None
    assert [(row["l"], row["r"]) for row in reference.to_pylist()] == pairs(joined, *given)


REFUSED: list[tuple[Any, str]] = [
    (lambda: LEFT.join(RIGHT, on="q"), "on the left: unknown"),
    (lambda: LEFT.join(RIGHT.select("r"), on="k"), "on the right: unknown"),
    (lambda: LEFT.join(RIGHT, on="k", how="full"), "how='full' is not possible"),  # type: ignore[arg-type]
    (lambda: LEFT.join(RIGHT, on="k", within=1), "within= and on_time= belong together"),
    (lambda: LEFT.join(RIGHT, on="k", on_time="ts"), "within= and on_time= belong together"),
    (lambda: LEFT.join(RIGHT, on="k", within=-1, on_time="ts"), "within=-1 must be a whole number"),
    (lambda: LEFT.join(RIGHT, on="k", within="1 s", on_time="ts"), "must be a whole number"),
    (lambda: LEFT.join(RIGHT, on="k", within=1, on_time="k"), "a timestamp, a date or a whole"),
    (
        lambda: LEFT.join(RIGHT.with_column("k", pc.field("r")), on="k"),
        "column 'k' is string on the left and bigint on the right",
    ),
    (lambda: LEFT.join(RIGHT, on="k", suffix=""), "suffix='' must be a text"),
    (
        lambda: LEFT.with_column("ts_right", pc.scalar(1)).join(RIGHT, on="k"),
        "column 'ts_right' would occur twice",
    ),
    (lambda: LEFT.join("buys", on="k"), "join takes another flow"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("build", "message"), REFUSED, ids=[m for _, m in REFUSED])
def test_what_cannot_be_is_refused_where_it_is_written(build: Any, message: str) -> None:
    with pytest.raises(FlowError) as caught:
        build()
    assert message in str(caught.value)
