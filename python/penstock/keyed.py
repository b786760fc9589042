"""Operators that go by the key of a row; `Flow.key_by` leads here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa

from penstock.agg import Aggregate
from penstock.compiled.methods import CompiledKeyedMethods
from penstock.library.groups import GroupMethods
from penstock.library.keeping_methods import KeyedKeepingMethods
from penstock.library.native_library import KeyedNativeMethods
from penstock.library.pattern_methods import PatternMethods
from penstock.library.window_methods import KeyedWindowMethods
from penstock.operators import Operator
from penstock.row_operator import applied
from penstock.running import RunningAggregate
from penstock.schema import SchemaLike

if TYPE_CHECKING:
    from penstock.flow import Flow

# Adds an operator to a flow: the word for it, its name if one was given, and what builds it.
Then: TypeAlias = "Callable[[str, str | None, Callable[[pa.Schema, str], Operator]], Flow]"


@dataclass(frozen=True)
class KeyedFlow(
    CompiledKeyedMethods,
    KeyedNativeMethods,
    GroupMethods,
    KeyedWindowMethods,
    KeyedKeepingMethods,
    PatternMethods,
):
    """A flow whose next operator goes by the key of each row; made by `Flow.key_by`.

    Such an operator remembers something about every key. Different threads work on different keys
    at the same time, and rows still leave in the order in which they came.

    Attributes:
        then: Adds an operator to the flow.
        columns: What makes up the key.
    """

    then: Then
    columns: tuple[str, ...]

    def running(self, *, name: str | None = None, **aggregates: Aggregate) -> Flow:
        """Add columns: what aggregates over all rows of a row's key are after that row.

        The aggregates are those of `penstock.agg`.

        >>> import penstock
        >>> from penstock import agg
        >>> seen = penstock.flow("f", "host string").key_by("host").running(seen=agg.count())
        >>> seen.run(pa.table({"host": ["a", "b", "a"]})).table["seen"].to_pylist()
        [1, 1, 2]
        """
        return self.then(
            "running",
            name,
            lambda given, n: RunningAggregate.over(given, n, self.columns, aggregates),
        )

    def apply(
        self, operator: Any, out: SchemaLike | None = None, *, name: str | None = None
    ) -> Flow:
        """Give each row to an object that remembers something of the row's key.

        Args:
            operator: Has `process(row)`, which yields rows, or returns None or an iterable of
                rows, and declares what it remembers with `penstock.state`. A row that it makes is
                the row given, a dict, or a tuple in the order of `out`. Every run has a copy.
            out: Schema of the rows it makes, if that is not the schema of the rows it is given.
            name: Name of the operator.

        >>> import penstock
        >>> from penstock import state
        >>> class First:
        ...     seen = state.Value("boolean")
        ...
        ...     def process(self, row):
        ...         if not self.seen.has():
        ...             yield row
        ...         self.seen.put(True)
        >>> first = penstock.flow("f", "host string").key_by("host").apply(First())
        >>> first.run(pa.table({"host": ["a", "b", "a"]})).table["host"].to_pylist()
        ['a', 'b']
        """
        return self.then(
            "apply", name, lambda given, n: applied(given, n, operator, out, self.columns)
        )
