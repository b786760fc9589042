"""A row for each item of a list.

>>> given = pa.schema([("host", pa.string()), ("tags", pa.list_(pa.string()))])
>>> each = Explode.over(given, "each", "tags", into="tag", position="place")
>>> batch = pa.RecordBatch.from_pydict({"host": ["a", "b"], "tags": [["x", "y"], []]}, given)
>>> each.process(batch).to_pydict()
{'host': ['a', 'a'], 'tag': ['x', 'y'], 'place': [0, 1]}
>>> each.body
'explode tags into tag, place'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa
from pyarrow import types as is_

from penstock.arguments import check_column
from penstock.errors import FlowError, did_you_mean
from penstock.library.native_operator import NativeOperator
from penstock.schema import quote, type_name


@dataclass(frozen=True)
class Explode(NativeOperator):
    """Makes a row of each item of a list, with the item in the place of the list.

    Attributes:
        column: The list.
        outer: Whether a list without items, or none at all, makes a row with null.
        position: Whether the last column says where in its list an item was.
    """

    column: str
    outer: bool
    position: bool

    factory: ClassVar[str] = "explode"

    @classmethod
    def over(
        cls,
        given: pa.Schema,
        name: str,
        column: str,
        *,
        into: str | None = None,
        outer: bool = False,
        position: str | None = None,
    ) -> Explode:
        """Check the column and build the operator."""
        if column not in given.names:
            raise FlowError(f"unknown column {column!r}; {did_you_mean(str(column), given.names)}")
        place = given.get_field_index(column)
        found = given.field(place).type
        if not (is_.is_list(found) or is_.is_large_list(found) or is_.is_fixed_size_list(found)):
            raise FlowError(f"column '{column}' is {type_name(found)}, and must be an array")
        item = pa.field(into or column, found.value_type, outer or found.value_field.nullable)
        output = given.set(place, item)
        if position is not None:
            output = output.append(pa.field(position, pa.int32(), outer))
        for new in (into, position):
            if new is None:
                continue
            check_column(new)
            if output.names.count(new) > 1:
                raise FlowError(f"column '{new}' is there already; choose another name")
        return cls(name, given, output, column, outer, position is not None)

    @property
    def body(self) -> str:
        """What it does."""
        made = [name for name in self.output.names if name not in self.input.names]
        into = f" into {', '.join(map(quote, made))}" if made else ""
        return f"explode{' outer' if self.outer else ''} {quote(self.column)}{into}"

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the engine has to know."""
        return {
            "column": self.input.get_field_index(self.column),
            "outer": self.outer,
            "position": self.position,
        }

    @property
    def kept(self) -> Mapping[str, str]:
        """All columns but the list stay."""
        return {name: name for name in self.input.names if name != self.column}

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Make the rows, one after another."""
        nothing: list[Any] = [None] if self.outer else []
        rows, items, places = list[int](), list[Any](), list[int | None]()
        for row, given in enumerate(batch.column(self.column).to_pylist()):
            rows += [row] * len(given or nothing)
            items += given or nothing
            places += range(len(given)) if given else nothing
        columns = batch.take(pa.array(rows, pa.int64())).columns
        at = self.input.get_field_index(self.column)
        columns[at] = pa.array(items, self.output.field(at).type)
        if self.position:
            columns.append(pa.array(places, pa.int32()))
        return pa.RecordBatch.from_arrays(columns, schema=self.output)
