from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import FlowError, flow

BATCH = pa.RecordBatch.from_pydict({"n": [1, 2, 3], "other": ["a", "b", "c"]})
MANY = flow("many", "n long").filter(pc.field("n") > 1)


class StreamOnly:
    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return pa.Table.from_batches([BATCH]).__arrow_c_stream__(requested_schema)


FORMS: dict[str, Any] = {
    "batch": lambda: BATCH,
    "table": lambda: pa.Table.from_batches([BATCH]),
    "reader": lambda: pa.RecordBatchReader.from_batches(BATCH.schema, [BATCH]),
    "list": lambda: [BATCH.slice(0, 1), BATCH.slice(1)],
    "generator": lambda: (BATCH.slice(start, 1) for start in range(3)),
    "stream": StreamOnly,
    "pandas": BATCH.to_pandas,
    "result": lambda: flow("pick", "n long").select("n").run(BATCH),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_flow_runs_on_whatever_holds_arrow_data(form: str) -> None:
    assert MANY.run(FORMS[form]()).to_pylist() == [{"n": 2}, {"n": 3}]


@pytest.mark.parametrize("data", [7, "text", {"n": [1]}, None, pd.Series([1]).to_numpy])
def test_anything_else_is_refused_by_its_type(data: object) -> None:
    with pytest.raises(FlowError, match=rf"a flow runs on .*; got {type(data).__name__}"):
        MANY.run(data)


def test_an_item_that_is_no_batch_is_named_by_its_place() -> None:
    stream = MANY.stream([BATCH, {"n": [1]}])
    assert next(stream).num_rows == 2
    with pytest.raises(FlowError, match=r"item 1 of the input is a dict, not a RecordBatch"):
        next(stream)


def test_columns_are_found_by_name_and_encodings_are_cast() -> None:
    both = flow("both", "word string, n int").select("word", "n")
    batch = pa.RecordBatch.from_pydict(
        {
            "n": pa.array([1], pa.int32()),
            "x": [0],
            "word": pa.array(["a"], pa.large_string()),
        }
    )
    made = both.run(batch)
    assert made.to_pylist() == [{"word": "a", "n": 1}]
    assert made.schema == both.schema


def test_a_zone_that_differs_is_relabelled() -> None:
    built = flow("when", "t timestamp").select("t")
    made = built.run(pa.record_batch([pa.array([1], pa.timestamp("us", "Asia/Tokyo"))], ["t"]))
    assert made.table["t"].type == pa.timestamp("us", "UTC")
    assert made.table["t"].cast(pa.int64()).to_pylist() == [1]


@pytest.mark.parametrize(
    ("batch", "problem"),
    [
        (
            pa.RecordBatch.from_pydict({"m": [1]}),
            "flow 'many', input: column 'n' was declared but is missing",
        ),
        (pa.RecordBatch.from_pydict({"n": ["x"]}), "'n' was declared bigint but is string"),
    ],
)
def test_a_batch_that_does_not_fit_is_refused_in_words(batch: pa.RecordBatch, problem: str) -> None:
    with pytest.raises(FlowError, match=problem):
        MANY.run(batch)


def test_a_batch_that_changes_its_schema_on_the_way_is_fitted_anew() -> None:
    turned = pa.RecordBatch.from_pydict({"x": ["z"], "n": [5]})
    assert MANY.run([BATCH, turned, BATCH]).table["n"].to_pylist() == [2, 3, 5, 2, 3]
