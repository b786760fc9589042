"""Windows one row at a time, as they are defined: what the engine must make of a whole input."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import types as is_

from penstock.running import as_key

if TYPE_CHECKING:
    from penstock.library.window_aggregate import WindowAggregate


@dataclass
class Window:
    """One that closed: its bounds, its rows, and the first row of its key."""

    start: Any
    end: Any
    rows: list[int]
    first: int = 0


@dataclass
class _Key:
    """What is known of a key: windows that are open, in the order in which they end."""

    first: int
    lengths: tuple[Any, ...]
    late: str
    open: list[Window] = field(default_factory=list)
    count: int = 0
    latest: Any = None

    @property
    def watermark(self) -> Any:
        delayed = len(self.lengths) > 3 and self.latest is not None
        return self.latest - self.lengths[3] if delayed else -math.inf

    def close(self, until: Any) -> list[Window]:
        closed = [window for window in self.open if window.end <= until]
        self.open = [window for window in self.open if window.end > until]
        return closed

    def move_on(self, place: Any) -> list[Window]:
        self.latest = place if self.latest is None else max(self.latest, place)
        return self.close(self.watermark)

    def check_late(self, end: Any) -> None:
        if self.late == "error" and end <= self.watermark:
            raise ValueError("the row is late")

    def rows(self, row: int, _place: Any) -> list[Window]:
        size, every, *_ = self.lengths
        self.count += 1
        first = (self.count - 1) // every + 1
        for number in range(first, (self.count - 1 + size) // every + 1):
            if number - first == len(self.open):
                self.open.append(Window(max(0, number * every - size), number * every, []))
            self.open[number - first].rows.append(row)
        return self.close(self.count)

    def delta(self, row: int, place: Any) -> list[Window]:
        closed: list[Window] = []
        if self.open and abs(place - self.open[0].start) > self.lengths[0]:
            closed, self.open = self.open, []
        if not self.open:
            self.open = [Window(place, place, [])]
        self.open[0].rows.append(row)
        self.open[0].end = place
        return closed

    def time(self, row: int, place: Any) -> list[Window]:
        size, every, offset, *_ = self.lengths
        start = (place - offset) // every * every + offset
        self.check_late(start + size)
        while start > place - size and start + size > self.watermark:
            window = next((one for one in self.open if one.start == start), None)
            if window is None:
                window = Window(start, start + size, [])
                self.open = sorted([*self.open, window], key=lambda one: one.start)
            window.rows.append(row)
            start -= every
        return self.move_on(place)

    def gap(self, row: int, place: Any) -> list[Window]:
        session = Window(place, place + self.lengths[0], [row])
        self.check_late(session.end)
        if session.end > self.watermark:
            apart = []
            for other in self.open:
                if other.start <= session.end and session.start <= other.end:
                    start, end = min(other.start, session.start), max(other.end, session.end)
                    session = Window(start, end, sorted([*other.rows, *session.rows]))
                else:
                    apart.append(other)
            self.open = sorted([*apart, session], key=lambda one: one.start)
        return self.move_on(place)

    def rest(self) -> list[Window]:
        for window in self.open:
            window.end = min(window.end, self.count) if self.count else window.end
        return self.open


@dataclass
class _SlidingDelta(_Key):
    """Rows within a difference of the newest; a window that closes stays open as well."""

    places: list[tuple[Any, int]] = field(default_factory=list)
    closed_at: Any = None

    def delta(self, row: int, place: Any) -> list[Window]:
        size, every, *_ = self.lengths
        closed: list[Window] = []
        if self.closed_at is None or abs(place - self.closed_at) > every:
            closed, self.closed_at = self.rest(), place
        self.places.append((place, row))
        while abs(place - self.places[0][0]) > size:
            self.places.pop(0)
        return closed

    def rest(self) -> list[Window]:
        if not self.places:
            return []
        rows = [row for _, row in self.places]
        return [Window(self.places[0][0], self.places[-1][0], rows)]


def closed_windows(operator: WindowAggregate, batch: pa.RecordBatch) -> Iterator[Window]:
    """The windows of a batch that is the whole input, in the order in which they leave."""
    keys = list(zip(*(batch[name].to_pylist() for name in operator.by), strict=True))
    slides = operator.windows.shape == "sliding" and operator.windows.unit == "delta"
    make = _SlidingDelta if slides else _Key
    known: dict[Any, _Key] = {}
    for row, place in enumerate(_places(operator, batch)):
        key = tuple(map(as_key, keys[row])) if keys else ()
        state = known.setdefault(key, make(row, operator.lengths, operator.windows.late))
        if place is None:
            continue
        take = getattr(state, operator.windows.unit)
        for window in take(row, place):
            window.first = state.first
            yield window
    if operator.flush:
        for key in sorted(known, key=lambda each: [_order(value) for value in each]):
            for window in known[key].rest():
                window.first = known[key].first
                yield window


def _places(operator: WindowAggregate, batch: pa.RecordBatch) -> list[Any]:
    if operator.on is None:
        return [0] * batch.num_rows
    column = batch[operator.on]
    if is_.is_date32(column.type):
        column = column.cast(pa.int32())
    elif is_.is_timestamp(column.type):
        column = column.cast(pa.int64())
    values = column.to_pylist()
    return [None if value is None or value != value else value for value in values]  # noqa: PLR0124


def _order(value: Any) -> tuple[int, Any]:
    """Null before everything else, NaN behind it, strings by their bytes."""
    if value is None:
        return 0, 0
    if value == "NaN":
        return 2, 0
    return 1, value.encode() if isinstance(value, str) else value
