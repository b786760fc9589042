"""Windows: which rows of a key an aggregate is about.

>>> tumbling(rows=100)
tumbling(rows=100)
>>> sliding(time="10 minutes", every="5 minutes", on="ts", watermark="1 minute")
sliding(time='10 minutes', every='5 minutes', on='ts', watermark='1 minute')

Rows are taken in the order in which they come, each key for itself, so the result is the same
whatever the number of threads, and SPL's and Spark's words both have their meaning:

| here | SPL | Spark |
|---|---|---|
| `tumbling(rows=n)` | `tumbling, count(n)` | |
| `sliding(rows=n, every=m)` | `sliding, count(n), count(m)` | |
| `tumbling(delta=x, on="c")` | `tumbling, delta(c, x)` | |
| `sliding(delta=x, every=y, on="c")` | `sliding, delta(c, x), delta(c, y)` | |
| `tumbling(time=, on=)` | | `window(ts, "10 minutes")` |
| `sliding(time=, every=, on=)` | | `window(ts, "10 minutes", "5 minutes")` |
| `session(gap=, on=)` | | `session_window(ts, "5 minutes")` |
| `watermark=` | | `withWatermark(ts, "1 minute")`, but by key |
| `key_by("k").window(...)` | `partitioned` | `groupBy("k", window(...))` |

**Rows.** A window closes with every `every`-th row of the key and holds its last `rows`; the first
ones hold fewer. `window_start` and `window_end` are numbers of rows of the key, counted from 0, the
end excluded.

**Delta.** The difference, up or down, between values of a column. A tumbling window holds rows that
are within `delta` of its first row; the row that is farther off begins the next one. A sliding
window holds the rows behind the last one that was farther than `delta` from the newest; it closes,
before a row is taken in, when that row is farther than `every` from the one at which it closed
before. `window_start` and `window_end` are the values of its first and of its last row.

**Time.** Windows `[window_start, window_end)` of event time, aligned to 1970-01-01 in UTC, or to
`offset` behind it. The watermark of a key is its latest time less `watermark`; a window closes when
it ends there or before. Unlike Spark's, every key has its own watermark: what a key gets then does
not depend on other keys, on how they are spread over partitions, or on when a batch ends. Windows
without a key have one watermark for all rows. Without `watermark=` no window closes before the end.

**Sessions.** Rows of which none is more than `gap` from the next; a session ends `gap` behind its
last row. A row between two sessions makes them one, and so rows are kept until theirs closes.

A row whose windows have all closed is *late*: left out as Spark does, or an error with
`late="error"`. The metrics of a run count what was left out (`metrics.operator("name").late`). A row
whose column `on` is null or NaN is in no window.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from penstock.durations import nanoseconds, text_of
from penstock.errors import FlowError

Shape: TypeAlias = Literal["tumbling", "sliding", "session"]
Unit: TypeAlias = Literal["rows", "delta", "time", "gap"]
Late: TypeAlias = Literal["drop", "error"]
LATE = ("drop", "error")


@dataclass(frozen=True, repr=False)
class Windows:
    """What `tumbling`, `sliding` and `session` make.

    Attributes:
        shape: Which of them.
        unit: What a length is of: rows, differences or time.
        size: How long a window is; of time, in nanoseconds.
        every: From one window to the next.
        on: The column that places a row.
        watermark: How far it is behind the latest time; None for no watermark.
        offset: Where windows of time begin.
        late: What happens to late rows.
    """

    shape: Shape
    unit: Unit
    size: Any
    every: Any
    on: str | None = None
    watermark: int | None = None
    offset: int = 0
    late: Late = "drop"

    def __repr__(self) -> str:
        words: dict[str, Any] = {self.unit: self.size}
        if self.shape == "sliding":
            words["every"] = self.every
        if self.unit in {"time", "gap"}:
            words = {word: text_of(length) for word, length in words.items()}
        words["on"] = self.on
        words["watermark"] = None if self.watermark is None else text_of(self.watermark)
        words["offset"] = text_of(self.offset) if self.offset else None
        words["late"] = None if self.late == "drop" else self.late
        given = (f"{word}={value!r}" for word, value in words.items() if value is not None)
        return f"{self.shape}({', '.join(given)})"


def tumbling(
    *,
    rows: int | None = None,
    delta: Any = None,
    time: Any = None,
    on: str | None = None,
    watermark: Any = None,
    offset: Any = None,
    late: Late = "drop",
) -> Windows:
    """Windows one behind the other, by exactly one of `rows`, `delta` and `time`.

    Args:
        rows: How many rows of a key.
        delta: Largest difference to the first row in column `on`: a number, or a length of time
            where that holds dates or timestamps.
        time: A length of event time, such as `10 minutes` or a timedelta.
        on: The column that `delta` or `time` is about.
        watermark: With `time`: how much later than others of its key a row may come.
        offset: With `time`: where windows begin, from 1970-01-01 on.
        late: With a watermark: `drop` or `error`.

    >>> tumbling(delta=0.5, on="volts")
    tumbling(delta=0.5, on='volts')
    """
    size = _only({"rows": rows, "delta": delta, "time": time}, "tumbling")
    placed = {"on": on, "watermark": watermark, "offset": offset, "late": late}
    return _checked("tumbling", size, size[1], **placed)


def sliding(
    *,
    every: Any,
    rows: int | None = None,
    delta: Any = None,
    time: Any = None,
    on: str | None = None,
    watermark: Any = None,
    offset: Any = None,
    late: Late = "drop",
) -> Windows:
    """Windows that overlap: as `tumbling`, but another one at every `every`.

    A row is taken in once for each window that it is in.

    >>> sliding(rows=100, every=10)
    sliding(rows=100, every=10)
    """
    size = _only({"rows": rows, "delta": delta, "time": time}, "sliding")
    placed = {"on": on, "watermark": watermark, "offset": offset, "late": late}
    return _checked("sliding", size, every, **placed)


def session(*, gap: Any, on: str, watermark: Any = None, late: Late = "drop") -> Windows:
    """Windows between pauses of more than `gap`.

    >>> session(gap="5 minutes", on="ts", watermark="1 hour", late="error")
    session(gap='5 minutes', on='ts', watermark='1 hour', late='error')
    """
    return _checked(
        "session", ("gap", gap), gap, on=on, watermark=watermark, offset=None, late=late
    )


def _only(sizes: dict[Unit, Any], shape: Shape) -> tuple[Unit, Any]:
    given = [(unit, size) for unit, size in sizes.items() if size is not None]
    if len(given) == 1:
        return given[0]
    which = " and ".join(f"{unit}=" for unit, _ in given) or "none of them"
    raise FlowError(f"{shape}() takes exactly one of rows=, delta= and time=, got {which}")


def _checked(
    shape: Shape,
    size: tuple[Unit, Any],
    every: Any,
    *,
    on: Any,
    watermark: Any,
    offset: Any,
    late: Any,
) -> Windows:
    unit, length = size
    if unit in {"time", "gap"}:
        length, every = _time(shape, unit, length), _time(shape, "every", every)
    elif unit == "rows":
        _check_rows(shape, "rows", length)
        _check_rows(shape, "every", every)
    if (on is None) == (unit != "rows") or not isinstance(on, str | None):
        wanted = "has no on=" if unit == "rows" else "needs on=, the name of a column"
        raise FlowError(f"{shape}({unit}=...) {wanted}, got {on!r}")
    if unit not in {"time", "gap"} and not (watermark is offset is None and late == "drop"):
        raise FlowError(
            f"watermark=, offset= and late= are for windows of time, not for {shape}({unit}=...)"
        )
    if late not in LATE:
        raise FlowError(f"late= is 'drop' or 'error', got {late!r}")
    delay = None if watermark is None else _time(shape, "watermark", watermark, 0)
    begin = 0 if offset is None else _time(shape, "offset", offset, 0)
    if unit != "delta" and every > length:
        raise FlowError(
            f"{shape}(): every= is more than {unit}=, so rows between two windows would be in "
            "none; filter out what is not wanted before"
        )
    return Windows(shape, unit, length, every, on, delay, begin, late)


def _check_rows(shape: Shape, word: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise FlowError(f"{shape}(): {word}= is a number of rows, got {value!r}")
    _at_least(shape, word, value, 1)


def _time(shape: Shape, word: str, value: Any, least: int = 1) -> int:
    try:
        length = nanoseconds(value)
    except FlowError as error:
        raise FlowError(f"{shape}(): {word}=: {error}") from None
    return _at_least(shape, word, length, least)


def _at_least(shape: Shape, word: str, value: int, least: int) -> int:
    if value < least:
        raise FlowError(f"{shape}(): {word}= must be {'more' if least else 'not less'} than 0")
    return value
