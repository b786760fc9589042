"""The state that discovery found in a plain operator: its own dictionaries, as stores.

The operator goes on using its dictionaries, and their keys are what Python makes of the columns.
Their values may be anything, so they travel pickled.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from penstock.state.keys import Keys
from penstock.state.stores import Stores
from penstock.state.value_type import ValueType
from penstock.typed_array import typed_array


class PlainKeys(Keys):
    """Keys as an operator writes them: the value of a row's column, or a tuple of several."""

    def __init__(self, schema: pa.Schema, *, in_tuple: bool) -> None:
        super().__init__(schema)
        self._in_tuple = in_tuple

    def of_columns(self, columns: Sequence[pa.Array]) -> list[Any]:
        """The key of every row of these columns."""
        values = [column.to_pylist() for column in columns]
        return list(zip(*values, strict=True)) if self._in_tuple else values[0]

    def columns(self, keys: Sequence[Any]) -> list[pa.Array]:
        """Such keys as columns again."""
        if not self._in_tuple:
            return [typed_array(keys, self.schema.field(0).type)]
        columns: Iterable[Any] = zip(*keys, strict=True) if keys else [()] * len(self.schema)
        fields = zip(columns, self.schema, strict=True)
        return [typed_array(list(values), field.type) for values, field in fields]

    def shown(self, keys: Sequence[Any]) -> list[Any]:
        """They are as they are written."""
        return list(keys)


class Pickled(ValueType):
    """Any value at all."""

    def __init__(self) -> None:
        super().__init__(pa.binary())

    def array(self, values: Sequence[Any]) -> pa.Array:
        """Values on their way."""
        return pa.array([pickle.dumps(value) for value in values], pa.binary())

    def values(self, array: pa.Array) -> list[Any]:
        """Values that have arrived; a key without any has none to read."""
        return [None if value is None else pickle.loads(value) for value in array.to_pylist()]


def found_stores(operator: str, keys: PlainKeys, work: object, found: Sequence[str]) -> Stores:
    """Stores that are the dictionaries of an operator, by the names of its attributes."""
    stores = Stores(operator, keys.schema)
    stores.keys = keys
    for attribute in found:
        # No column is called like this, so nothing is called the same.
        stores.adopt_store(f"self.{attribute}", Pickled(), getattr(work, attribute))
    return stores
