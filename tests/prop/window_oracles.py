"""What windows are, said again: in SQL where they close at the end, else row by row of the past."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import duckdb
import pyarrow as pa

Row = tuple[Any, ...]  # k, t, v

MEANS = """count(*), count(v), sum(v), min(v), max(v), avg(v)::DOUBLE,
    arg_min(v, i), arg_max(v, i)"""  # the first and the last to come that are known
BEHIND = "ORDER BY k NULLS FIRST, 2, 3"


@dataclass(frozen=True)
class Lengths:
    """Of windows, in the units of the column t, or in rows."""

    size: int
    every: int
    offset: int = 0
    watermark: int | None = None


def _query(text: str, table: pa.Table) -> list[Row]:
    with duckdb.connect() as connection:
        connection.register("given", table.append_column("i", pa.array(range(table.num_rows))))
        return connection.execute(text).fetchall()


def rows_in_sql(table: pa.Table, by: Lengths, means: str = MEANS) -> list[Row]:
    """Windows of rows, in the order in which they leave; those at the end by key."""
    return _query(
        f"""
        WITH numbered AS (
          SELECT *, row_number() OVER (PARTITION BY k ORDER BY i) - 1 AS n,
            count(*) OVER (PARTITION BY k) AS total FROM given
        ), placed AS (
          SELECT *, unnest(range(n // {by.every} + 1, (n + {by.size}) // {by.every} + 1)) AS w
          FROM numbered
        ), made AS (
          SELECT k, greatest(0, w * {by.every} - {by.size}) AS s,
            least(w * {by.every}, any_value(total)) AS e, {means},
            CASE WHEN w * {by.every} <= any_value(total) THEN max(i) END AS closed, w
          FROM placed GROUP BY k, w
        )
        SELECT * EXCLUDE (closed, w) FROM made ORDER BY closed NULLS LAST, k NULLS FIRST, w
        """,
        table,
    )


def time_in_sql(table: pa.Table, by: Lengths, means: str = MEANS) -> list[Row]:
    """Windows of time that all close at the end, in the order of key and time."""
    first = f"(floor((t - {by.offset}) / {by.every}) * {by.every} + {by.offset})::BIGINT"
    return _query(
        f"""
        WITH placed AS (
          SELECT *, unnest(range({first} - {by.size // by.every * by.every}, {first} + 1,
            {by.every})) AS s FROM given WHERE t IS NOT NULL
        )
        SELECT k, s, s + {by.size}, {means} FROM placed WHERE s > t - {by.size}
        GROUP BY k, s {BEHIND}
        """,
        table,
    )


def sessions_in_sql(table: pa.Table, by: Lengths) -> list[Row]:
    """Sessions that all close at the end, in the order of key and time."""
    return _query(
        f"""
        WITH marked AS (
          SELECT *, t - lag(t) OVER (PARTITION BY k ORDER BY t) > {by.size} AS begins
          FROM given WHERE t IS NOT NULL
        ), numbered AS (
          SELECT *, count(*) FILTER (begins) OVER (PARTITION BY k ORDER BY t) AS session FROM marked
        )
        SELECT k, min(t), max(t) + {by.size}, {MEANS} FROM numbered GROUP BY k, session {BEHIND}
        """,
        table,
    )


@dataclass
class Closed:
    """A window, and the row that closed it; None for the end."""

    row: int | None
    start: int
    end: int
    rows: list[int]


def time_of_key(rows: list[tuple[int, int]], by: Lengths) -> Iterator[Closed]:
    """Of (number, time) of one key: a window has the rows that came before its watermark."""
    assert by.watermark is not None
    latest = [max(t for _, t in rows[: i + 1]) for i in range(len(rows))]
    starts = {
        start
        for _, t in rows
        for start in range(t - by.size + 1, t + 1)
        if (start - by.offset) % by.every == 0
    }
    for start in sorted(starts):
        end = start + by.size
        open_until = next((i for i, t in enumerate(latest) if t - by.watermark >= end), None)
        # The row that closes it came before the watermark moved.
        taken = rows if open_until is None else rows[: open_until + 1]
        inside = [row for row, t in taken if start <= t < end]
        if inside:
            yield Closed(None if open_until is None else rows[open_until][0], start, end, inside)


def sessions_of_key(rows: list[tuple[int, int]], by: Lengths) -> Iterator[Closed]:
    """Of (number, time) of one key: islands of the rows that have not left."""
    assert by.watermark is not None
    here: list[tuple[int, int]] = []  # time, number
    latest: int | None = None
    for row, t in rows:
        if latest is None or t + by.size > latest - by.watermark:
            here.append((t, row))
        latest = t if latest is None else max(latest, t)
        for island in list(_islands(sorted(here), by.size)):
            end = island[-1][0] + by.size
            if end <= latest - by.watermark:
                yield Closed(row, island[0][0], end, sorted(number for _, number in island))
                here = [one for one in here if one not in island]
    for island in _islands(sorted(here), by.size):
        rest = sorted(number for _, number in island)
        yield Closed(None, island[0][0], island[-1][0] + by.size, rest)


def _islands(points: list[tuple[int, int]], gap: int) -> Iterator[list[tuple[int, int]]]:
    island: list[tuple[int, int]] = []
    for point in points:
        if island and point[0] - island[-1][0] > gap:
            yield island
            island = []
        island.append(point)
    if island:
        yield island


def delta_of_key(rows: list[tuple[int, int]], by: Lengths) -> Iterator[Closed]:
    """Of (number, value) of one key, cut where a value is too far from the first of its window."""
    while rows:
        far = (i for i, (_, v) in enumerate(rows) if abs(v - rows[0][1]) > by.size)
        cut = next(far, len(rows))
        closed = rows[cut][0] if cut < len(rows) else None
        yield Closed(closed, rows[0][1], rows[cut - 1][1], [row for row, _ in rows[:cut]])
        rows = rows[cut:]


def sliding_delta_of_key(rows: list[tuple[int, int]], by: Lengths) -> Iterator[Closed]:
    """Of (number, value) of one key: before each row that closes, the window is looked up anew."""
    closed_at = rows[0][1] if rows else 0
    for i in range(1, len(rows) + 1):
        ended = i == len(rows)
        if not ended and abs(rows[i][1] - closed_at) <= by.every:
            continue
        window = rows[_oldest(rows[:i], by.size) : i]
        yield Closed(
            None if ended else rows[i][0], window[0][1], window[-1][1], [row for row, _ in window]
        )
        closed_at = closed_at if ended else rows[i][1]


def _oldest(rows: list[tuple[int, int]], size: int) -> int:
    """The oldest leaves first: a row behind one that stays stays, too."""
    oldest = 0
    for _, value in rows:
        while abs(rows[oldest][1] - value) > size:
            oldest += 1
    return oldest


OF_KEY = {
    "time": time_of_key,
    "gap": sessions_of_key,
    "delta": delta_of_key,
    "sliding_delta": sliding_delta_of_key,
}


def late_rows(table: pa.Table, kind: str, by: Lengths) -> int:
    """How many rows came when all windows that they belong to had closed."""
    if kind not in {"time", "gap"}:
        return 0
    keys, places, _ = (column.to_pylist() for column in table.columns)
    late = 0
    for key in set(keys):
        rows = [(i, t) for i, t in enumerate(places) if keys[i] == key and t is not None]
        late += len(rows) - len({i for window in OF_KEY[kind](rows, by) for i in window.rows})
    return late


def by_key(table: pa.Table, kind: str, by: Lengths, *, flush: bool) -> list[Row]:
    """What windows of every key make, in the order in which they leave."""
    keys, places, values = (column.to_pylist() for column in table.columns)
    closed: list[tuple[Any, ...]] = []
    for key in set(keys):
        rows = [(i, t) for i, t in enumerate(places) if keys[i] == key and t is not None]
        for number, window in enumerate(OF_KEY[kind](rows, by)):
            if window.row is None and not flush:
                continue
            at_end = window.row is None
            last = (key is not None, key or "") if at_end else ()
            made = _means([values[row] for row in window.rows])
            order = (at_end, window.row or 0, last, number)
            closed.append((order, (key, window.start, window.end, *made)))
    return [row for _, row in sorted(closed, key=lambda each: each[0])]


def _means(values: list[Any]) -> Row:
    known = [value for value in values if value is not None]
    if not known:
        return len(values), 0, None, None, None, None, None, None
    total = sum(known)
    extremes = min(known), max(known), total / len(known), known[0], known[-1]
    return len(values), len(known), total, *extremes
