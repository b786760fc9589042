"""Several inputs as one, on Arrow tables."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from penstock import FlowError, together

ONE = pa.table({"k": [1, 2, 3], "ts": [5, None, 1], "x": ["a", "b", "c"]})
OTHER = pa.table({"ts": [1, 5], "k": [4, 5], "y": [1.5, 2.5]})


def test_rows_keep_their_order_unless_asked() -> None:
    made = together(one=ONE, other=OTHER)
    assert made.schema.names == ["input", "k", "ts", "x", "y"]
    assert made["k"].to_pylist() == [1, 2, 3, 4, 5]
    assert made["input"].to_pylist() == ["one"] * 3 + ["other"] * 2
    assert made["y"].to_pylist() == [None, None, None, 1.5, 2.5]


def test_null_comes_first_and_equal_rows_in_the_order_of_the_inputs() -> None:
    assert together(one=ONE, other=OTHER, order_by="ts")["k"].to_pylist() == [2, 3, 4, 1, 5]
    assert together(other=OTHER, one=ONE, order_by="ts")["k"].to_pylist() == [2, 4, 3, 5, 1]


REFUSED: list[tuple[Any, str]] = [
    (lambda: together(one=ONE), "needs two inputs or more"),
    (lambda: together(one=ONE, other=7), "'one' is a Table; all inputs must be"),
    (lambda: together(one=ONE, other=OTHER, order_by="t"), "'one' has no column 't'; did you mean"),
    (lambda: together(one=ONE, other=OTHER, by="y"), "'one' has no column 'y'"),
    (
        lambda: together(one=ONE, other=pa.table({"k": ["a"]})),
        "column 'k' is string in 'other' and int64 in another",
    ),
    (lambda: together(one=ONE, other=pa.table({"input": [1]})), "has a column 'input'"),
]


@pytest.mark.parametrize(("build", "message"), REFUSED, ids=[m for _, m in REFUSED])
def test_what_cannot_be_is_refused(build: Any, message: str) -> None:
    with pytest.raises(FlowError) as caught:
        build()
    assert message in str(caught.value)
