from __future__ import annotations

import math
from typing import Any

import pyarrow as pa
import pytest

from penstock import flow
from penstock.errors import FlowError, OperatorError

START = flow("f", "k string, x double, n long")
NAN = math.nan


def best(x: list[float | None], most: int, **how: Any) -> list[int]:
    """The rows that stay, by number."""
    rows = {"k": ["a"] * len(x), "x": pa.array(x, pa.float64()), "n": list(range(len(x)))}
    made = START.top_k(most, by="x", **how).run(
        pa.table(rows), settings={"spark.penstock.tuple.rows": 2}
    )
    numbers: list[int] = made.table["n"].to_pylist()
    return numbers


def test_the_best_come_first_and_of_equals_those_that_came_first() -> None:
    assert best([1.0, 3.0, 2.0, 3.0, 3.0], 2) == [1, 3]
    assert best([1.0, 3.0, 1.0, 0.5], 2, descending=False) == [3, 0]


def test_zero_has_no_sign_nan_is_the_largest_and_null_never_wins() -> None:
    assert best([0.0, -0.0, None], 3) == [0, 1, 2]
    assert best([-0.0, 0.0], 1, descending=False) == [0]
    assert best([math.inf, NAN, None, -NAN], 4) == [1, 3, 0, 2]
    assert best([NAN, None, 1.0], 3, descending=False) == [2, 0, 1]


def test_strings_are_compared_by_their_bytes_and_a_beginning_is_the_smaller() -> None:
    rows = {"k": ["b", "ba", "a", "", "b\0"], "x": [0.0] * 5, "n": list(range(5))}
    made = START.top_k(5, by="k", descending=False).run(pa.table(rows))
    assert made.table["n"].to_pylist() == [3, 2, 0, 4, 1]
    made = START.top_k(5, by="k").run(pa.table(rows))
    assert made.table["n"].to_pylist() == [1, 4, 0, 2, 3]


def test_no_rows_have_no_best() -> None:
    assert best([], 3) == []


def test_more_than_the_limit_of_memory_is_an_error() -> None:
    rows = {"k": [str(i) * 200 for i in range(999)], "x": [0.0] * 999, "n": list(range(999))}
    with pytest.raises(OperatorError, match=r"state\.maxBytes allows 100000"):
        START.top_k(999, by="n").run(
            pa.table(rows), settings={"spark.penstock.state.maxBytes": 100_000}
        )


def test_an_explanation_says_what_is_best() -> None:
    made = START.key_by("k").top_k(3, by=("x", "n"), descending=(True, False)).explanation()
    assert "top_k 3 of x descending, n ascending by k" in made


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"k": 0, "by": "x"}, "a number of rows is a whole number from 1 on, got 0"),
        ({"k": 1, "by": "y"}, "unknown column 'y' to compare by"),
        ({"k": 1, "by": ()}, "name a column to compare by"),
        ({"k": 1, "by": ("x", "n"), "descending": (True,)}, "has 1 values for 2 columns"),
    ],
)
def test_what_cannot_be_is_refused_where_it_is_written(
    arguments: dict[str, Any], problem: str
) -> None:
    with pytest.raises(FlowError, match=f"operator 'top_k_1': .*{problem}"):
        START.top_k(**arguments)


def test_a_column_that_cannot_be_kept_is_named() -> None:
    with pytest.raises(FlowError, match="column 'tags' is array<string>, which cannot be kept"):
        flow("f", "n long, tags array<string>").top_k(1, by="n")
