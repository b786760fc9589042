"""Unions that are ordered by a column."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import FlowError, OperatorError, flow

START = flow("f", "b long, ts long")
ONE, OTHER = START.split(pc.field("b") == 0)
MERGED = ONE.union(OTHER, order_by="ts", name="merged")


def rows(*given: tuple[int, int | None]) -> pa.Table:
    return pa.Table.from_pylist(
        [{"b": b, "ts": ts} for b, ts in given],
        pa.schema([("b", pa.int64()), ("ts", pa.int64())]),
    )


def made(*given: tuple[int, int | None], **more: Any) -> list[tuple[int, int | None]]:
    return [(row["b"], row["ts"]) for row in MERGED.run(rows(*given), **more).to_pylist()]


@pytest.mark.parametrize("tuple_rows", [1, 2, 1024])
def test_rows_leave_in_the_order_of_the_column(tuple_rows: int) -> None:
    given = [(0, 1), (0, 5), (0, 9), (1, 2), (1, 5), (1, 7), (0, 9), (1, 8)]
    right = sorted(given, key=lambda row: (row[1], row[0]))
    assert made(*given, settings={"spark.penstock.tuple.rows": tuple_rows}) == right


def test_null_comes_first() -> None:
    assert made((0, 1), (1, None), (1, 0)) == [(1, None), (1, 0), (0, 1)]


def test_a_branch_that_descends_is_an_error_at_that_row() -> None:
    with pytest.raises(OperatorError, match="column 'ts' descends here") as caught:
        made((0, 3), (1, 9), (1, 4), settings={"spark.penstock.tuple.rows": 1})
    assert (caught.value.operator, caught.value.row) == ("merged", 2)


def test_a_branch_does_not_descend_from_one_run_to_the_next() -> None:
    first = MERGED.run(rows((0, 5)), checkpoint=True)
    with pytest.raises(OperatorError, match="column 'ts' descends here"):
        made((0, 3), restore=first.states)


def test_the_reference_is_what_runs() -> None:
    given = [(0, 1), (0, 5), (1, None), (1, 2), (1, 5), (0, 6)]
    batch = rows(*given).to_batches()[0]
    tagged = MERGED.operators[0].process(batch)
    assert tagged is not None
    reference = MERGED.operators[1].process(tagged)
    assert reference is not None
    assert [(row["b"], row["ts"]) for row in reference.to_pylist()] == made(*given)


def test_an_unknown_column_is_refused() -> None:
    with pytest.raises(FlowError, match="order_by='tss' is not a column; did you mean 'ts'"):
        ONE.union(OTHER, order_by="tss")


def test_no_hidden_column_is_seen() -> None:
    assert MERGED.schema.names == ["b", "ts"]
    assert "tag" not in MERGED.explanation()
    assert "schema   the columns of all branches" in MERGED.explanation()
