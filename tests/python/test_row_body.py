"""Operators that work row by row, in flows: what they may make, and what happens if they fail."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from penstock import flow
from penstock.errors import FlowError, OperatorError
from penstock.flow import Flow
from penstock.rows import Row
from penstock.threading_model import MODELS

NUMBERS = pa.table({"n": list(range(10))})


def numbers() -> Flow:
    return flow("f", "n long")


def made(applied: Flow, data: Any = NUMBERS) -> list[dict[str, Any]]:
    return applied.run(data, settings={"spark.penstock.tuple.rows": 3}).to_pylist()


def one(returned: Any, out: str = "n long, s string") -> list[dict[str, Any]]:
    return made(numbers().apply(lambda _: returned, out), pa.table({"n": [5]}))


@pytest.mark.parametrize(
    ("returned", "rows"),
    [
        (None, []),
        ([], []),
        ([(1, "a"), {"s": "b", "n": 2}], [{"n": 1, "s": "a"}, {"n": 2, "s": "b"}]),
        (((3, "c") for _ in range(1)), [{"n": 3, "s": "c"}]),
        (((4, None),), [{"n": 4, "s": None}]),
        ({(6, "x")}, [{"n": 6, "s": "x"}]),
    ],
)
def test_rows_may_be_made_in_many_ways(returned: Any, rows: list[dict[str, Any]]) -> None:
    assert one(returned) == rows


def test_the_row_itself_is_made_by_the_names_of_its_columns() -> None:
    swapped = flow("f", "a long, b string").apply(lambda row: [row], "b string, a long")
    assert made(swapped, pa.table({"a": [1], "b": ["x"]})) == [{"b": "x", "a": 1}]


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (3, "must yield rows, or return None or an iterable of rows, got 3"),
        ("ab", "got 'ab'; a single row is returned as \\[row\\]"),
        ({"n": 1, "s": "a"}, "a single row is returned as \\[row\\]"),
        ([3], "must make rows, each the row itself, a dict or a tuple, got 3"),
        ([(1,)], r"made a row of 1 values, \(1,\), but out= has 2 columns: n, s"),
        ([{"n": 1}], "made a row without column 's' of out=; Known: 'n'"),
        ([{"n": 1, "s": "a", "t": 1}], "with column 't', which out= does not have"),
        ([(1, 2)], "made a row with s = 2, but the column was declared string"),
        ([(1.5, "a")], "made a row with n = 1.5, but the column was declared bigint: .*float"),
        ([(2**63, "a")], f"made a row with n = {2**63}, but the column was declared bigint"),
    ],
)
def test_what_is_no_row_of_the_output_is_refused(returned: Any, words: str) -> None:
    with pytest.raises(OperatorError, match=words) as raised:
        one(returned)
    assert isinstance(raised.value.__cause__, FlowError)
    assert (raised.value.row, raised.value.last_row) == (0, 0)


def test_the_row_itself_without_a_column_of_the_output_is_refused() -> None:
    with pytest.raises(OperatorError, match="made a row without column 's' of out=; Known: 'n'"):
        made(numbers().apply(lambda row: [row], "n long, s string"))


def test_null_in_a_column_that_is_not_null_is_refused() -> None:
    with pytest.raises(OperatorError, match=r"made a row with n = None, but .* NOT NULL"):
        one([(None,)], "n long not null")


class Numbered:
    """Counts rows, and leaves behind how many there were."""

    def __init__(self) -> None:
        self.seen = 0

    def process(self, row: Row) -> Iterator[tuple[int]]:
        self.seen += 1
        if row.n % 2:
            yield (self.seen,)

    def finish(self) -> Iterator[tuple[int]]:
        yield (-self.seen,)


@pytest.mark.parametrize("model", MODELS)
def test_every_run_has_an_operator_of_its_own(model: Any) -> None:
    numbered = Numbered()
    applied = numbers().apply(numbered).threading(model)
    for _ in range(2):
        assert [row["n"] for row in made(applied)] == [2, 4, 6, 8, 10, -10]
    assert numbered.seen == 0


def test_what_comes_behind_the_last_row_comes_without_any_row_too() -> None:
    assert made(numbers().apply(Numbered()), NUMBERS.slice(0, 0)) == [{"n": 0}]


class FailsAtTheEnd(Numbered):
    def finish(self) -> Any:
        return [("x",)]


def test_a_bad_row_behind_the_last_one_is_refused_as_such() -> None:
    with pytest.raises(OperatorError, match=r"behind 10 rows of the input: .*n = 'x'"):
        made(numbers().apply(FailsAtTheEnd()))


def fails_at_seven(row: Row) -> Iterator[Row]:
    yield row
    if row.n == 7:
        raise ValueError("seven")
    yield row


def unfit_at_seven(row: Row) -> Iterator[Any]:
    yield row
    yield {"n": "seven"} if row.n == 7 else row


class AtSeven:
    """The same with a memory, so that nobody can run it again to find the row."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def process(self, row: Row) -> Any:
        return self.function(row)


AT_SEVEN = [fails_at_seven, unfit_at_seven, AtSeven(fails_at_seven), AtSeven(unfit_at_seven)]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("rows", [1, 3, 100])
@pytest.mark.parametrize("function", AT_SEVEN)
def test_a_row_that_fails_is_named_and_those_before_it_are_delivered(
    model: Any, rows: int, function: Any
) -> None:
    came: list[int] = []
    applied = numbers().apply(function, name="work").threading(model)
    stream = applied.stream(NUMBERS, settings={"spark.penstock.tuple.rows": rows})
    with pytest.raises(OperatorError) as raised:
        came.extend(n for batch in stream for n in batch["n"].to_pylist())
    assert came == [n for n in range(7) for _ in range(2)]
    error = raised.value
    assert (error.operator, error.row, error.last_row) == ("work", 7, 7)
    assert isinstance(error.__cause__, ValueError)


def test_the_failure_is_the_users_own_with_its_traceback() -> None:
    with pytest.raises(OperatorError, match="ValueError: seven") as raised:
        made(numbers().apply(fails_at_seven))
    cause = raised.value.__cause__
    assert cause is not None
    traceback = cause.__traceback__
    names = []
    while traceback is not None:
        names.append(traceback.tb_frame.f_code.co_name)
        traceback = traceback.tb_next
    assert names[-1] == "fails_at_seven"


def test_a_column_that_is_not_there_is_named_with_the_row() -> None:
    with pytest.raises(OperatorError, match="no column 'm'; Known: 'n'") as raised:
        made(numbers().apply(lambda row: [(row.m,)] if row.n == 4 else None))
    assert raised.value.row == 4


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_being_told_to_stop_is_not_the_operators_failure(stop: type[BaseException]) -> None:
    def stops(row: Row) -> None:
        if row.n == 4:
            raise stop

    with pytest.raises(stop):
        made(numbers().apply(stops))


class HoldsALock(Numbered):
    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()


def test_an_operator_that_cannot_be_copied_is_named() -> None:
    with pytest.raises(FlowError, match=r"operator 'apply_1': .*HoldsALock cannot be copied"):
        made(numbers().apply(HoldsALock()))


def test_rows_that_come_of_an_earlier_operator_are_worked_on_in_order() -> None:
    applied = (
        numbers()
        .apply(lambda row: [row] * (row.n % 3), name="some")
        .apply(Numbered(), "i long", name="count")
    )
    rows = [n for n in range(10) for _ in range(n % 3)]
    right = [place for place, n in enumerate(rows, start=1) if n % 2]
    assert [row["i"] for row in made(applied)] == [*right, -len(rows)]
