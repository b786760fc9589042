"""Union of branches that is ordered by a column in which each of them ascends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from penstock.errors import FlowError, did_you_mean
from penstock.library.branches import Tag
from penstock.library.native_operator import NativeOperator
from penstock.library.two_sides import batch_of, check_kept
from penstock.running import as_key, check_keys
from penstock.schema import quote


@dataclass(frozen=True)
class OrderedUnion(NativeOperator):
    """Lets a row wait until every branch has shown one at least as late, or the input ends."""

    branches: int
    order_by: str

    factory: ClassVar[str] = "ordered_union"
    kind: ClassVar[str] = "stateful"

    @classmethod
    def over(cls, given: pa.Schema, name: str, branches: int, order_by: Any) -> OrderedUnion:
        """Check the column, and build the operator."""
        if order_by not in given.names:
            known = did_you_mean(str(order_by), given.names)
            raise FlowError(f"order_by={order_by!r} is not a column; {known}")
        check_keys(given, [order_by])  # what can be compared can be a key
        check_kept(given)
        return cls(name, tagged(given), given, branches, order_by)

    @property
    def body(self) -> str:
        """What it does."""
        return f"union ordered by {quote(self.order_by)}"

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the engine has to know."""
        return {"branches": self.branches, "order_column": self._place}

    @property
    def _place(self) -> int:
        return int(self.output.get_field_index(self.order_by)) + 1

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch | None:
        """Merge a batch of tagged rows, as it is defined: row by row."""
        made: list[tuple[Any, ...]] = []
        waiting: list[list[tuple[Any, ...]]] = [[] for _ in range(self.branches)]
        latest: list[Any] = [None] * self.branches

        def order(row: tuple[Any, ...]) -> Any:
            value = as_key(row[self._place])
            return (value is not None, value == "NaN", value if value is not None else 0)

        def leave(until: Any) -> None:
            while any(waiting):
                first = min(filter(None, waiting), key=lambda rows: order(rows[0]))
                if until is not None and order(first[0]) > until:
                    return
                made.append(first.pop(0)[1:])

        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            if latest[row[0]] is not None and order(row) < latest[row[0]]:
                raise ValueError(f"column '{self.order_by}' descends")
            latest[row[0]] = order(row)
            waiting[row[0]].append(row)
            if None not in latest:
                leave(min(latest))
        leave(None)
        return batch_of(made, self)


def tagged(given: pa.Schema) -> pa.Schema:
    """Columns of a row of any branch."""
    name = "branch"
    while name in given.names:
        name += "_"
    return pa.schema([pa.field(name, pa.int8()), *given])


def tags(name: str, given: pa.Schema, branches: int) -> list[Tag]:
    """What makes tagged rows of those of each branch."""
    places = tuple(range(len(given)))
    return [
        Tag(f"{name}.{number + 1}", given, tagged(given), number, places)
        for number in range(branches)
    ]
