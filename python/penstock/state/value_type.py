"""The type of what a store holds, and values made to fit it before they are remembered.

A value is remembered as Arrow would give it back, so that it makes no difference to an operator
whether its state was exported and imported in between.

>>> ValueType.of("double").fitted(1)
1.0
>>> ValueType.of("double").fitted("one")  # doctest: +ELLIPSIS
Traceback (most recent call last):
    ...
penstock.errors.FlowError: 'one' does not fit double: ...
"""

from __future__ import annotations

import ctypes
import datetime
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pyarrow import types as is_

from penstock.ddl import parse_type
from penstock.errors import FlowError
from penstock.schema import type_name
from penstock.state.keys import canonical_floats
from penstock.typed_array import UNFIT, typed_array

NOTHING = type(None)


class ValueType:
    """An Arrow type as stores use it.

    Attributes:
        kind: The Arrow type.
        exact: Python types whose values are remembered as they are.
    """

    def __init__(self, kind: pa.DataType) -> None:
        self.kind = kind
        self.exact = frozenset({NOTHING, *_exact(kind)})
        self._is_map = bool(is_.is_map(kind))
        self._whole = _whole_numbers(kind)

    @classmethod
    def of(cls, kind: Any) -> ValueType:
        """Take a DDL type such as `array<int>`, or a pyarrow type."""
        if isinstance(kind, pa.DataType):
            return cls(kind)
        if isinstance(kind, str):
            return cls(parse_type(kind))
        raise FlowError(f"a type is needed, such as 'double' or pa.float64(), got {kind!r}")

    def fitted(self, value: Any) -> Any:
        """The value as it is remembered; FlowError if it is not of the type."""
        if type(value) in self.exact or (type(value) is int and value in self._whole):
            return value
        if is_.is_float32(self.kind) and type(value) is float:
            return ctypes.c_float(value).value
        try:
            made = typed_array([self._for_arrow(value)], self.kind)[0].as_py()
        except UNFIT as error:
            raise FlowError(f"{value!r} does not fit {type_name(self.kind)}: {error}") from None
        return self._remembered(made)

    def array(self, values: Sequence[Any]) -> pa.Array:
        """Remembered values as an Arrow array."""
        if self._is_map:
            values = [self._for_arrow(value) for value in values]
        return typed_array(values, self.kind)

    def values(self, array: pa.Array) -> list[Any]:
        """The values of an array as they are remembered."""
        found: list[Any] = array.to_pylist()
        return [self._remembered(value) for value in found] if self._is_map else found

    def _remembered(self, value: Any) -> Any:
        if not self._is_map or value is None:
            return value
        entries = [entry for entry, _ in value]
        if is_.is_floating(self.kind.key_type):
            entries = canonical_floats(entries)
        return dict(zip(entries, (item for _, item in value), strict=True))

    def _for_arrow(self, value: Any) -> Any:
        return list(value.items()) if self._is_map and isinstance(value, dict) else value


def _exact(kind: pa.DataType) -> tuple[type, ...]:
    for matches, found in (
        (is_.is_float64, float),
        (is_.is_boolean, bool),
        (is_.is_string, str),
        (is_.is_binary, bytes),
        (is_.is_date32, datetime.date),
    ):
        if matches(kind):
            return (found,)
    return ()


def _whole_numbers(kind: pa.DataType) -> range:
    if not is_.is_integer(kind):
        return range(0)
    if is_.is_signed_integer(kind):
        return range(-(2 ** (kind.bit_width - 1)), 2 ** (kind.bit_width - 1))
    return range(2**kind.bit_width)
