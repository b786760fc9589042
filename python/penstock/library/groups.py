"""Batch functions that go by keys: `KeyedFlow.map_groups` leads here.

>>> given = pa.schema([("host", pa.string()), ("n", pa.int64())])
>>> def total(host, rows):
...     return pa.RecordBatch.from_pydict({"host": [host], "sum": [sum(rows["n"].to_pylist())]})
>>> out = "host string, sum bigint"
>>> sums = KeyedGroups.over(given, "sums", total, ["host"], state=None, out=out)
>>> sums.process(pa.RecordBatch.from_pydict({"host": ["a", "b", "a"], "n": [1, 2, 3]})).to_pylist()
[{'host': 'b', 'sum': 2}, {'host': 'a', 'sum': 4}]
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow as pa

from penstock.errors import FlowError
from penstock.functions import name_of
from penstock.operators import Operator
from penstock.running import check_keys
from penstock.schema import SchemaLike, as_schema, quote
from penstock.state.stores import Stores

if TYPE_CHECKING:
    from penstock.flow import Flow
    from penstock.keyed import Then


@dataclass(frozen=True)
class KeyedGroups(Operator):
    """Gives the rows that each key has in a tuple to a function, with what is known of the key.

    Attributes:
        by: The key columns.
        function: `function(key, rows)`, or `function(key, rows, state)` if there is any state.
        state: What is remembered of each key; None for nothing.
    """

    by: tuple[str, ...]
    function: Any
    state: pa.Schema | None

    kind: ClassVar[str] = "keyed"

    @classmethod
    def over(
        cls,
        given: pa.Schema,
        name: str,
        function: Any,
        by: Sequence[str],
        *,
        state: SchemaLike | None,
        out: SchemaLike | None,
    ) -> KeyedGroups:
        """Check the function and build the operator."""
        check_keys(given, by)
        remembered = None if state is None else as_schema(state)
        _check_function(function, with_state=remembered is not None)
        output = given if out is None else as_schema(out)
        made = cls(name, given, output, tuple(by), function, remembered)
        made.stores()
        return made

    @property
    def body(self) -> str:
        """What it does."""
        return f"map_groups {name_of(self.function)} by {', '.join(map(quote, self.by))}"

    @property
    def key_columns(self) -> list[int]:
        """The keys by position."""
        return [self.input.get_field_index(name) for name in self.by]

    def stores(self) -> Stores:
        """Stores for what it remembers, a field each, still empty."""
        made = Stores(self.name, pa.schema([self.input.field(column) for column in self.by]))
        for field in self.state or ():
            made.create_store(field.name, field.type, "checkpointed")
        return made

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch | None:
        """Apply it to the rows of a batch as if none had come before."""
        from penstock.group_body import GroupBody  # noqa: PLC0415 - it is built on this module

        outcome = GroupBody(self).process(batch)
        if outcome.failure is not None:
            raise outcome.failure
        return outcome.batch


class GroupMethods:
    """Methods of a flow with keys."""

    then: Then
    columns: tuple[str, ...]

    def map_groups(
        self,
        function: Any,
        out: SchemaLike | None = None,
        *,
        state: SchemaLike | None = None,
        name: str | None = None,
    ) -> Flow:
        """Give the rows of each key to a function, tuple by tuple, with what it remembers.

        The function sees batches, so what it is given depends on how rows are cut into tuples
        (`spark.penstock.tuple.rows`), but never on threads or channels. If it returns as many
        rows as it was given, they take the places of those rows; otherwise all of them stand
        where the last of the group's rows stood.

        Args:
            function: `function(key, rows, state)`; without `state=` it is `function(key, rows)`.
                The key is a value, or a tuple of several; the rows are a RecordBatch. It returns
                a RecordBatch, a Table, an iterable of RecordBatch, or None for no rows.
            out: Schema of the rows it returns, if that is not the schema of the rows given.
            state: What it remembers of each key, as in `state="n long, total double"`: a record
                whose fields are read and set as attributes. A field is None at first.
            name: Name of the operator.

        >>> import penstock
        >>> def numbered(host, rows, state):
        ...     first, state.seen = state.seen or 0, (state.seen or 0) + rows.num_rows
        ...     return rows.append_column("nth", pa.array(range(first, state.seen)))
        >>> hosts = penstock.flow("f", "host string").key_by("host")
        >>> nth = hosts.map_groups(numbered, "host string, nth long", state="seen long")
        >>> nth.run(pa.table({"host": ["a", "b", "a"]})).table["nth"].to_pylist()
        [0, 0, 1]
        """
        return self.then(
            "map_groups",
            name,
            lambda given, n: KeyedGroups.over(
                given, n, function, self.columns, state=state, out=out
            ),
        )


def _check_function(function: Any, *, with_state: bool) -> None:
    wanted = "(key, rows, state)" if with_state else "(key, rows)"
    if not callable(function):
        raise FlowError(
            f"map_groups needs a function of {wanted}, got {type(function).__name__} {function!r}"
        )
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # some builtins have no signature to look at
    try:
        signature.bind(*(3 if with_state else 2) * [object()])
    except TypeError as error:
        raise FlowError(
            f"{name_of(function)}{signature} cannot be called with {wanted}: {error}; the state is "
            "given to it exactly if state= declares one"
        ) from None
