"""Python functions that misbehave: the error names operator, row and what to do."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from penstock import Flow, FlowError, OperatorError, flow
from penstock.partition import run_partition
from penstock.spec import FlowSpec

NUMBERS = pa.table({"n": list(range(10))})
NOT_UTF8 = pa.Array.from_buffers(
    pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe")]
)


class Unsendable(Exception):
    def __init__(self, row: int, *, why: str) -> None:
        super().__init__(f"{why} in {row}")
        self.held = lambda: row

    def __reduce__(self) -> Any:
        raise TypeError("not to be pickled")


class Speechless(Exception):
    def __str__(self) -> str:
        raise LookupError("no words")


def numbers() -> Flow:
    return flow("f", "n long")


def alone(function: Any, out: str = "n long") -> Flow:
    return numbers().map(function, out, name="work")


def in_turn(function: Any, out: str = "n long") -> Flow:
    return numbers().parallel(lambda rows: rows.map(function, out, name="work"), channels=2)


def by_key(function: Any, out: str = "n long") -> Flow:
    return numbers().parallel(lambda rows: rows.map(function, out, name="work"), by="n", channels=2)


EVERYWHERE = pytest.mark.parametrize("build", [alone, in_turn, by_key])
Build = Callable[..., Flow]


def failing(error: Exception) -> Callable[[pa.RecordBatch], pa.RecordBatch]:
    def fail(batch: pa.RecordBatch) -> pa.RecordBatch:
        if 7 in batch["n"].to_pylist():
            raise error
        return batch

    return fail


@EVERYWHERE
def test_another_schema_is_told_with_operator_and_column(build: Build) -> None:
    def other(batch: pa.RecordBatch) -> pa.RecordBatch:
        return pa.RecordBatch.from_pydict({"n": pa.array(["x"] * batch.num_rows, pa.string())})

    def late(batch: pa.RecordBatch) -> pa.RecordBatch:
        return other(batch) if batch.num_rows else batch

    words = "operator 'work', input row 0 .*column 'n' was declared bigint but is string"
    with pytest.raises(OperatorError, match=words):
        build(late).run(NUMBERS)


@EVERYWHERE
def test_another_number_of_rows_is_told_with_the_way_out(build: Build) -> None:
    with pytest.raises(OperatorError, match=r"operator 'work', .* rows for .*use flat_map"):
        build(lambda batch: batch.slice(0, batch.num_rows // 2)).run(NUMBERS)


@EVERYWHERE
def test_an_exception_that_cannot_be_pickled_keeps_operator_row_and_text(build: Build) -> None:
    made = build(failing(Unsendable(7, why="bad luck")))
    with pytest.raises(
        OperatorError, match=r"'work', input row 7 .*Unsendable: bad luck in 7"
    ) as e:
        made.run(NUMBERS)
    assert isinstance(e.value.__cause__, Unsendable)
    assert str(pickle.loads(pickle.dumps(e.value))) == str(e.value)


def test_it_reaches_spark_with_its_lines() -> None:
    spec = FlowSpec.of(alone(failing(Unsendable(7, why="bad luck"))))
    with pytest.raises(OperatorError, match=r"(?s)Unsendable: bad luck in 7\n\n.*raise error"):
        list(run_partition(spec, iter(NUMBERS.to_batches())))


@EVERYWHERE
def test_an_exception_without_a_text_does_not_hide_operator_and_row(build: Build) -> None:
    words = r"'work', input row 7 .*Speechless \(its text raised LookupError\)"
    with pytest.raises(OperatorError, match=words):
        build(failing(Speechless())).run(NUMBERS)


@pytest.mark.parametrize(
    ("returned", "advice"),
    [
        (pd.DataFrame({"n": [1]}), r"got DataFrame; .*from_pandas\(frame, preserve_index=False\)"),
        (np.array([1]), r"got ndarray; of an array, pa\.RecordBatch\.from_pydict"),
        ({"n": [1]}, r"got dict; of a dict, pa\.RecordBatch\.from_pydict\(columns\)"),
        (None, "got NoneType"),
    ],
)
@pytest.mark.parametrize("word", ["map", "flat_map"])
def test_what_is_no_batch_is_told_with_how_to_make_one(
    returned: Any, advice: str, word: str
) -> None:
    def convert(batch: pa.RecordBatch) -> Any:
        return returned if batch.num_rows else batch

    with pytest.raises(OperatorError, match=f"must return a RecordBatch.*{advice}"):
        getattr(numbers(), word)(convert).run(pa.table({"n": [1]}))


def test_a_table_is_taken_by_flat_map_and_explained_by_map() -> None:
    assert numbers().flat_map(pa.Table.from_batches, "n long").run([]).table.num_rows == 0
    with pytest.raises(FlowError, match=r"got Table; of a table, table\.combine_chunks"):
        numbers().map(lambda batch: pa.Table.from_batches([batch]))


@pytest.mark.parametrize("value", ["\udc80", b"\xff"])
def test_a_row_with_text_that_is_not_utf_8_is_named(value: Any) -> None:
    made = numbers().apply(lambda row: [(value if row.n == 7 else "x",)], "s string")
    with pytest.raises(OperatorError, match=r"input row 7 .*s = .*was declared string: .*utf"):
        made.run(NUMBERS)


def test_a_batch_with_text_that_is_not_utf_8_is_found_by_the_full_check() -> None:
    def spoil(batch: pa.RecordBatch) -> pa.RecordBatch:
        return pa.RecordBatch.from_arrays([NOT_UTF8.slice(0, batch.num_rows)], names=["s"])

    made = numbers().map(spoil, "s string", name="spoil")
    with pytest.raises(
        OperatorError, match=r"'spoil', input row 0 .*returned a broken batch: .*UTF8"
    ):
        made.run(NUMBERS.slice(0, 1), settings={"spark.penstock.check.batches": "full"})


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ({"n": ["x"]}, "input: column 'n' was declared bigint but is string"),
        ({"m": [1]}, "input: column 'n' was declared but is missing"),
        ({"n": [1.5]}, "input: column 'n' was declared bigint but is double"),
    ],
)
@EVERYWHERE
def test_a_schema_that_changes_between_batches_is_told_with_the_column(
    build: Build, second: dict[str, list[Any]], words: str
) -> None:
    batches = [pa.RecordBatch.from_pydict({"n": [1]}), pa.RecordBatch.from_pydict(second)]
    stream = build(lambda batch: batch).stream(iter(batches))
    assert next(stream)["n"].to_pylist() == [1]
    with pytest.raises(FlowError, match=f"flow 'f', {words}"):
        next(stream)
