"""The rows of one tuple on their way into the ports of a loop.

A loop goes on exactly where in the input its wait comes true. Rows are not looked at one by one
for that: where each port's rows are in the tuple is found once, and then it is arithmetic.

>>> left, right = (InPort(name, pa.schema([("n", pa.int64())])) for name in ("left", "right"))
>>> arrivals = Arrivals([left, right], Tagged((0, 1), (pa.schema([("n", pa.int64())]),) * 2, ((1,), (1,))))
>>> arrivals.begin(pa.RecordBatch.from_pydict({"port": pa.array([0, 0, 1], "int8"), "n": [1, 2, 3]}))
>>> arrivals.due(Wait("all", {"left": 1, "right": 1}))
2
>>> arrivals.deliver(2)
>>> len(left), len(right)
(2, 1)
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from penstock.loops.ports import InPort
from penstock.loops.waits import Wait

NOW = -1  # a wait that needs no row of the tuple


@dataclass(frozen=True)
class Tagged:
    """How rows of several ports come in one stream.

    Attributes:
        tags: The number in the first column, for each port.
            A row with the tag ~n says that no more come for the port n.
        schemas: Columns, for each port.
        places: Where these are in a tagged row, for each port.
    """

    tags: tuple[int, ...]
    schemas: tuple[pa.Schema, ...]
    places: tuple[tuple[int, ...], ...]


class _Coming:
    """The rows of one port in the tuple that is being given."""

    __slots__ = ("_end", "given", "places", "port", "total")

    def __init__(self, port: InPort) -> None:
        self.port = port
        self.given = 0  # so many have arrived
        self.total = 0
        self.places: Sequence[int] = range(0)
        self._end: int | None = None  # the row of the tuple behind which none come

    def begin(self, places: Sequence[int], end: int | None = None) -> None:
        self.places = places
        self.total = len(places)
        self.given = 0
        self._end = end

    def place_of(self, more: int) -> int | None:
        """In which row of the tuple the port will have got so many more; None behind it."""
        if more <= 0:
            return NOW
        last = self.given + more
        return self.places[last - 1] if last <= self.total else None

    def over_at(self, count: int) -> int | None:
        """From which row on it will never hold so many; None if it does or still may."""
        if self.port.rows + self.total - self.given >= count:
            return None
        return NOW if self.port.closed else self._end

    def deliver(self, row: int) -> None:
        if self.given < self.total:
            arrived = bisect_right(self.places, row, self.given)
            self.port.arrive(arrived - self.given)
            self.given = arrived
        if self._end is not None and self._end <= row:
            self.port.closed = True


class Arrivals:
    """Gives the rows of a tuple to the ports, as far as the loop wants them.

    Attributes:
        rows: Of the tuple.
        at: So many of them have arrived.
    """

    def __init__(self, ports: Sequence[InPort], tagged: Tagged | None) -> None:
        self.rows = 0
        self.at = 0
        self._tagged = tagged
        self._ports = {port.name: _Coming(port) for port in ports}

    def begin(self, batch: pa.RecordBatch) -> None:
        """Take a tuple; the one before it has arrived."""
        self.rows = batch.num_rows
        self.at = 0
        coming = list(self._ports.values())
        if self._tagged is None:
            coming[0].port.put(batch)
            coming[0].begin(range(self.rows))
            return
        tags = batch.column(0)
        ends = self.rows > 0 and pc.min(tags).as_py() < 0
        each = zip(
            coming, self._tagged.tags, self._tagged.schemas, self._tagged.places, strict=True
        )
        for one, tag, schema, columns in each:
            found = pc.indices_nonzero(pc.equal(tags, pa.scalar(tag, tags.type)))
            end = pc.index(tags, pa.scalar(~tag, tags.type)).as_py() if ends else -1
            one.begin(_as_numbers(found), None if end < 0 else end)
            if one.total:
                arrays = [batch.column(place) for place in columns]
                rows = pa.RecordBatch.from_arrays(arrays, schema=schema)
                one.port.put(rows if one.total == self.rows else rows.take(found))

    def due(self, wait: Wait) -> int | None:
        """The row of the tuple with which a wait comes true; `NOW` if it is, None if behind."""
        places = []
        for name, count in wait.counts.items():
            one = self._ports[name]
            place = one.place_of(count - one.port.rows)
            if place is not None:
                places.append(place)
                if wait.word == "any" and place == NOW:
                    return NOW
            elif wait.word == "all":
                return None
        if not places:
            return None
        return max(places) if wait.word == "all" else min(places)

    def over(self, wait: Wait) -> int | None:
        """The row with which a wait that nothing makes true is over; `NOW` if it is, else None."""
        places = [self._ports[name].over_at(count) for name, count in wait.counts.items()]
        known = [place for place in places if place is not None]
        if wait.word == "all":
            return min(known, default=None)
        return max(known) if known and len(known) == len(places) else None

    def overflow(self, capacity: int) -> tuple[int, InPort] | None:
        """The row with which a port first holds more rows than it may, and the port."""
        first: tuple[int, InPort] | None = None
        for one in self._ports.values():
            place = one.place_of(max(capacity + 1 - one.port.rows, 1))
            if place is not None and (first is None or place < first[0]):
                first = place, one.port
        return first

    def deliver(self, row: int) -> None:
        """Let all rows up to this one arrive."""
        self.at = row + 1
        for one in self._ports.values():
            one.deliver(row)

    def deliver_rest(self) -> None:
        """Let all rows arrive."""
        if self.at < self.rows:
            self.deliver(self.rows - 1)


def _as_numbers(indices: pa.Array) -> Sequence[int]:
    if not len(indices):
        return range(0)
    return memoryview(indices.buffers()[1]).cast("Q")[
        indices.offset : indices.offset + len(indices)
    ]
