"""Strings that are not UTF-8: Arrow lets anybody make them, and files and C programs do."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import OperatorError, agg, compiled, flow
from penstock.threading_model import FIXED, MODELS

# Bytes that begin nothing, the first half of a letter, half of a surrogate pair, and good ones.
TEXTS = [b"ab", b"\xff\xfe", b"a\xc3", b"\xed\xa0\x80", b"", b"abc", b"\xff\xfe"]
BROKEN = pa.Array.from_buffers(pa.string(), len(TEXTS), pa.array(TEXTS, pa.binary()).buffers())
ROWS = flow("f", "s string not null, n long not null")
TABLE = pa.Table.from_arrays([BROKEN, pa.array(range(len(TEXTS)))], schema=ROWS.schema)


def raw(column: pa.ChunkedArray) -> list[Any]:
    """Values without a look at whether they are text."""
    is_text = column.type == pa.string()
    return [value.as_buffer().to_pybytes() if is_text else value.as_py() for value in column]


def spread(state: Any, row: Any, out: Any) -> None:
    state.seen += 1
    out.emit(row.s, state.seen)


@pytest.mark.parametrize("model", MODELS)
def test_operators_that_are_native_take_the_bytes_as_they_are(model: Any) -> None:
    kept = ROWS.filter(compiled(lambda row: len(row.s) > 0)).filter(pc.field("n") >= 0)
    counted = kept.key_by("s").process(spread, out="s string, n long", state="seen long")
    rows = counted.key_by("s").running(rows=agg.count(), most=agg.max("s"))
    made = rows.threading(model, threads=None if model in FIXED else 3)
    table = made.run(TABLE, settings={"spark.penstock.tuple.rows": 2}).table
    given = [text for text in TEXTS if text]
    nth = [given[: place + 1].count(text) for place, text in enumerate(given)]
    assert [raw(column) for column in table.columns] == [given, nth, nth, given]


def test_a_compiled_function_sees_the_bytes() -> None:
    def measured(row: Any, out: Any) -> None:
        out.emit(len(row.s), row.s.find("b"), row.s.startswith(b"\xff"), row.s == b"\xff\xfe")

    table = ROWS.process(measured, out="a long, b long, c boolean, d boolean").run(TABLE).table
    wanted = [
        {"a": len(t), "b": t.find(b"b"), "c": t.startswith(b"\xff"), "d": t == b"\xff\xfe"}
        for t in TEXTS
    ]
    assert table.to_pylist() == wanted


def test_new_text_that_is_not_utf_8_is_an_error_of_its_row() -> None:
    made = ROWS.map(compiled(lambda row: row.s[1:]), out="z string", name="cut")
    with pytest.raises(OperatorError, match=r"bytes for the string column 'z' are not UTF-8") as e:
        made.run(TABLE)
    assert (e.value.operator, e.value.row) == ("cut", 1)


def test_what_needs_letters_names_the_first_row_that_has_none() -> None:
    with pytest.raises(OperatorError, match="Invalid UTF8 sequence") as caught:
        ROWS.with_columns(upper=pc.utf8_upper(pc.field("s")), name="louder").run(TABLE)
    assert (caught.value.operator, caught.value.row) == ("louder", 1)
