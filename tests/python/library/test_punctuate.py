from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import agg, flow
from penstock.errors import FlowError
from penstock.threading_model import ModelName

START = flow("f", "n long, last boolean")
LAST = [False, True, None, False, True, False]
ROWS = pa.table({"n": list(range(6)), "last": LAST})
MODELS: list[ModelName] = ["manual", "dedicated", "dynamic", "conveyor", "automatic"]


def batches(made: Any, tuple_rows: int) -> list[list[int]]:
    settings = {"spark.penstock.tuple.rows": tuple_rows}
    return [batch["n"].to_pylist() for batch in made.stream(ROWS, settings=settings)]


@pytest.mark.parametrize("tuple_rows", [0, 1, 2, 5])
@pytest.mark.parametrize("model", MODELS)
def test_batches_end_behind_every_so_many_rows(model: ModelName, tuple_rows: int) -> None:
    made = START.punctuate(every=4).threading(model)
    assert batches(made, tuple_rows) == [[0, 1, 2, 3], [4, 5]]


@pytest.mark.parametrize("tuple_rows", [0, 1, 4])
def test_batches_end_behind_rows_for_which_a_column_is_true(tuple_rows: int) -> None:
    assert batches(START.punctuate(after="last"), tuple_rows) == [[0, 1], [2, 3, 4], [5]]


def test_marks_keep_their_place_behind_other_operators() -> None:
    made = START.punctuate(every=3).filter(pc.field("n") != 1).with_column("n", pc.field("n") * 10)
    assert batches(made, 2) == [[0, 20], [30, 40, 50]]
    keyed = START.punctuate(every=3).key_by("last").running(seen=agg.count()).threading("conveyor")
    assert batches(keyed, 2) == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "every=, a number of rows, or after="),
        ({"every": 1, "after": "last"}, "every=, a number of rows, or after="),
        ({"every": 0}, "every= must be a whole number of rows above 0, got 0"),
        ({"every": True}, "got True"),
        ({"after": "lost"}, "unknown column 'lost'"),
        ({"after": "n"}, "after= needs a boolean column, and 'n' is bigint"),
    ],
)
def test_mistakes_are_found_where_they_are_written(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(FlowError, match=problem):
        START.punctuate(name="marks", **arguments)
