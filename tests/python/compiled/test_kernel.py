"""Kernels against the plain functions that they were compiled from, without the engine."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.python.compiled import functions
from tests.python.compiled.frames import Column, Host, Made

from penstock.compiled.operator import CompiledRows, compiled_rows
from penstock.compiled.raw import raw_values
from penstock.schema import as_schema

SCHEMA = as_schema(functions.COLUMNS)
LONG = st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3)
TEXT = st.text(st.sampled_from("abé€\N{GRINNING FACE}"), max_size=5)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "n": LONG,
    "i": st.integers(-(2**31), 2**31 - 1) | st.integers(-2, 2),
    "t": st.integers(-128, 127),
    "x": st.floats() | st.integers(-300, 300).map(float),
    "r": st.floats(width=32),
    "s": TEXT,
    "y": TEXT.map(str.encode) | st.binary(max_size=4),
    "b": st.booleans(),
    "d": st.dates(),
    "at": st.datetimes(timezones=st.just(dt.timezone.utc)),
    "q": st.integers(-(10**12) + 1, 10**12 - 1).map(lambda n: Decimal(n).scaleb(-2)),
}
ROWS = st.lists(
    st.fixed_dictionaries({c: st.none() | v for c, v in VALUES.items()} | {"m": LONG}), max_size=12
)
FUNCTIONS: dict[str, tuple[Callable[..., Any], str | None]] = {
    "copied": (functions.copied, functions.COLUMNS),
    "arithmetic": (functions.arithmetic, "a long, b long"),
    "narrow": (functions.narrow, "a short, b int, c decimal(4,1)"),
    "strings": (functions.strings, "a long, b boolean, c string, d binary, e boolean"),
    "conditions": (functions.conditions, "a long"),
    "several": (functions.several, "a long"),
    "kept": (functions.kept, None),
}


def batch_of(rows: list[dict[str, Any]], before: int) -> pa.RecordBatch:
    """Rows as a batch that begins somewhere in its buffers."""
    padding = [dict.fromkeys(VALUES) | {"m": 0}] * before
    return pa.RecordBatch.from_pylist(padding + rows, SCHEMA).slice(before)


def expected(operator: CompiledRows, batch: pa.RecordBatch) -> tuple[list[Any], int | None, str]:
    """What the plain function makes up to the row at which it fails, and why it fails there."""
    made: list[Any] = []
    for row in range(batch.num_rows):
        try:
            found = operator.process(batch.slice(row, 1))
        except Exception as error:  # noqa: BLE001 - any is told in the same way
            return made, row, type(error).__name__
        columns = [raw_values(column) for column in found.columns]
        made += zip(*columns, strict=True) if operator.makes_columns else [row] * found.num_rows
    return made, None, ""


def rows_made(operator: CompiledRows, made: Made) -> list[Any]:
    if not operator.makes_columns:
        return made.origins
    columns = [
        pa.array(column, field.type) if not isinstance(first(column), bytes) else column
        for column, field in zip(made.columns, operator.output, strict=True)
    ]
    raw = [raw_values(c) if isinstance(c, pa.Array) else c for c in columns]
    return list(zip(*raw, strict=True))


def first(column: list[Any]) -> Any:
    return next((value for value in column if value is not None), None)


def plain(rows: list[Any]) -> list[Any]:
    """Rows that can be compared: NaN equals itself."""

    def value(one: Any) -> Any:
        return "NaN" if isinstance(one, float) and math.isnan(one) else one

    return [tuple(map(value, row)) if isinstance(row, tuple) else row for row in rows]


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(deadline=None, max_examples=80)
@given(rows=ROWS, before=st.integers(0, 9))
def test_a_kernel_does_what_its_function_does(
    name: str, rows: list[dict[str, Any]], before: int
) -> None:
    function, out = FUNCTIONS[name]
    operator = compiled_rows(SCHEMA, name, function, "process", out=out)
    batch = batch_of(rows, before)
    made = Host(operator.code, operator.output if out else None).process(batch)
    wanted, failed, why = expected(operator, batch)
    assert made.failed == failed
    # Rows that the failing row itself made are not asked for.
    assert plain(rows_made(operator, made))[: len(wanted)] == plain(wanted)
    if failed is None:
        assert len(made.origins) == len(wanted)
    else:
        assert made.message.partition(":")[0] == why.replace("AttributeError", "TypeError")


@settings(deadline=None, max_examples=50)
@given(rows=ROWS, data=st.data())
def test_a_kernel_works_on_some_rows_only(rows: list[dict[str, Any]], data: Any) -> None:
    places = data.draw(st.lists(st.integers(0, 11), unique=True).map(sorted))
    chosen = [place for place in places if place < len(rows)]
    operator = compiled_rows(SCHEMA, "kept", functions.kept, "process")
    made = Host(operator.code, None).process(batch_of(rows, 0), rows=chosen)
    even = [row["n"] is not None and row["n"] % 2 == 0 for row in rows]
    assert made.origins == [place for place in chosen if even[place]]


@settings(deadline=None, max_examples=50)
@given(keys=st.lists(st.integers(0, 5), max_size=40), cut=st.integers(0, 40))
def test_a_state_belongs_to_its_key_and_stays_between_calls(keys: list[int], cut: int) -> None:
    schema = as_schema("k long, n long")
    operator = compiled_rows(
        schema,
        "totals",
        functions.totals,
        "process",
        out="k long, total long, rows int",
        by=["k"],
        state="rows int, total long",
    )
    rows = [{"k": key, "n": key + place} for place, key in enumerate(keys)]
    batch = pa.RecordBatch.from_pylist(rows, schema)
    assert operator.record is not None
    host = Host(operator.code, operator.output, operator.record.size)
    made: list[Any] = []
    for part, part_keys in ((batch[:cut], keys[:cut]), (batch[cut:], keys[cut:])):
        made += rows_made(operator, host.process(part, keys=part_keys))
    wanted = operator.process(batch).to_pydict()
    assert made == list(zip(*wanted.values(), strict=True))


class Nowhere(Host):
    """Columns without a byte lie at no address."""

    def _column(self, array: pa.Array) -> Column:
        column = super()._column(array)
        column.values = 0
        return column


def test_a_column_without_a_byte_need_not_lie_anywhere() -> None:
    def empty(row: Any, out: Any) -> None:
        out.emit(row.s.find(""), "" in row.s, row.s == "", row.s.find("a"), row.s)

    schema = as_schema("s string")
    out = as_schema("a long, b boolean, c boolean, d long, e string")
    operator = compiled_rows(schema, "empty", empty, "process", out=out)
    made = Nowhere(operator.code, out).process(pa.RecordBatch.from_pydict({"s": [""]}, schema))
    assert rows_made(operator, made) == [(0, True, True, -1, b"")]
