"""Operators that work row by row, in Python: `Flow.apply` and `KeyedFlow.apply` lead here.

>>> given = pa.schema([("n", pa.int64())])
>>> twice = applied(given, "twice", lambda row: [row, row], None)
>>> twice.process(pa.RecordBatch.from_pydict({"n": [1, 2]}, given)).to_pydict()
{'n': [1, 1, 2, 2]}
>>> twice.kind
'stateless'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pyarrow as pa

from penstock.discovery import Discovery, discover
from penstock.errors import FlowError
from penstock.functions import check_takes_one, name_of
from penstock.operators import Operator
from penstock.running import check_keys
from penstock.schema import SchemaLike, as_schema, quote
from penstock.state.declared import declared_by
from penstock.state.found import PlainKeys, found_stores
from penstock.state.stores import Stores
from penstock.state.undeclared import attribute_set_by, undeclared


@dataclass(frozen=True)
class RowOperator(Operator):
    """Gives each row to a function, which makes any number of rows of it.

    Attributes:
        work: The function, or an object with `process(row)`.
        reason: Why it has the kind it has, where that was found out from its source.
    """

    work: Any
    reason: str = field(default="", kw_only=True)

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


@dataclass(frozen=True)
class FoundRows(KeyedRows):
    """Gives each row to a plain object whose dictionaries go by a key, as its source says.

    Attributes:
        found: The attributes that hold the dictionaries.
        in_tuple: Whether these are indexed by a tuple.
    """

    found: tuple[str, ...] = field(kw_only=True)
    in_tuple: bool = field(kw_only=True)

    def stores_in(self, work: object) -> Stores:
        """The dictionaries of one instance."""
        keys = pa.schema([self.input.field(column) for column in self.by])
        return found_stores(self.name, PlainKeys(keys, in_tuple=self.in_tuple), work, self.found)


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
        return _discovered(name, given, output, work)
    if hasattr(work, "finish"):
        raise FlowError(
            f"{type(work).__name__}.finish cannot be called by key: at the end no row says which "
            "key it would be for; remove it, or apply it without key_by"
        )
    if not declared:
        return _keyed_as_found(name, given, output, work, by=tuple(by))
    changed = attribute_set_by(work.process)
    if changed and changed not in declared:
        raise undeclared(work, changed)
    made = KeyedRows(name, given, output, work, tuple(by))
    _check_state(made)
    return made


def _discovered(name: str, given: pa.Schema, output: pa.Schema, work: Any) -> RowOperator:
    """Run a plain object by key if its source proves that it can, and serially otherwise."""
    if hasattr(work, "finish"):
        why = f"serial: {type(work).__name__}.finish is called once, behind the rows of all keys"
        return StatefulRows(name, given, output, work, reason=why)
    found = discover(work, given.names)
    if found.key == ():
        return RowOperator(name, given, output, work, reason=found.reason)
    try:
        if found.key is not None:
            check_keys(given, found.key)
            return _found_rows(name, given, output, work, found)
    except FlowError as error:
        return StatefulRows(name, given, output, work, reason=f"serial: {error}")
    return StatefulRows(name, given, output, work, reason=found.reason)


def _found_rows(
    name: str, given: pa.Schema, output: pa.Schema, work: Any, found: Discovery
) -> FoundRows:
    return FoundRows(
        *(name, given, output, work, found.key or ()),
        found=found.stores,
        in_tuple=found.in_tuple,
        reason=found.reason,
    )


def _keyed_as_found(
    name: str, given: pa.Schema, output: pa.Schema, work: Any, *, by: tuple[str, ...]
) -> RowOperator:
    """Let an object without declared state run by key if nothing of it would be left behind."""
    found = discover(work, given.names)
    if found.key == ():
        return KeyedRows(name, given, output, work, by, reason=found.reason)
    if found.key is not None and set(found.key) == set(by):
        return _found_rows(name, given, output, work, found)
    raise FlowError(
        f"what {type(work).__name__} remembers could not follow its keys ({found.reason}); declare "
        "it with penstock.state, or apply it without key_by"
    )


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
    check_takes_one(function, "row")
