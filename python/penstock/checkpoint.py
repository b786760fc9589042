"""What the operators of a flow remember by key, before its first row and after its last.

A state is a table: a row for each key, the key columns first. It can be read with pyarrow, saved
anywhere, and restored into a flow with another number of channels.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from penstock.c_data import CStruct
from penstock.errors import FlowError, did_you_mean
from penstock.operators import Operator
from penstock.parallel import flattened
from penstock.row_operator import FoundRows, KeyedRows
from penstock.spec import FlowSpec
from penstock.state.declared import declared_by

ARRAY_WORDS = 10


class Element(Protocol):
    """What is needed of a processing element."""

    def export_states(self, sink: Callable[[str, int, int], None]) -> None:
        """Call with operator and address: of its schema first, then of each part of its rows."""

    def restore(self, name: str, array_address: int) -> None:
        """Remind an operator of all that one batch says."""


class Checkpoint:
    """What a run is to begin with, and what it left behind.

    Args:
        spec: The flow.
        given: By operator, what it remembers from the beginning.
        keep: Whether to read in the end what operators remember.

    Attributes:
        states: What was read, by operator.
    """

    def __init__(self, spec: FlowSpec, given: Any, *, keep: bool) -> None:
        if given is not None and not isinstance(given, Mapping):
            raise FlowError(
                f"flow '{spec.name}': restore= takes tables by the name of the operator, such as "
                f"the states of a result, got {type(given).__name__}"
            )
        self.states: dict[str, pa.Table] = {}
        self._given: Mapping[str, Any] = given or {}
        self._keep = keep
        self._flow = spec.name
        self._operators = {one.name: one for one in flattened(spec.operators)}

    def restore(self, element: Element) -> None:
        """Remind the operators, before the first row."""
        if not self._given:
            return
        schemas = {name: table.schema for name, table in _states_of(element).items()}
        for name, table in self._given.items():
            if name not in schemas:
                raise FlowError(
                    f"flow '{self._flow}': operator '{name}' remembers nothing by key; "
                    f"{did_you_mean(str(name), schemas)}"
                )
            batch = self._fitted(name, table, schemas[name])
            exported = CStruct(ARRAY_WORDS)
            batch._export_to_c(exported.address)
            element.restore(name, exported.address)

    def save(self, element: Element) -> None:
        """Read what the operators remember, after the last row."""
        if not self._keep:
            return
        for name, table in _states_of(element).items():
            kept = _kept_columns(self._operators[name], table.schema)
            if kept:
                self.states[name] = table.select(kept)

    def _fitted(self, name: str, table: Any, schema: pa.Schema) -> pa.RecordBatch:
        where = f"flow '{self._flow}', operator '{name}'"
        if not isinstance(table, pa.Table):
            raise FlowError(f"{where}: a state is a pyarrow Table, got {type(table).__name__}")
        try:
            table.validate(full=True)
        except pa.ArrowInvalid as error:
            raise FlowError(f"{where}: the state is broken: {error}") from None
        for column in table.schema.names:
            if column not in schema.names:
                raise FlowError(
                    f"{where}: nothing is remembered as '{column}'; "
                    f"{did_you_mean(column, schema.names)}"
                )
        # The engine takes it for granted, because channels have no key in common.
        key = [
            one for one in getattr(self._operators.get(name), "by", ()) if one in table.column_names
        ]
        if key and _keys_of(table, key).group_by(key).aggregate([]).num_rows != table.num_rows:
            raise FlowError(f"{where}: the state is broken: it has a key twice")
        columns = []
        for field in schema:
            if field.name not in table.schema.names:
                columns.append(pa.nulls(table.num_rows, field.type))
                continue
            try:
                columns.append(table[field.name].combine_chunks().cast(field.type))
            except pa.ArrowException as error:
                found = table.schema.field(field.name).type
                raise FlowError(
                    f"{where}: '{field.name}' must be {field.type}, got {found}: {error}"
                ) from None
        return pa.RecordBatch.from_arrays(columns, schema=schema)


def warn_of_loss(spec: FlowSpec, stacklevel: int) -> None:
    """Warn of operators of which a checkpoint keeps nothing, though they remember something."""
    for operator in flattened(spec.operators):
        if isinstance(operator, KeyedRows) and not operator.checkpointed and _stores_of(operator):
            warnings.warn(
                f"flow '{spec.name}', operator '{operator.name}': checkpoint=True keeps nothing of "
                f"it, because {_what_is_transient(operator)}",
                stacklevel=stacklevel + 1,
            )


def _stores_of(operator: KeyedRows) -> list[str]:
    return list(operator.found if isinstance(operator, FoundRows) else declared_by(operator.work))


def _what_is_transient(operator: KeyedRows) -> str:
    names = ", ".join(f"'{name}'" for name in _stores_of(operator))
    if isinstance(operator, FoundRows):
        return (
            f"what was found in its source ({names}) is transient; declare it with penstock.state "
            f'and persistence="checkpointed", behind key_by({", ".join(map(repr, operator.by))})'
        )
    return f'its state ({names}) is transient; declare it with persistence="checkpointed"'


def _keys_of(table: pa.Table, key: list[str]) -> pa.Table:
    """The key columns, with one NaN and one zero, as the engine sees them."""
    return pa.Table.from_arrays([_normal(table[name]) for name in key], names=key)


def _normal(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if not pa.types.is_floating(column.type):
        return column
    plain = pc.add(column, pa.scalar(0.0, column.type))
    return pc.if_else(pc.is_nan(plain), pa.scalar(math.nan, column.type), plain)


def _kept_columns(operator: Operator, schema: pa.Schema) -> list[str]:
    """The key, and what is meant to outlive the run; nothing if that is only the key."""
    if not isinstance(operator, KeyedRows):
        return list(schema.names)
    kept = list(operator.checkpointed)
    return [*operator.by, *kept] if kept else []


def _states_of(element: Element) -> dict[str, pa.Table]:
    schemas: dict[str, pa.Schema] = {}
    batches: dict[str, list[pa.RecordBatch]] = {}

    def add(name: str, schema_address: int, array_address: int) -> None:
        if schema_address:
            schemas[name] = pa.Schema._import_from_c(schema_address)
            batches[name] = []
        else:
            batches[name].append(pa.RecordBatch._import_from_c(array_address, schemas[name]))

    element.export_states(add)
    return {name: pa.Table.from_batches(batches[name], schemas[name]) for name in schemas}
