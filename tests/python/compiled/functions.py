"""Row functions that tests compile; here, so that a worker can import them by name."""

from __future__ import annotations

from typing import Any

import penstock

COLUMNS = (
    "n long, i int, t tinyint, x double, r float, s string, y binary, b boolean, d date, "
    "at timestamp, q decimal(12,2), m long not null"
)


@penstock.compiled
def unusual(state: Any, row: Any, out: Any) -> None:
    if state.n > 0 and abs(row.value - state.last) > 10.0:
        out.keep()
    state.last = row.value
    state.n += 1


@penstock.compiled
def totals(state: Any, row: Any, out: Any) -> None:
    state.rows += 1
    if row.n is not None:
        state.total += row.n
    out.emit(row.k, state.total, rows=state.rows)


def copied(row: Any, out: Any) -> None:
    out.emit(row.n, row.i, row.t, row.x, row.r, row.s, row.y, row.b, row.d, row.at, row.q, m=row.m)


def arithmetic(row: Any, out: Any) -> None:
    if row.n is not None and row.i is not None:
        out.emit(row.n + row.i, row.n - row.m)
        out.emit(row.n * row.i, -row.n)
        out.emit(row.n // row.i, row.n % row.i)
        out.emit(abs(row.n), row.i << 3)
    out.emit(row.n, row.i**2)


def narrow(row: Any, out: Any) -> None:
    out.emit(row.m, int(row.x), row.m)


def strings(row: Any, out: Any) -> None:
    if row.s is None:
        out.emit(-1, False, None, row.y, row.s == row.y)
        return
    out.emit(len(row.s), row.s.startswith("a"), row.s, row.s[1:3], row.s == row.y)
    out.emit(row.s.find("é"), "ab" in row.s, row.s, row.s[-2:], row.s != "ab")
    out.emit(hash(row.s), row.s.endswith(b"b"), "né", b"\xff", row.s < "b")
    if row.y is not None:
        out.emit(row.s.find(row.y), row.y in row.s, None, row.y, row.y >= row.s)
        out.emit(row.y[0], row.y.startswith(row.s), row.s[: row.m], row.y, bool(row.y))


def conditions(row: Any, out: Any) -> None:
    if row.b:
        out.emit(1)
    if not row.n:
        out.emit(2)
    if row.x and row.s:
        out.emit(3)
    if row.n == row.i or row.s != "a":
        out.emit(4)
    out.emit(row.n if row.b else None)


def several(row: Any, out: Any) -> None:
    for place in range(row.m % 5):
        out.emit(place)


def kept(row: Any, out: Any) -> None:
    if row.n is not None and row.n % 2 == 0:
        out.keep()


def sure(row: Any, out: Any) -> None:
    assert row.n < 4, "too many"
    out.emit(row.n)
