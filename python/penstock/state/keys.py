"""Keys as Python remembers them: equal in a dict exactly if the engine takes them for equal.

>>> keys = Keys(pa.schema([("x", pa.float64())]))
>>> len(set(keys.of_columns([pa.array([0.0, -0.0, float("nan"), float("nan"), None])])))
3
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa
from pyarrow import types as is_

from penstock.errors import FlowError
from penstock.schema import quote, type_name
from penstock.typed_array import UNFIT, typed_array

NAN = math.nan  # a dict finds this very object, though it is equal to nothing


class Keys:
    """The key columns of an operator.

    A key of one column is its value, a key of several is a tuple. Within one column all values
    are of one type, so that 1, 1.0 and True never meet.

    Attributes:
        schema: The key columns; a dictionary is not kept, because it is not part of the values.
    """

    def __init__(self, schema: pa.Schema) -> None:
        self.schema = pa.schema([field.with_type(_decoded(field.type)) for field in schema])
        self._columns = [_Column(field.type) for field in self.schema]

    def of_columns(self, columns: Sequence[pa.Array]) -> list[Any]:
        """The key of every row of these columns."""
        remembered = [
            column.remembered(values) for column, values in zip(self._columns, columns, strict=True)
        ]
        return remembered[0] if len(remembered) == 1 else list(zip(*remembered, strict=True))

    def of_value(self, key: Any) -> Any:
        """A key that a user wrote: a value, or a tuple of them for several columns."""
        if len(self._columns) == 1:
            values: Sequence[Any] = (key,)
        elif isinstance(key, tuple) and len(key) == len(self._columns):
            values = key
        else:
            raise FlowError(
                f"a key here is a tuple of {len(self._columns)} values, "
                f"({', '.join(map(quote, self.schema.names))}), got {key!r}"
            )
        try:
            arrays = [typed_array([v], f.type) for v, f in zip(values, self.schema, strict=True)]
        except UNFIT as error:
            kinds = ", ".join(type_name(field.type) for field in self.schema)
            raise FlowError(f"{key!r} cannot be a key of type {kinds}: {error}") from None
        return self.of_columns(arrays)[0]

    def columns(self, keys: Sequence[Any]) -> list[pa.Array]:
        """Remembered keys as columns again."""
        if len(self._columns) == 1:
            return [self._columns[0].array(keys)]
        of_columns: Iterable[Any] = zip(*keys, strict=True) if keys else [()] * len(self._columns)
        return [c.array(values) for c, values in zip(self._columns, of_columns, strict=True)]

    def shown(self, keys: Sequence[Any]) -> list[Any]:
        """Remembered keys as their values are written."""
        of_columns = [column.to_pylist() for column in self.columns(keys)]
        return of_columns[0] if len(of_columns) == 1 else list(zip(*of_columns, strict=True))


class _Column:
    """One key column: how its values are remembered."""

    def __init__(self, kind: pa.DataType) -> None:
        self._kind = kind
        # As datetimes two instants are equal when a clock that was set back shows the same twice.
        is_whole = is_.is_temporal(kind) and not is_.is_interval(kind)
        self._as_whole = (pa.int32() if kind.bit_width == 32 else pa.int64()) if is_whole else None
        self._is_float = bool(is_.is_floating(kind))

    def remembered(self, column: pa.Array) -> list[Any]:
        if is_.is_dictionary(column.type):
            column = column.dictionary_decode()
        if self._as_whole is not None:
            column = column.view(self._as_whole)
        values: list[Any] = column.to_pylist()
        return canonical_floats(values) if self._is_float else values

    def array(self, values: Sequence[Any]) -> pa.Array:
        if self._as_whole is not None:
            return pa.array(values, self._as_whole).view(self._kind)
        return pa.array(values, self._kind)


def canonical_floats(values: Iterable[Any]) -> list[Any]:
    """Floats as they are found in a dict: all NaN are one, and -0.0 is 0.0."""
    return [v if v is None else NAN if v != v else v + 0.0 for v in values]  # noqa: PLR0124


def _decoded(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if is_.is_dictionary(kind) else kind
