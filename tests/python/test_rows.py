"""Rows: values by name, by position, and what they say about a name that is not there."""

from __future__ import annotations

import copy
import gc
from typing import Any

import pytest

from penstock.rows import Row, UnknownColumn, row_class


def row_of(**values: object) -> Row:
    return row_class(list(values))(values.values())


def test_a_value_is_found_by_attribute_by_name_and_by_position() -> None:
    row = row_of(host="a", tries=3)
    assert (row.host, row["host"], row[0], row[-1], row[:1]) == ("a", "a", "a", 3, ("a",))
    assert list(row) == ["a", 3]
    assert row.as_dict() == {"host": "a", "tries": 3}
    assert repr(row) == "Row(host='a', tries=3)"
    assert row == ("a", 3)


@pytest.mark.parametrize("name", ["count", "index", "columns", "c1", "class", "as_dict", "a b"])
def test_any_name_may_be_a_column(name: str) -> None:
    row = row_of(x=1, **{name: 7})
    assert row[name] == 7
    assert getattr(row, name) == 7


def test_a_column_cannot_break_what_python_needs_of_a_row() -> None:
    row = row_of(__class__=1, __columns__=2, __slots__=3, x=4)
    assert (row["__class__"], row["__columns__"], row["__slots__"], row.x) == (1, 2, 3, 4)
    assert isinstance(row, Row)


def test_an_unknown_column_says_what_was_probably_meant() -> None:
    row = row_of(host="a", tries=3)
    for error in (AttributeError, KeyError, UnknownColumn):
        with pytest.raises(error, match="no column 'hots'; did you mean 'host'"):
            _ = row.hots
        with pytest.raises(error) as raised:
            row["hots"]
        assert str(raised.value).startswith("the row has no column 'hots'; did you mean 'host'?")
    assert not hasattr(row, "hots")


def test_a_row_cannot_be_changed() -> None:
    row: Any = row_of(host="a")
    with pytest.raises(AttributeError):
        row.host = "b"
    with pytest.raises(TypeError):
        row[0] = "b"


def test_a_copy_of_a_row_is_such_a_row() -> None:
    row = row_of(host="a", tries=[1])
    assert copy.deepcopy(row).tries == [1]


def test_a_class_of_rows_survives_a_collection_at_any_moment() -> None:
    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        classes = [row_class(["host", "tries"]) for _ in range(50)]
    finally:
        gc.set_threshold(*before)
    assert [made(("a", 3)).tries for made in classes] == [3] * 50
