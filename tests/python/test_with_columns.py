from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import flow
from penstock.errors import FlowError

START = flow("f", "a long, b long")
ROWS = pa.table({"a": [1, 2], "b": [10, 20]})


def test_new_columns_come_last_and_old_ones_keep_their_place() -> None:
    made = START.with_columns(c=pc.field("a") + 1, a=pc.field("a") * 2, d=pc.field("b") > 10)
    assert made.schema.names == ["a", "b", "c", "d"]
    assert made.run(ROWS).to_pylist() == [
        {"a": 2, "b": 10, "c": 2, "d": False},
        {"a": 4, "b": 20, "c": 3, "d": True},
    ]


def test_two_columns_can_be_exchanged() -> None:
    made = START.with_columns(a=pc.field("b"), b=pc.field("a"))
    assert made.run(ROWS).to_pylist() == [{"a": 10, "b": 1}, {"a": 20, "b": 2}]


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        ({}, "name at least one column"),
        ({"c": "a"}, "an expression is needed, got the string 'a'"),
        ({"c": pc.field("x")}, "column 'c': unknown column 'x'"),
        ({"": pc.field("a")}, "a column needs a name"),
    ],
)
def test_what_cannot_be_made_is_refused_in_words(named: dict[str, object], problem: str) -> None:
    with pytest.raises(FlowError, match=problem):
        START.with_columns(**named)  # type: ignore[arg-type]
