"""What of Python a compiled function may be written with."""

from __future__ import annotations

import math
from typing import Any

import pyarrow as pa
import pytest
from tests.python.compiled import functions

from penstock import FlowError, OperatorError, compiled, flow
from penstock.compiled.plain import Bytes, Out, Row, State

ROWS = flow("f", "n long, `two words` long")
TABLE = pa.table({"n": [1, 2, 3, 4], "two words": [5, 6, 7, 8]})
LIMIT = 3


@compiled
def twice(value: int) -> int:
    return 2 * value


def plain_helper(value: int) -> int:
    return 2 * value


def made(function: Any, out: str = "z long") -> list[Any]:
    table = ROWS.process(function, out=out).run(TABLE).table
    return list(table.column(0).to_pylist())


def failure(function: Any, out: str = "z long") -> OperatorError:
    with pytest.raises(OperatorError) as caught:
        made(function, out)
    return caught.value


def test_it_calls_other_compiled_functions() -> None:
    assert made(lambda row, out: out.emit(twice(row.n) + 1)) == [3, 5, 7, 9]


def test_a_plain_helper_is_refused_with_advice() -> None:
    with pytest.raises(FlowError, match="'plain_helper' is a plain Python function; decorate it"):
        made(lambda row, out: out.emit(plain_helper(row.n)))


def test_a_column_with_any_name_is_read_in_brackets() -> None:
    assert made(lambda row, out: out.emit(row["two words"])) == [5, 6, 7, 8]
    with pytest.raises(FlowError, match="did you mean 'two words'"):
        made(lambda row, out: out.emit(row["two word"]))


@pytest.mark.parametrize("role", ["process", "filter"])
def test_a_value_around_it_is_that_of_the_moment_when_the_flow_is_written(
    role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def above(row: Any, out: Any) -> None:
        if row.n > LIMIT:
            out.keep()

    passes = compiled(lambda row: row.n > LIMIT)

    def kept() -> list[int]:
        rows = ROWS.process(above) if role == "process" else ROWS.filter(passes)
        return list(rows.run(TABLE).table["n"].to_pylist())

    assert kept() == [4]
    monkeypatch.setitem(globals(), "LIMIT", 1)
    assert kept() == [2, 3, 4]


def test_it_may_catch_what_it_raises() -> None:
    def careful(row: Any, out: Any) -> None:
        try:
            found = 12 // (row.n - 2)
        except Exception:  # noqa: BLE001 - numba knows no other
            found = -1
        out.emit(found)

    assert made(careful) == [-12, -1, 12, 6]


def test_it_knows_loops_lists_and_the_functions_of_math() -> None:
    def busy(row: Any, out: Any) -> None:
        counts = [0] * 3
        for place in range(row.n):
            counts[place] += place
        out.emit(math.sqrt(row.n) + counts[row.n - 1] + max(counts))

    wanted = [math.sqrt(n) + 2 * (n - 1) for n in (1, 2, 3)]
    error = failure(busy, "z double")
    assert (error.row, error.reason.partition("IndexError")[1]) == (3, "IndexError")
    rows = ROWS.process(busy, out="z double").run(TABLE.slice(0, 3))
    assert [row["z"] for row in rows.to_pylist()] == wanted


def test_a_text_that_is_known_only_as_it_runs_is_told_as_such() -> None:
    def picky(row: Any, out: Any) -> None:
        if row.n == 3:
            raise ValueError("no", row.n)
        out.emit(row.n)

    error = failure(picky)
    assert error.row == 2
    assert "ValueError: no, <known only as it runs> (line " in error.reason


def test_an_assertion_fails_its_row() -> None:
    assert "AssertionError: too many" in failure(functions.sure).reason


def test_the_decorated_function_can_be_called_in_a_unit_test() -> None:
    @compiled
    def score(state: Any, row: Any, out: Any) -> None:
        state.n += 1
        if row.host.startswith("a"):
            out.emit(state.n, row.host[:1])

    from penstock.compiled.layout import Record, slots  # noqa: PLC0415 - of this test only

    state = State(Record.of("n long").slots)
    out = Out(slots(pa.schema([("n", pa.int64()), ("host", pa.string())])))
    for host in (b"abc", b"b", b"a"):
        score(state, Row({"host": Bytes(host)}), out)
    assert out.made == [(1, b"a"), (3, b"a")]


def test_what_is_remembered_can_be_saved_and_given_back() -> None:
    def nth(state: Any, row: Any, out: Any) -> None:
        state.n += 1
        state.seen = True
        out.emit(row.n, state.n)

    keyed = flow("f", "n long").key_by("n")
    rows = keyed.process(nth, out="n long, seen long", state="n int, seen boolean", name="nth")
    table = pa.table({"n": [1, 2, 1]})
    saved = rows.run(table, checkpoint=True).states
    again = rows.run(table, restore=saved).table
    assert again["seen"].to_pylist() == [3, 2, 4]
