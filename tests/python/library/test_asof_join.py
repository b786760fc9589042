"""As-of joins of two branches: behaviour and errors."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import Flow, FlowError, OperatorError, flow

START = flow("f", "side string, k string, ts long, v long")
LEFT = START.filter(pc.field("side") == "l").select("k", "ts", l=pc.field("v"))
RIGHT = START.filter(pc.field("side") == "r").select("k", "ts", r=pc.field("v"))
SCHEMA = START.input_schema
Row = tuple[str, str | None, int | None, int]
GIVEN: tuple[Row, ...] = (
    ("l", "a", 1, 1),
    ("r", "a", 2, 2),
    ("l", "a", 2, 3),
    ("r", "b", 3, 4),
    ("r", "a", 4, 5),
    ("r", "a", None, 6),
    ("l", "a", 9, 7),
    ("l", None, 9, 8),
)


def table(*given: Row) -> pa.Table:
    return pa.Table.from_pylist(
        [dict(zip(SCHEMA.names, row, strict=True)) for row in given], SCHEMA
    )


def pairs(made: Flow, *given: Row, **more: Any) -> list[tuple[Any, Any]]:
    return [(row["l"], row["r"]) for row in made.run(table(*given), **more).to_pylist()]


@pytest.mark.parametrize("rows", [1, 3, 1024])
def test_a_row_gets_the_last_one_of_its_key_before_it(rows: int) -> None:
    made = pairs(
        LEFT.join_asof(RIGHT, on="ts", by="k"), *GIVEN, settings={"spark.penstock.tuple.rows": rows}
    )
    assert made == [(1, None), (3, 2), (7, 5), (8, None)]


def test_without_a_key_all_rows_go_by_one() -> None:
    joined = LEFT.join_asof(RIGHT.select("ts", "r"), on="ts")
    assert pairs(joined, *GIVEN) == [(1, None), (3, 2), (7, 5), (8, 5)]


def test_of_rows_at_the_same_time_the_last_one_counts() -> None:
    given: tuple[Row, ...] = (
        ("r", "a", 2, 1),
        ("r", "a", 2, 2),
        ("l", "a", 2, 3),
        ("l", "a", 5, 4),
    )
    assert pairs(LEFT.join_asof(RIGHT, on="ts", by="k"), *given) == [(3, 2), (4, 2)]


def test_what_is_too_old_does_not_count() -> None:
    near = LEFT.join_asof(RIGHT, on="ts", by="k", tolerance=4)
    assert pairs(near, *GIVEN) == [(1, None), (3, 2), (7, None), (8, None)]


def test_times_that_descend_are_an_error_at_that_row() -> None:
    joined = LEFT.join_asof(RIGHT, on="ts", by="k", name="asof")
    with pytest.raises(OperatorError, match="column 'ts' descends here") as caught:
        pairs(joined, *GIVEN, ("l", "a", 8, 9), settings={"spark.penstock.tuple.rows": 1})
    assert (caught.value.operator, caught.value.row) == ("asof", 8)


def test_a_run_goes_on_where_another_one_ended() -> None:
    joined = LEFT.join_asof(RIGHT, on="ts", by="k", name="asof")
    first = joined.run(table(*GIVEN[:5]), checkpoint=True)
    assert pairs(joined, *GIVEN[5:], restore=first.states) == [(7, 5), (8, None)]


def test_a_row_is_as_old_as_it_was_in_the_run_before() -> None:
    near = LEFT.join_asof(RIGHT, on="ts", by="k", tolerance=1, name="asof")
    first = near.run(table(("r", "a", 7, 1)), checkpoint=True)
    assert pairs(near, ("l", "a", 8, 2), ("l", "a", 9, 3), restore=first.states) == [
        (2, 1),
        (3, None),
    ]


def test_the_reference_is_what_runs() -> None:
    joined = LEFT.join_asof(RIGHT, on="ts", by="k", tolerance=4)
    tagged = joined.operators[-2].process(table(*GIVEN).to_batches()[0])
    assert tagged is not None
    reference = joined.operators[-1].process(tagged)
    assert reference is not None
    assert [(row["l"], row["r"]) for row in reference.to_pylist()] == pairs(joined, *GIVEN)


REFUSED: list[tuple[Any, str]] = [
    (lambda: LEFT.join_asof(RIGHT, on="tss", by="k"), "unknown column 'tss'; did you mean 'ts'"),
    (lambda: LEFT.join_asof(RIGHT, on="k"), "on='k' is string, but a timestamp"),
    (lambda: LEFT.join_asof(RIGHT, on="ts", by="q"), "on the left: unknown"),
    (
        lambda: LEFT.join_asof(RIGHT, on="ts", tolerance="1 day"),
        "tolerance='1 day' must be a whole",
    ),
]


@pytest.mark.parametrize(("build", "message"), REFUSED, ids=[m for _, m in REFUSED])
def test_what_cannot_be_is_refused_where_it_is_written(build: Any, message: str) -> None:
    with pytest.raises(FlowError) as caught:
        build()
    assert message in str(caught.value)
