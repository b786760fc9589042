"""Operators inside a region by key say from which row each row they make came."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock.c_data import CStruct
from penstock.errors import FlowError
from penstock.operators import Filter, FlatMap, Map, Operator
from penstock.schema import as_schema
from penstock.traced import makes_other_rows, traced, traced_body_of

GIVEN = as_schema("n long")
ARRAY_WORDS = 10


def batch_of(*values: int | None) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.array(values, pa.int64())], schema=GIVEN)


def many(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    for value in batch["n"].to_pylist():
        if value < 0:
            raise ValueError(f"{value} is too small")
        yield batch_of(*range(value))


def spread(function: Callable[[pa.RecordBatch], Any] = many, out: str = "n long") -> FlatMap:
    return FlatMap("spread", GIVEN, as_schema(out), function)


def call(operator: Operator, batch: pa.RecordBatch) -> tuple[object, list[Any], list[int]]:
    """Call a body the way the engine does; what it returned, the rows, and where each is from."""
    given, made, rows = CStruct(ARRAY_WORDS), CStruct(ARRAY_WORDS), CStruct(ARRAY_WORDS)
    batch._export_to_c(given.address)
    body = traced_body_of(operator, full_check=True)
    returned = body(given.address, made.address, rows.address)
    if not made.is_held(release=8):
        assert not rows.is_held(release=8)
        return returned, [], []
    values = pa.RecordBatch._import_from_c(made.address, operator.output).column(0).to_pylist()
    return returned, values, pa.Array._import_from_c(rows.address, pa.int32()).to_pylist()


def test_a_filter_names_the_rows_that_pass_and_null_does_not() -> None:
    keep = Filter.over(GIVEN, "keep", pc.field("n") > 1)
    made = traced(keep, batch_of(2, 0, None, 3))
    assert made.rows is not None
    assert made.rows.to_pylist() == [0, 3]
    assert made.whole() == batch_of(2, 3)
    assert call(keep, batch_of(1, 2, 3)) == (2, [2, 3], [1, 2])


def test_a_filter_that_drops_everything_makes_nothing() -> None:
    keep = Filter.over(GIVEN, "keep", pc.field("n") > 1)
    assert call(keep, batch_of(0, 1)) == (0, [], [])


def test_a_flat_map_is_called_row_by_row() -> None:
    assert call(spread(), batch_of(2, 0, 1)) == (3, [0, 1, 0], [0, 0, 2])
    assert call(spread(), batch_of(0, 0)) == (0, [], [])


def test_a_flat_map_that_fails_keeps_what_the_rows_before_made() -> None:
    returned, values, rows = call(spread(), batch_of(1, 2, -7, 3))
    assert isinstance(returned, tuple)
    assert returned[:2] == (3, 2)
    assert "-7 is too small" in str(returned[2])
    assert (values, rows) == ([0, 0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="-7 is too small"):
        traced(spread(), batch_of(-7)).whole()


def test_rows_of_different_encodings_are_joined_as_declared() -> None:
    def name(batch: pa.RecordBatch) -> pa.RecordBatch:
        plain, large = pa.array(["a"]), pa.array(["b"], pa.large_string())
        columns = [pa.nulls(1), plain, large]
        return pa.RecordBatch.from_arrays([columns[batch["n"][0].as_py()]], names=["s"])

    operator = spread(name, out="s string")
    assert call(operator, batch_of(0, 2, 1)) == (3, [None, "b", "a"], [0, 1, 2])


def test_a_row_of_another_schema_is_refused() -> None:
    operator = spread(lambda batch: batch.rename_columns(["m"]))
    with pytest.raises(FlowError, match="returned another schema"):
        traced(operator, batch_of(1)).whole()


def test_other_operators_make_one_row_of_each() -> None:
    same = Map.over(GIVEN, "same", lambda batch: batch, None)
    assert not makes_other_rows(same)
    assert traced(same, batch_of(1, 2)).rows is None
    assert traced(same, batch_of(1, 2)).whole() == batch_of(1, 2)
