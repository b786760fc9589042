"""Values are remembered as Arrow would give them back, or refused."""

from __future__ import annotations

import datetime
import decimal
from typing import Any

import pyarrow as pa
import pytest

from penstock.errors import FlowError
from penstock.state.value_type import ValueType

NOON = datetime.datetime(2024, 5, 1, 12)


@pytest.mark.parametrize(
    ("kind", "value", "remembered"),
    [
        ("double", 1.5, 1.5),
        ("double", 1, 1.0),
        ("float", 0.1, 0.10000000149011612),
        ("bigint", 7, 7),
        ("bigint", -(2**63), -(2**63)),
        ("tinyint", 127, 127),
        ("string", "a", "a"),
        ("binary", b"a", b"a"),
        ("boolean", True, True),
        ("decimal(10,2)", decimal.Decimal("1.5"), decimal.Decimal("1.50")),
        ("date", NOON, NOON.date()),
        ("timestamp_ntz", NOON, NOON),
        ("timestamp", NOON, NOON.replace(tzinfo=datetime.timezone.utc)),
        ("array<double>", (1, 2), [1.0, 2.0]),
        ("map<string, int>", {"a": 1}, {"a": 1}),
        ("struct<a int, b string>", {"a": 1}, {"a": 1, "b": None}),
        ("double", None, None),
        ("array<double>", None, None),
        ("map<string, int>", None, None),
    ],
)
def test_a_value_is_remembered_as_it_would_come_back(
    kind: str, value: Any, remembered: Any
) -> None:
    typed = ValueType.of(kind)
    fitted = typed.fitted(value)
    assert fitted == remembered
    assert type(fitted) is type(remembered)
    assert typed.values(typed.array([fitted])) == [fitted]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("double", "1"),
        ("bigint", 1.5),
        ("bigint", 2**63),
        ("bigint", -(2**63) - 1),
        ("tinyint", 128),
        ("string", 1),
        ("boolean", "yes"),
        ("date", 3.5),
        ("array<int>", 3),
        ("array<int>", ["x"]),
        ("map<string, int>", {"a": "b"}),
    ],
)
def test_a_value_of_another_type_is_refused_with_both(kind: str, value: Any) -> None:
    with pytest.raises(FlowError) as error:
        ValueType.of(kind).fitted(value)
    assert str(error.value).startswith(f"{value!r} does not fit {kind}: ")


def test_types_are_ddl_or_pyarrow() -> None:
    assert ValueType.of("array<int>").kind == ValueType.of(pa.list_(pa.int32())).kind
    with pytest.raises(FlowError, match=r"a type is needed, such as 'double'.*got <class 'float'>"):
        ValueType.of(float)
    with pytest.raises(FlowError, match="double2"):
        ValueType.of("double2")
