"""Operators that work row by row, as they run: one instance with what it remembers.

Columns become Python lists once for each batch, and what is made becomes columns again once.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import pyarrow as pa

from penstock.errors import FlowError
from penstock.functions import name_of
from penstock.row_operator import FoundRows, KeyedRows, RowOperator
from penstock.row_output import RowOutput, UnfitRow
from penstock.rows import row_class
from penstock.state.declared import bind
from penstock.state.limit import Limit
from penstock.state.of_key import Scope
from penstock.state.stores import Stores
from penstock.state.undeclared import Undeclared


@dataclass
class Outcome:
    """What became of the rows of a batch.

    Attributes:
        batch: The rows made; None if there are none.
        origins: From which row of the batch each of them came.
        failed_at: The row that could not be worked on; what it and those behind it would have
            made is not there.
        failure: Why.
    """

    batch: pa.RecordBatch | None
    origins: list[int]
    failed_at: int = 0
    failure: Exception | None = None


class RowBody:
    """One running instance of an operator: nothing it remembers is seen by another.

    Attributes:
        stores: What it remembers of its keys; None if it does not go by keys.
        limit: Of the memory for that, where there is any.
        finishes: Whether it has something to do behind the last row.
    """

    def __init__(
        self, operator: RowOperator, *, most_bytes: int = 0, taken: dict[int, int] | None = None
    ) -> None:
        work = _own(operator)
        row = row_class(operator.input.names)
        self._work = work
        self._call: Callable[[Any], Any] = getattr(work, "process", work)
        self._new_row = row
        self._output = RowOutput(operator.work, row, operator.output)
        self._scope = Scope(operator.name)
        self.stores: Stores | None = None
        self.finishes = operator.kind == "stateful" and hasattr(work, "finish")
        self._goes_by_scope = False
        self._undeclared: Undeclared | None = None
        if isinstance(operator, FoundRows):
            self.stores = operator.stores_in(work)
            self.limit = Limit(self.stores, most_bytes, taken)
        elif isinstance(operator, KeyedRows):
            self._goes_by_scope = True
            self.stores = operator.stores()
            self.limit = Limit(self.stores, most_bytes, taken)
            self._places = operator.key_columns
            bind(work, self.stores, self._scope)
            self._undeclared = Undeclared(work)

    def process(self, batch: pa.RecordBatch) -> Outcome:
        """Work on the rows of a batch, one by one, up to the first that fails."""
        columns = [column.to_pylist() for column in batch.columns]
        rows = map(self._new_row, zip(*columns, strict=True))
        keys: Iterable[Any] = repeat(None)
        if self.stores is not None and self._goes_by_scope:
            keys = self.stores.keys.of_columns([batch.column(place) for place in self._places])
        made, origins, failed_at, failure = self._each(rows, keys)
        if failure is None and self._undeclared is not None:
            self._undeclared.check()
        if failure is None and self.stores is not None:
            self.limit.check(batch.num_rows)
        return self._as_columns(made, origins, failed_at, failure)

    def finish(self) -> pa.RecordBatch | None:
        """Take what the operator makes behind the last row."""
        made = self._work.finish()
        values = [] if made is None else map(self._output.values_of, self._output.rows_of(made))
        try:
            return self._output.batch(list(values))
        except UnfitRow as unfit:
            raise unfit.why from None

    def _each(
        self, rows: Iterable[Any], keys: Iterable[Any]
    ) -> tuple[list[tuple[Any, ...]], list[int], int, Exception | None]:
        call, scope, output = self._call, self._scope, self._output
        iterables, as_is, values_of = output.iterables, output.as_is, output.values_of
        made: list[tuple[Any, ...]] = []
        origins: list[int] = []
        place = 0
        try:
            for place, (row, key) in enumerate(zip(rows, keys, strict=False)):
                scope.key = key
                returned = call(row)
                if returned is None:
                    continue
                if type(returned) not in iterables:
                    returned = output.rows_of(returned)
                for one in returned:
                    made.append(one if type(one) is as_is else values_of(one))
                    origins.append(place)
        except Exception as error:  # noqa: BLE001 - it is the user's, and told with its row
            return made, origins, place, error
        finally:
            scope.leave()
        return made, origins, place, None

    def _as_columns(
        self,
        made: list[tuple[Any, ...]],
        origins: list[int],
        failed_at: int,
        failure: Exception | None,
    ) -> Outcome:
        if failure is not None:
            _cut(made, origins, failed_at)
        try:
            batch = self._output.batch(made)
        except UnfitRow as unfit:
            failed_at, failure = origins[unfit.place], unfit.why
            _cut(made, origins, failed_at)
            batch = self._output.batch(made)
        return Outcome(batch, origins, failed_at, failure)


def process_once(operator: RowOperator, batch: pa.RecordBatch) -> pa.RecordBatch | None:
    """Apply an operator to the rows of a batch as if none had come before."""
    outcome = RowBody(operator).process(batch)
    if outcome.failure is not None:
        raise outcome.failure
    return outcome.batch


def _cut(made: list[tuple[Any, ...]], origins: list[int], row: int) -> None:
    """Drop what a row, and those behind it, made."""
    while origins and origins[-1] >= row:
        origins.pop()
        made.pop()


def _own(operator: RowOperator) -> Any:
    if operator.kind == "stateless":
        return operator.work
    try:
        return copy.deepcopy(operator.work)
    except Exception as error:
        raise FlowError(
            f"operator '{operator.name}': {name_of(operator.work)} cannot be copied, but every run "
            f"needs one of its own: {type(error).__name__}: {error}"
        ) from error
