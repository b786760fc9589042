"""The ports of a driver loop, as its function sees them.

>>> port = InPort("left", pa.schema([("n", pa.int64())]))
>>> port.put(pa.RecordBatch.from_pydict({"n": [1, 2, 3]}))
>>> port.arrive(2)
>>> port.rows, port.take(1)["n"].to_pylist(), port.peek()["n"].to_pylist()
(2, [1], [2])
>>> port.take(2)
Traceback (most recent call last):
    ...
penstock.errors.FlowError: port 'left' holds 1 row, so take(2) cannot be; wait for them with \
`yield wait_all(left=2)`, or take() what is there
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Literal

import pyarrow as pa

from penstock.errors import FlowError, did_you_mean
from penstock.fit import Fit
from penstock.functions import advice_for, check_whole
from penstock.loops.stopping import Stop

MORE_ROOM = (
    "a larger capacity= or grow=True to loop(...), or set spark.penstock.loop.capacity higher"
)


class InPort:
    """Rows that wait for a loop, in the order in which they came.

    Attributes:
        name: Name of the port.
        schema: Columns of its rows.
        kind: What its rows do; those of a `data` port can be waited for, those of a `control`
            port came round a circle and wake nobody.
        rows: How many wait; `len(port)` is the same.
        closed: Whether no more will come. What waits can still be taken.
    """

    def __init__(
        self, name: str, schema: pa.Schema, kind: Literal["data", "control"] = "data"
    ) -> None:
        self.name = name
        self.schema = schema
        self.kind = kind
        self.rows = 0
        self.closed = False
        self._batches: deque[pa.RecordBatch] = deque()
        self._taken = 0  # rows of the first batch that are gone
        self._empty = pa.RecordBatch.from_arrays(
            [pa.nulls(0, f.type) for f in schema], schema=schema
        )

    def __len__(self) -> int:
        return self.rows

    def __bool__(self) -> bool:
        return self.rows > 0

    def take(self, rows: int | None = None) -> pa.RecordBatch:
        """Take exactly so many rows from the front, or all that wait."""
        wanted = self._checked("take", rows)
        self.rows -= wanted
        return self._front(wanted, keep=False)

    def peek(self, rows: int | None = None) -> pa.RecordBatch:
        """Look at exactly so many rows at the front, or at all that wait; they stay."""
        return self._front(self._checked("peek", rows), keep=True)

    def put(self, batch: pa.RecordBatch) -> None:
        """Put rows behind the others. They wait for the loop once they `arrive`."""
        if batch.num_rows:
            self._batches.append(batch)

    def arrive(self, rows: int) -> None:
        """Let so many more of the rows that were put here wait for the loop."""
        self.rows += rows

    def come_round(self, batch: pa.RecordBatch, capacity: int | None) -> None:
        """Let rows wait here that came round a circle, unless they are too many."""
        self.put(batch)
        self.arrive(batch.num_rows)
        if capacity is not None and self.rows > capacity:
            raise FlowError(
                f"control port '{self.name}' would hold {self.rows:,} rows, and may hold "
                f"{capacity:,}; take them with {self.name}.take(), or give {MORE_ROOM}"
            )

    def clear(self) -> None:
        """Forget every row: nobody will take them."""
        self._batches.clear()
        self.rows = self._taken = 0

    @property
    def nbytes(self) -> int:
        """What the rows take, as far as batches of them are still here."""
        return sum(batch.nbytes for batch in self._batches)

    def _checked(self, word: str, rows: Any) -> int:
        if rows is None:
            return self.rows
        if not isinstance(rows, int) or isinstance(rows, bool) or rows < 0:
            raise FlowError(
                f"port '{self.name}': {word}({rows!r}) needs a whole number of rows from 0"
            )
        if rows > self.rows:
            held = "1 row" if self.rows == 1 else f"{self.rows:,} rows"
            raise FlowError(
                f"port '{self.name}' holds {held}, so {word}({rows}) cannot be; wait for them "
                f"with `yield wait_all({self.name}={rows})`, or {word}() what is there"
            )
        return rows

    def _front(self, wanted: int, *, keep: bool) -> pa.RecordBatch:
        if wanted == 0:
            return self._empty
        first = self._batches[0]
        if self._taken + wanted < first.num_rows:
            made = first.slice(self._taken, wanted)
            if not keep:
                self._taken += wanted
            return made
        return self._over_batches(wanted, keep=keep)

    def _over_batches(self, wanted: int, *, keep: bool) -> pa.RecordBatch:
        parts, at, place = [], self._taken, 0
        while wanted:
            batch = self._batches[place]
            count = min(wanted, batch.num_rows - at)
            parts.append(batch.slice(at, count))
            wanted -= count
            at += count
            if at == batch.num_rows:
                at = 0
                if keep:
                    place += 1
                else:
                    self._batches.popleft()
        if not keep:
            self._taken = at
        return parts[0] if len(parts) == 1 else one_batch(parts, self.schema)


class OutPort:
    """Where a loop puts what it makes.

    Attributes:
        name: Name of the port.
        schema: Columns that were declared for it.
    """

    def __init__(
        self,
        name: str,
        schema: pa.Schema,
        push: Callable[[pa.RecordBatch | None], None],
        *,
        stop: Stop | None = None,
        full_check: bool = False,
    ) -> None:
        self.name = name
        self.schema = schema
        self._push = push
        self._stop = stop or Stop()
        self._full_check = full_check
        self._fit = Fit(schema)

    @property
    def stopped(self) -> bool:
        """Whether the flow was stopped: nobody gets what is pushed, so the loop may return."""
        return self._stop.is_set

    def push(self, rows: Any) -> None:
        """Send rows on: a RecordBatch, a Table, a list of dicts, or a dict of columns."""
        try:
            for batch in self._batches_of(rows):
                if batch.num_rows:
                    self._push(self._fit(batch))
        except FlowError as error:
            raise FlowError(f"{self.name}.push: {error}") from error.__cause__

    def punctuate(self) -> None:
        """Put a mark behind the rows that were pushed, on every output of the loop."""
        self._push(None)

    def _batches_of(self, rows: Any) -> list[pa.RecordBatch]:
        if self._full_check and isinstance(rows, (pa.RecordBatch, pa.Table)):
            check_whole(rows, "the loop")
        if isinstance(rows, pa.RecordBatch):
            return [rows]
        if isinstance(rows, pa.Table):
            return [one_batch(rows.to_batches(), rows.schema)] if rows.num_rows else []
        if isinstance(rows, dict):
            self._check_names(rows)
            return [self._made(lambda: pa.RecordBatch.from_pydict(rows, self.schema))]
        if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
            for row in rows:
                self._check_names(row)
            return [self._made(lambda: pa.RecordBatch.from_pylist(rows, self.schema))]
        raise FlowError(
            "takes a RecordBatch, a Table, a list of dicts or a dict of columns, got "
            f"{type(rows).__name__}{advice_for(rows)}"
        )

    def _check_names(self, given: dict[str, Any]) -> None:
        for name in given:
            if name not in self.schema.names:
                known = did_you_mean(str(name), self.schema.names)
                raise FlowError(f"{name!r} is not a column of this port; {known}")
        for name in self.schema.names:
            if name not in given:
                raise FlowError(f"column '{name}' is missing; {did_you_mean(name, given)}")

    def _made(self, make: Callable[[], pa.RecordBatch]) -> pa.RecordBatch:
        try:
            return make()
        except (pa.ArrowException, TypeError, ValueError) as error:
            raise FlowError(f"values do not fit the columns: {error}") from error


def one_batch(parts: list[pa.RecordBatch], schema: pa.Schema) -> pa.RecordBatch:
    """Join batches of rows into one."""
    batches = (
        pa.Table.from_batches(parts, schema).unify_dictionaries().combine_chunks().to_batches()
    )
    if len(batches) > 1:
        raise FlowError(
            "rows at once exceed 2 GiB in a column; take fewer of them, or set "
            "spark.penstock.tuple.rows so that fewer come at a time"
        )
    return batches[0]
