from __future__ import annotations

import dataclasses

import pyarrow as pa
import pytest

from penstock.result import Result

BATCHES = (pa.RecordBatch.from_pydict({"n": [1, 2]}), pa.RecordBatch.from_pydict({"n": [3]}))
RESULT = Result(BATCHES[0].schema, BATCHES)


def test_a_result_gives_its_rows_in_every_form() -> None:
    rows = [{"n": 1}, {"n": 2}, {"n": 3}]
    assert RESULT.to_pylist() == rows
    assert RESULT.table.to_pylist() == rows
    assert RESULT.to_pandas().to_dict("records") == rows
    assert pa.table(RESULT).to_pylist() == rows
    assert RESULT.num_rows == len(RESULT) == 3


def test_a_result_without_batches_still_has_a_schema() -> None:
    empty = Result(RESULT.schema, ())
    assert empty.table.schema == RESULT.schema
    assert (empty.num_rows, empty.to_pylist()) == (0, [])


def test_a_result_says_how_much_of_what_it_holds() -> None:
    assert repr(RESULT) == "Result(3 rows of n bigint)"
    assert repr(Result(RESULT.schema, BATCHES[1:])) == "Result(1 row of n bigint)"


def test_a_result_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        RESULT.batches = ()  # type: ignore[misc]
