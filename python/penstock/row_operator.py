"""Operators that work row by row, in Python: `Flow.apply` and `KeyedFlow.apply` lead here.

>>> given = pa.schema([("n", pa.int64())])
>>> twice = applied(given, "twice", lambda row: [row, row], None)
>>> twice.process(pa.RecordBatch.from_pydict({"n": [1, 2]}, given)).to_pydict()
{'n': [1, 1, 2, 2]}
>>> twice.kind
'stateless'
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from penstock.errors import FlowError
from penstock.functions import name_of
from penstock.operators import Operator
from penstock.running import check_keys
from penstock.schema import SchemaLike, as_schema, quote
from penstock.state.declared import declared_by
from penstock.state.stores import Stores


@dataclass(frozen=True)
class RowOperator(Operator):
    """Gives each row to a function, which makes any number of rows of it."""

    work: Any

    @property
    def body(self) -> str:
        """What it does."""
        return f"apply {name_of(self.work)}"

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch | None:
        """Apply it to the rows of a batch as if none had come before."""
        from penstock.row_body import process_once  # noqa: PLC0415 - it is built on this module

        return process_once(self, batch)


@dataclass(frozen=True)
class StatefulRows(RowOperator):
    """Gives each row to an object that may remember what it likes."""

    kind: ClassVar[str] = "stateful"


@dataclass(frozen=True)
class KeyedRows(RowOperator):
    """Gives each row to an object that remembers something of every key."""

    by: tuple[str, ...]

    kind: ClassVar[str] = "keyed"

    @property
    def body(self) -> str:
        """What it does."""
        return f"apply {name_of(self.work)} by {', '.join(map(quote, self.by))}"

    @property
    def key_columns(self) -> list[int]:
        """The keys by position."""
        return [self.input.get_field_index(name) for name in self.by]

    @property
    def checkpointed(self) -> tuple[str, ...]:
        """The state that is meant to outlive a run."""
        declared = declared_by(self.work).items()
        return tuple(name for name, one in declared if one.persistence == "checkpointed")

    def stores(self) -> Stores:
        """Stores for what it remembers, still empty and its own."""
        return Stores(self.name, pa.schema([self.input.field(column) for column in self.by]))


def applied(
    given: pa.Schema,
    name: str,
    work: Any,
    out: SchemaLike | None,
    by: Sequence[str] | None = None,
) -> RowOperator:
    """Check what was given to `apply`, and build the operator.

    Args:
        given: Schema of the rows.
        name: Name of the operator.
        work: An object with `process(row)`, or a function of a row.
        out: Schema of the rows it makes; None if it is that of the rows given.
        by: The key columns; None if it does not go by keys.
    """
    if by is not None:
        check_keys(given, by)
    output = given if out is None else as_schema(out)
    if isinstance(work, type):
        raise FlowError(f"an operator is needed, got its class; write {work.__name__}(...)")
    if not hasattr(work, "process"):
        _check_row_function(work, work)
        return RowOperator(name, given, output, work)
    _check_row_function(work.process, work)
    declared = declared_by(work)
    if by is None:
        if declared:
            raise FlowError(
                f"{type(work).__name__} declares state for each key ({', '.join(declared)}), so it "
                "needs keys: write key_by(...).apply(...)"
            )
        _check_finish(work)
        return StatefulRows(name, given, output, work)
    if hasattr(work, "finish"):
        raise FlowError(
            f"{type(work).__name__}.finish cannot be called by key: at the end no row says which "
            "key it would be for; remove it, or apply the operator without key_by"
        )
    made = KeyedRows(name, given, output, work, tuple(by))
    _check_state(made)
    return made


def _check_state(made: KeyedRows) -> None:
    stores = made.stores()
    for name, declared in declared_by(made.work).items():
        stores.create_store(name, declared.kind, declared.persistence)


def _check_finish(work: Any) -> None:
    finish = getattr(work, "finish", None)
    if finish is not None and not callable(finish):
        raise FlowError(f"{type(work).__name__}.finish must be a method, got {finish!r}")


def _check_row_function(function: Any, work: Any) -> None:
    if not callable(function):
        raise FlowError(
            "apply needs an object with process(row), or a function of a row, got "
            f"{type(work).__name__} {work!r}"
        )
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # some builtins have no signature to look at
    try:
        signature.bind(object())
    except TypeError as error:
        raise FlowError(
            f"{name_of(function)}{signature} cannot be called with one row: {error}"
        ) from None
