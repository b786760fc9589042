"""Aggregates of the rows of windows; `penstock.windows` says what these are.

>>> from penstock import agg, windows
>>> given = pa.schema([("k", pa.string()), ("n", pa.int64())])
>>> sums = {"sum": agg.sum("n")}
>>> made = WindowAggregate.over(given, "w", ["k"], windows.tumbling(rows=2), sums, flush=True)
>>> batch = pa.RecordBatch.from_pydict({"k": ["a", "b", "a"], "n": [1, 2, 3]}, given)
>>> made.process(batch).to_pylist()[0]
{'k': 'a', 'window_start': 0, 'window_end': 2, 'sum': 4}
>>> made.body
'window tumbling(rows=2) by k, flushed at the end: sum = sum(n)'
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa
from pyarrow import types as is_

from penstock.agg import Aggregate
from penstock.durations import nanoseconds, ticks
from penstock.errors import FlowError, did_you_mean
from penstock.library.native_operator import NativeOperator
from penstock.library.window_reference import closed_windows
from penstock.running import ROWS, RunningAggregate, check_keys
from penstock.schema import quote, type_name
from penstock.windows import Windows

NO_COLUMN = -1
BOUNDS = ("window_start", "window_end")
FLUSH = (
    "say with flush= what happens to windows that are still open when the input ends: flush=True "
    "makes rows of them as they are, flush=False leaves them out"
)


@dataclass(frozen=True)
class WindowAggregate(NativeOperator):
    """Makes a row of each window when it closes: the key, its bounds, and aggregates of its rows.

    Attributes:
        by: The key columns; none for windows over all rows.
        windows: What the windows are.
        aggregates: Of the rows of each.
        flush: Whether windows that are open at the end leave.
        lengths: `size`, `every`, `offset` and, if there is one, `watermark`, in the units of the
            column that places a row.
    """

    by: tuple[str, ...]
    windows: Windows
    aggregates: tuple[Aggregate, ...]
    flush: bool
    lengths: tuple[Any, ...]

    factory: ClassVar[str] = "windows"

    @classmethod
    def over(
        cls,
        given: pa.Schema,
        name: str,
        by: Sequence[str],
        windows: Any,
        aggregates: Mapping[str, Any],
        *,
        flush: Any,
    ) -> WindowAggregate:
        """Check everything and build the operator."""
        if by:
            check_keys(given, by)
        if not isinstance(windows, Windows):
            raise FlowError(
                "window() takes what penstock.windows makes, such as windows.tumbling(rows=100), "
                f"got {windows!r}"
            )
        if not isinstance(flush, bool):
            raise FlowError(FLUSH + ("" if flush is None else f"; got flush={flush!r}"))
        if not flush and windows.unit in {"time", "gap"} and windows.watermark is None:
            raise FlowError(
                f"{windows} closes no window before the end, and with flush=False nothing would "
                "ever leave; give it a watermark=, or say flush=True"
            )
        lengths = _lengths(given, windows)
        fields = [given.field(column) for column in by] + _bounds(given, windows)
        for column in by:
            _check_plain(given, column)
        for column, made in aggregates.items():
            if not isinstance(made, Aggregate):
                raise FlowError(f"{column}= must be an aggregate such as agg.count(), got {made!r}")
            fields.append(pa.field(column, made.type_over(given), nullable=not made.is_count))
            if made.column is not None and _keeps_rows(windows):
                _check_plain(given, made.column)
        if not aggregates:
            raise FlowError("name at least one aggregate, as in agg(n=agg.count())")
        names = [field.name for field in fields]
        for column in names:
            if names.count(column) > 1:
                raise FlowError(f"column '{column}' would occur twice in the output; rename one")
        made = tuple(aggregates.values())
        return cls(name, given, pa.schema(fields), tuple(by), windows, made, flush, lengths)

    @property
    def kind(self) -> str:
        """What it remembers between rows."""
        return "keyed" if self.by else "stateful"

    @property
    def body(self) -> str:
        """What it does."""
        names = self.output.names[len(self.by) + len(BOUNDS) :]
        made = (f"{quote(n)} = {one}" for n, one in zip(names, self.aggregates, strict=True))
        by = f" by {', '.join(map(quote, self.by))}" if self.by else ""
        flushed = "flushed" if self.flush else "dropped"
        return f"window {self.windows}{by}, {flushed} at the end: {', '.join(made)}"

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the engine has to know."""
        size, every, offset, *watermark = self.lengths
        sliding_delta = self.windows.unit == "delta" and self.windows.shape == "sliding"
        kinds = {"gap": "session", "delta": "sliding_delta" if sliding_delta else "delta"}
        return {
            "kind": kinds.get(self.windows.unit, self.windows.unit),
            "keys": [self.input.get_field_index(column) for column in self.by],
            # A region may have turned the columns of the key; the output has them as they were.
            "shown": [self.input.get_field_index(n) for n in self.output.names[: len(self.by)]],
            "aggregates": [
                (
                    one.function,
                    ROWS if one.column is None else self.input.get_field_index(one.column),
                )
                for one in self.aggregates
            ],
            "flush": self.flush,
            "on": NO_COLUMN if self.on is None else self.input.get_field_index(self.on),
            "size": _as_word(size),
            "every": _as_word(every),
            "offset": offset,
            "watermark": watermark[0] if watermark else None,
            "late_fails": self.windows.late == "error",
        }

    @property
    def kept(self) -> Mapping[str, str]:
        """The columns of the key."""
        return {column: column for column in self.by}

    @property
    def on(self) -> str | None:
        """The column that places a row."""
        return self.windows.on

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Apply it to a batch as if it were the whole input."""
        closed = list(closed_windows(self, batch))
        keys = self.output.names[: len(self.by)]
        first = pa.array([w.first for w in closed], pa.int64())
        columns = [batch[name].take(first) for name in keys]
        start = self.output.field(BOUNDS[0]).type
        columns += [
            _from_words([w.start for w in closed], start),
            _from_words([w.end for w in closed], start),
        ]
        made = [self._aggregated(batch.take(pa.array(w.rows, pa.int64()))) for w in closed]
        for place, field in enumerate(list(self.output)[len(columns) :]):
            columns.append(pa.array([values[place] for values in made], field.type))
        return pa.RecordBatch.from_arrays(columns, schema=self.output)

    def _aggregated(self, rows: pa.RecordBatch) -> list[Any]:
        """The aggregates behind the last of the rows, all of which are of one window."""
        one = pa.field("the window", pa.int8())
        running = RunningAggregate.over(
            rows.schema.append(one),
            self.name,
            [one.name],
            {f"aggregate {i}": each for i, each in enumerate(self.aggregates)},
        )
        marked = rows.append_column(one, pa.array([0] * rows.num_rows, pa.int8()))
        last = running.process(marked).slice(rows.num_rows - 1)
        return [column[0].as_py() for column in last.columns[marked.num_columns :]]


def _keeps_rows(windows: Windows) -> bool:
    return windows.unit == "gap" or (windows.unit == "delta" and windows.shape == "sliding")


def _bounds(given: pa.Schema, windows: Windows) -> list[pa.Field]:
    found = pa.int64() if windows.on is None else given.field(windows.on).type
    return [pa.field(name, found, nullable=False) for name in BOUNDS]


def _lengths(given: pa.Schema, windows: Windows) -> tuple[Any, ...]:
    if windows.on is None:
        return windows.size, windows.every, 0
    if windows.on not in given.names:
        raise FlowError(
            f"{windows}: unknown column '{windows.on}'; {did_you_mean(windows.on, given.names)}"
        )
    found = given.field(windows.on).type
    is_time = is_.is_timestamp(found) or is_.is_date32(found)
    if windows.unit == "delta":
        return _delta(windows, "delta", found), _delta(windows, "every", found), 0
    if not is_time:
        raise FlowError(
            f"{windows}: column '{windows.on}' is {type_name(found)}, and must be a timestamp or a "
            "date; for windows over other values take delta="
        )
    words = {windows.unit: windows.size, "every": windows.every, "offset": windows.offset}
    if windows.watermark is not None:
        words["watermark"] = windows.watermark
    most = 2 ** (28 if is_.is_date32(found) else 60)
    lengths = tuple(ticks(length, found, f"{word}=") for word, length in words.items())
    if max(lengths) >= most:
        raise FlowError(f"{windows} is longer than a column of {type_name(found)} can tell")
    return lengths


def _delta(windows: Windows, word: str, found: pa.DataType) -> Any:
    value = windows.size if word == "delta" else windows.every
    if is_.is_timestamp(found) or is_.is_date32(found):
        length: Any = ticks(nanoseconds(value), found, f"{word}=")
    elif is_.is_signed_integer(found) or is_.is_float32(found) or is_.is_float64(found):
        floating = is_.is_floating(found)
        fits = isinstance(value, (int, float) if floating else int) and not isinstance(value, bool)
        if not fits:
            kind = "a number" if floating else "a whole number"
            raise FlowError(f"{windows}: {word}= must be {kind}, as column '{windows.on}' is")
        length = float(value) if floating else value
    else:
        raise FlowError(
            f"{windows}: column '{windows.on}' is {type_name(found)}, and must be a whole number, "
            "a float, a double, a date or a timestamp"
        )
    if not 0 <= length < (math.inf if isinstance(length, float) else 2**63):
        raise FlowError(f"{windows}: {word}= must be 0 or more, and fit into the column")
    return length


def _check_plain(given: pa.Schema, column: str) -> None:
    found = given.field(column).type
    is_view = is_.is_string_view(found) or is_.is_binary_view(found)
    if is_.is_nested(found) or is_.is_dictionary(found) or is_view:
        raise FlowError(
            f"column '{column}' is {found}, which cannot be kept between rows; take a plain "
            "value out of it, or cast it, first"
        )


def _as_word(length: Any) -> int:
    """A length as the engine has it: that of doubles by its bits."""
    if isinstance(length, float):
        return int(struct.unpack("<q", struct.pack("<d", length))[0])
    return int(length)


def _from_words(values: list[Any], found: pa.DataType) -> pa.Array:
    if is_.is_floating(found):
        return pa.array(values, found)
    # Arrow makes dates of 32 bits only.
    whole = pa.int32() if is_.is_date32(found) else pa.int64()
    return pa.array(values, whole).cast(found)
