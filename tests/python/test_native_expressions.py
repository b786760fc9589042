"""Filters and computed columns inside flows: whatever runs them, rows and failures are the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import agg, flow
from penstock.errors import OperatorError
from penstock.flow import Flow
from penstock.threading_model import MODELS

ROWS = 5_000
SMALL = {"spark.penstock.tuple.rows": 96}
TABLE = pa.table(
    {
        "k": pa.array([row % 13 for row in range(ROWS)], pa.int64()),
        "n": pa.array([None if row % 7 == 3 else row for row in range(ROWS)], pa.int64()),
        "s": [f"row {row}" for row in range(ROWS)],
    }
)
START = flow("f", TABLE.schema)
PASSES = (pc.field("n") > 10) & (pc.field("k") != 4)
BAD = 1240


def kept(rows: Flow) -> Flow:
    return rows.filter(PASSES).with_columns(m=pc.field("n") * 2 + pc.field("k"), k=pc.field("k"))


def by_arrow(made: Flow) -> list[dict[str, Any]]:
    batch = TABLE.combine_chunks().to_batches()[0]
    for operator in made.operators:
        batch = operator.process(batch)
    rows: list[dict[str, Any]] = batch.to_pylist()
    return rows


def taken(made: Flow) -> tuple[list[dict[str, Any]], OperatorError]:
    rows: list[dict[str, Any]] = []
    try:
        for batch in made.stream(TABLE, settings=SMALL):
            rows += batch.to_pylist()
    except OperatorError as error:
        return rows, error
    raise AssertionError("no row failed")


@pytest.mark.parametrize("model", MODELS)
def test_every_threading_model_makes_what_arrow_makes(model: Any) -> None:
    made = kept(START)
    assert all(operator.native for operator in made.operators)
    assert made.threading(model).run(TABLE, settings=SMALL).to_pylist() == by_arrow(made)


@pytest.mark.parametrize("by", ["k", None])
@pytest.mark.parametrize("model", ["manual", "conveyor"])
def test_a_region_makes_what_arrow_makes(by: str | None, model: Any) -> None:
    made = START.parallel(kept, by=by, channels=4).threading(model)
    assert made.operators[0].native
    assert made.run(TABLE, settings=SMALL).to_pylist() == by_arrow(kept(START))


def test_operators_that_go_by_key_share_a_region_with_columns_computed_between_them() -> None:
    made = (
        START.key_by("k")
        .running(total=agg.sum("n"))
        .with_column("twice", pc.field("total") * 2)
        .key_by("k")
        .running(most=agg.max("twice"))
    )
    expected = by_arrow(made)
    assert made.threading("conveyor").run(TABLE, settings=SMALL).to_pylist() == expected


@pytest.mark.parametrize("by", ["around no region", "k", None])
def test_the_row_that_fails_is_named_and_those_before_it_are_there(by: str | None) -> None:
    def body(rows: Flow) -> Flow:
        odds = pc.scalar(1) / (pc.field("n") - BAD)
        return rows.filter(pc.field("k") < 9).with_column("odds", odds, name="odds")

    made = body(START) if by == "around no region" else START.parallel(body, by=by, channels=3)
    rows, error = taken(made)
    assert (error.operator, error.row) == ("odds", BAD)
    assert "divide by zero" in str(error)
    expected = [f"row {row}" for row in range(BAD) if row % 13 < 9]
    assert [row["s"] for row in rows] == expected


def test_a_filter_that_fails_names_its_row_too() -> None:
    made = START.filter(pc.field("n") * (2**63 // BAD) < 0, name="bad")
    rows, error = taken(made)
    assert (error.operator, error.row, rows) == ("bad", BAD + 1, [])
    assert "overflow" in str(error)


def test_without_a_program_arrow_does_it() -> None:
    made = kept(START)
    plain = replace(
        made,
        operators=tuple(replace(one, program=None) for one in made.operators),  # type: ignore[call-arg]
    )
    assert not any(operator.native for operator in plain.operators)
    assert plain.run(TABLE, settings=SMALL).to_pylist() == by_arrow(made)
