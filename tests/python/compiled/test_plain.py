"""The plain meaning of rows, states and what takes rows."""

from __future__ import annotations

import pytest

from penstock.compiled.layout import Record, slots
from penstock.compiled.plain import Bytes, Out, Row, State
from penstock.errors import FlowError
from penstock.schema import as_schema


def test_bytes_meet_str_as_its_utf_8() -> None:
    view = Bytes("né".encode())
    assert view == "né"
    assert view != "ne"
    assert view > "n"
    assert view.find("é") == 1
    assert view.endswith("é")
    assert view.__contains__("é")
    assert isinstance(view[1:], Bytes)
    assert hash(view) == hash(Bytes("né".encode()))
    assert hash(view) != hash(Bytes(b"ne"))


def test_a_state_begins_at_zero_and_keeps_to_its_types() -> None:
    state = State(Record.of("n byte, x double, b boolean").slots)
    assert (state.n, state.x, state.b) == (0, 0.0, False)  # type: ignore[attr-defined]
    state.n = 127
    with pytest.raises(OverflowError, match="'n' does not fit into a 8-bit whole number"):
        state.n = 128
    with pytest.raises(TypeError, match="'x' cannot be null"):
        state.x = None
    with pytest.raises(FlowError, match="unknown state field 'm'"):
        state.m = 1


def test_rows_are_emitted_by_position_and_by_name() -> None:
    out = Out(slots(as_schema("a long, b string")))
    out.emit(1, "é")
    out.emit(b=None, a=2)
    assert out.made == [(1, "é".encode()), (2, None)]
    with pytest.raises(FlowError, match=r"has 2 columns \(a, b\), got 1"):
        out.emit(1)
    with pytest.raises(ValueError, match="'b' are not UTF-8"):
        out.emit(1, b"\xff")
    with pytest.raises(FlowError, match="but out= names new columns"):
        out.keep()
    with pytest.raises(FlowError, match="name them with out="):
        Out(None).emit(1)


def test_a_row_names_the_column_that_was_meant() -> None:
    row = Row({"host": 1, "a b": 2})
    assert (row.host, row["a b"]) == (1, 2)
    with pytest.raises(FlowError, match="did you mean 'host'"):
        _ = row.hots
