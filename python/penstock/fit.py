"""Does a batch fit a declared schema, and what must be done to make it fit.

Labels do not matter (a timestamp's zone, nullability, metadata, the name of a list's
element): such batches pass untouched. The same values in another encoding (large, view or
dictionary), and nulls that have no type, are cast. Anything else is an error that says what came and what was declared.

>>> fit = Fit(pa.schema([("host", pa.string())]))
>>> fit(pa.RecordBatch.from_pydict({"host": pa.array(["a"], pa.large_string())})).schema.field("host").type
DataType(string)
>>> fit(pa.RecordBatch.from_pydict({"host": [1]}))
Traceback (most recent call last):
    ...
penstock.errors.FlowError: column 'host' was declared string but is bigint
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa
from pyarrow import types as is_

from penstock.errors import FlowError, did_you_mean
from penstock.schema import type_name


@dataclass(frozen=True, slots=True)
class _Column:
    index: int
    name: str
    cast_to: pa.DataType | None


class Fit:
    """Makes batches fit one declared schema; remembers how for the schema it saw last.

    With `by_name`, columns are picked by name, so that their order is free and columns that
    are not declared are left out; otherwise names and their order must be as declared.
    """

    def __init__(self, declared: pa.Schema, *, by_name: bool = False) -> None:
        self._declared = declared
        self._by_name = by_name
        self._not_null = [place for place, field in enumerate(declared) if not field.nullable]
        # In one piece: without a GIL several threads may use and replace it at the same time.
        self._seen: tuple[pa.Schema, list[_Column] | None] | None = None

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return a batch of the declared columns; the very same one wherever possible."""
        found = batch.schema
        seen = self._seen
        plan = seen[1] if seen is not None and found.equals(seen[0]) else self._planned(found)
        if plan is not None:
            columns = [_cast(batch.column(column.index), column) for column in plan]
            batch = pa.RecordBatch.from_arrays(columns, names=[c.name for c in plan])
        # Spark leaves out null checks where it is told NOT NULL, so the promise must be true.
        for place in self._not_null:
            if batch.column(place).null_count:
                name = self._declared.field(place).name
                raise FlowError(f"column '{name}' was declared NOT NULL but holds a null")
        return batch

    def check(self, found: pa.Schema) -> None:
        """Raise FlowError if batches of the schema `found` cannot be made to fit."""
        self._planned(found)

    def _planned(self, found: pa.Schema) -> list[_Column] | None:
        """What has to be done to batches of a schema, which is remembered; None for nothing."""
        if not self._by_name and found.names != self._declared.names:
            raise FlowError(
                f"columns {_listed(self._declared)} were declared but {_listed(found)} came"
            )
        plan = [self._column(field, found) for field in self._declared]
        untouched = len(found) == len(plan) and all(
            column.index == position and column.cast_to is None
            for position, column in enumerate(plan)
        )
        needed = None if untouched else plan
        self._seen = (found, needed)
        return needed

    def _column(self, field: pa.Field, found: pa.Schema) -> _Column:
        places = found.get_all_field_indices(field.name)
        if not places:
            raise FlowError(
                f"column '{field.name}' was declared but is missing; "
                f"{did_you_mean(field.name, found.names)}"
            )
        if len(places) > 1:
            raise FlowError(f"column '{field.name}' occurs {len(places)} times; rename the others")
        came = found.field(places[0]).type
        if _unlabelled(came) == _unlabelled(field.type):
            return _Column(places[0], field.name, None)
        if _same_values(came, field.type):
            return _Column(places[0], field.name, field.type)
        raise FlowError(
            f"column '{field.name}' was declared {type_name(field.type)} but is {type_name(came)}"
        )


def _cast(values: pa.Array, column: _Column) -> pa.Array:
    if column.cast_to is None:
        return values
    try:
        return values.cast(column.cast_to)
    except pa.ArrowException as error:
        raise FlowError(
            f"column '{column.name}' could not be cast from {values.type} to {column.cast_to}"
        ) from error


def _listed(schema: pa.Schema) -> str:
    return ", ".join(f"'{name}'" for name in schema.names) or "none"


def _same_values(came: pa.DataType, declared: pa.DataType) -> bool:
    """Whether values can be cast without a change; those of no type at all are all null."""
    if is_.is_null(came):
        return True
    if is_.is_list(came) and is_.is_list(declared):
        return _same_values(came.value_type, declared.value_type)
    if is_.is_struct(came) and is_.is_struct(declared):
        came_members, declared_members = list(came), list(declared)
        return [m.name for m in came_members] == [m.name for m in declared_members] and all(
            _same_values(ours.type, theirs.type)
            for ours, theirs in zip(came_members, declared_members, strict=True)
        )
    return bool(_unencoded(came) == _unencoded(declared))


def _unlabelled(kind: pa.DataType) -> pa.DataType:
    """Drop from a type what is not part of its memory layout or its meaning."""
    if is_.is_timestamp(kind):
        return pa.timestamp(kind.unit, tz="UTC" if kind.tz else None)
    return _rebuilt(kind, _unlabelled)


def _unencoded(kind: pa.DataType) -> pa.DataType:
    """Drop from a type how its values are encoded, keeping what they mean."""
    if is_.is_dictionary(kind):
        return _unencoded(kind.value_type)
    if is_.is_large_list(kind):
        return pa.list_(_unencoded(kind.value_type))
    plain = PLAIN.get(str(kind))
    return _rebuilt(_unlabelled(kind), _unencoded) if plain is None else plain


# By name, because the oldest pyarrow supported has no views.
PLAIN = {
    "large_string": pa.string(),
    "string_view": pa.string(),
    "large_binary": pa.binary(),
    "binary_view": pa.binary(),
}


def _rebuilt(kind: pa.DataType, part: Callable[[pa.DataType], pa.DataType]) -> pa.DataType:
    """Build a type again of changed parts, without nullability and element names."""
    if is_.is_struct(kind):
        members = (kind.field(i) for i in range(kind.num_fields))
        return pa.struct([(member.name, part(member.type)) for member in members])
    if is_.is_map(kind):
        return pa.map_(part(kind.key_type), part(kind.item_type))
    if is_.is_dictionary(kind):
        return pa.dictionary(kind.index_type, part(kind.value_type), kind.ordered)
    if is_.is_fixed_size_list(kind):
        return pa.list_(part(kind.value_type), kind.list_size)
    if is_.is_list(kind) or is_.is_large_list(kind):
        build = pa.list_ if is_.is_list(kind) else pa.large_list
        return build(part(kind.value_type))
    return kind
