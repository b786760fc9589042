"""Where values lie, and which a function can use."""

from __future__ import annotations

import pyarrow as pa
import pytest

from penstock.compiled.layout import Record, slots, usable_slots
from penstock.errors import FlowError
from penstock.schema import as_schema


def test_every_field_of_a_record_lies_on_a_multiple_of_its_size() -> None:
    record = Record.of("a boolean, b int, c boolean, d double, e short, f decimal(9,2), g date")
    assert record.offsets == (0, 4, 8, 16, 24, 32, 40)
    assert [slot.bits for slot in record.slots] == [8, 32, 8, 64, 16, 64, 32]
    assert record.size == 48


def test_a_decimal_has_the_range_of_its_digits() -> None:
    [slot] = slots(pa.schema([("q", pa.decimal128(4, 2))]))
    assert slot.range == (-9999, 9999)
    assert [one.range for one in slots(as_schema("t tinyint, i int"))] == [
        (-128, 127),
        (-(2**31), 2**31 - 1),
    ]


@pytest.mark.parametrize(
    ("ddl", "advice"),
    [
        ("w decimal(19,0)", "at most 18 digits, or to double"),
        ("a array<int>", "take a plain value out of it before"),
        ("v void", "which a compiled function cannot use"),
    ],
)
def test_what_a_function_cannot_use_comes_with_advice(ddl: str, advice: str) -> None:
    schema = as_schema(ddl)
    assert not slots(schema)[0].usable
    with pytest.raises(FlowError, match=f"column '{schema.names[0]}' is .*{advice}"):
        usable_slots(schema, "column")
