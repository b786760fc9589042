"""Compiled functions in running flows: order, threads, channels, failures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
from tests.prop.asking import Asking
from tests.python.compiled import functions

from penstock import Elastic, Flow, OperatorError, compiled, flow
from penstock.threading_model import FIXED, MODELS

ROWS = 1200
SENSORS = pa.table(
    {
        "id": [i * i % 17 for i in range(ROWS)],
        "value": [float(i * 7919 % 31) for i in range(ROWS)],
    }
)
UNUSUAL = (
    flow("f", "id long, value double")
    .key_by("id")
    .process(functions.unusual, state="n long, last double", name="unusual")
)


def one_batch(table: pa.Table) -> pa.RecordBatch:
    return table.combine_chunks().to_batches()[0]


def count_rows(batches: Iterator[pa.RecordBatch], made: list[int]) -> None:
    for batch in batches:
        made.append(batch.num_rows)


def by_hand(table: pa.Table) -> list[dict[str, Any]]:
    """Listing 2 of the paper, without anything of ours."""
    last: dict[int, float] = {}
    kept = []
    for row in table.to_pylist():
        if row["id"] in last and abs(row["value"] - last[row["id"]]) > 10.0:
            kept.append(row)
        last[row["id"]] = row["value"]
    return kept


@pytest.mark.parametrize("rows_per_tuple", [1, 2, 7, 1000, 5000])
def test_listing_2_is_the_same_for_every_tuple_length(rows_per_tuple: int) -> None:
    settings = {"spark.penstock.tuple.rows": rows_per_tuple}
    wanted = by_hand(SENSORS)
    assert 100 < len(wanted) < ROWS
    assert UNUSUAL.run(SENSORS, settings=settings).to_pylist() == wanted


@pytest.mark.parametrize("model", MODELS)
def test_listing_2_is_the_same_on_several_threads(model: Any) -> None:
    threads = None if model in FIXED else 3
    made = UNUSUAL.threading(model, threads=threads)
    settings = {"spark.penstock.tuple.rows": 16}
    assert made.run(SENSORS, settings=settings).to_pylist() == by_hand(SENSORS)


def test_the_plain_function_is_the_reference() -> None:
    made = UNUSUAL.operators[0].process(one_batch(SENSORS))
    assert made is not None
    assert made.to_pylist() == by_hand(SENSORS)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("model", MODELS)
def test_states_move_with_their_keys_when_channels_change(model: str, threads: int) -> None:
    asking = Asking()

    def sums(rows: Flow) -> Flow:
        out = "k long, total long, rows int"
        keyed = rows.key_by("k").process(functions.totals, out=out, state="rows int, total long")
        return keyed.filter(compiled(lambda row: row.total % 3 > 0))

    made = flow("f", "k long, n long").map(asking)
    made = made.parallel(sums, by="k", channels=Elastic(1, 8), name="r")
    table = pa.table({"k": SENSORS["id"], "n": list(range(ROWS))})
    found = asking.run(made, table, model, threads, rows_per_tuple=8).to_pylist()
    total, rows = dict.fromkeys(range(17), 0), dict.fromkeys(range(17), 0)
    wanted = []
    for row in table.to_pylist():
        total[row["k"]] += row["n"]
        rows[row["k"]] += 1
        wanted.append({"k": row["k"], "total": total[row["k"]], "rows": rows[row["k"]]})
    assert found == [row for row in wanted if row["total"] % 3 > 0]


@pytest.mark.parametrize(
    ("function", "out", "row", "reason"),
    [
        (lambda row: 100 // (row.n - 5), "z long", 5, "ZeroDivisionError"),
        (lambda row: row.n % (row.n - 6), "z long", 6, "ZeroDivisionError"),
        (lambda row: 1.0 / (row.n - 5), "z double", 5, "ZeroDivisionError"),
        (lambda row: row.n * 2**60, "z long", 8, "OverflowError: a whole number does not fit"),
        (lambda row: 2**62 + row.n * 2**59, "z long", 8, "OverflowError: a whole number"),
        (lambda row: -(2**62) * 2 - row.n, "z long", 1, "OverflowError: a whole number"),
        (lambda row: row.s[row.n], "z int", 5, "IndexError: index out of range"),
        (lambda row: row.n + row.none, "z long", 0, "TypeError: column 'none' is null; look first"),
        (lambda row: int(10.0 ** (row.n * 2)), "z long", 10, "OverflowError: a double does not"),
        (lambda row: pow(2, row.n + 55), "z long", 8, "OverflowError: a whole number does not fit"),
        (lambda row: divmod(-(2**63), row.n - 9)[0], "z long", 8, "OverflowError: a whole number"),
        (lambda row: sum([2**62, row.n * 2**59]), "z long", 8, "OverflowError: a whole number"),
        (lambda row: round(10.0 ** (row.n * 2)), "z long", 10, "OverflowError: a double does not"),
        (lambda row: 10.0 ** (row.n * 50), "z double", 7, "OverflowError: the result of ** is too"),
        (lambda row: (row.n - 4.0) ** -1.0, "z double", 4, "ZeroDivisionError: 0.0 cannot be"),
        (lambda row: (3.0 - row.n) ** 0.5, "z double", 4, "ValueError: a negative number to a"),
        (lambda row: math.exp(row.n * 200), "z double", 4, "OverflowError: the result of math.exp"),
        (lambda row: math.log(5.0 - row.n), "z double", 5, "ValueError: math.log is not defined"),
        (lambda row: math.sqrt(5 - row.n), "z double", 6, "ValueError: math.sqrt is not defined"),
        (lambda row: row.n * 1000000000, "z int", 3, "OverflowError: a value for 'z' does not fit"),
        (lambda row: row.bad, "z string", 0, "ValueError: bytes for the string column 'z'"),
    ],
)
def test_a_row_that_fails_is_named_and_those_before_it_are_delivered(
    function: Any, out: str, row: int, reason: str
) -> None:
    rows = flow("f", "n long, s string, none long, bad binary")
    rows = rows.map(compiled(function), out=out, name="bad")
    given = {"s": ["abcde"] * 20, "none": pa.nulls(20, pa.int64()), "bad": [b"\xff"] * 20}
    table = pa.table({"n": range(20), **given})
    made: list[int] = []
    with pytest.raises(OperatorError) as caught:
        count_rows(rows.stream(table, settings={"spark.penstock.tuple.rows": 4}), made)
    assert (caught.value.operator, caught.value.row, caught.value.last_row) == ("bad", row, row)
    assert reason in caught.value.reason
    assert sum(made) == row


@pytest.mark.parametrize("model", ["manual", "conveyor"])
def test_a_row_that_fails_by_key_is_named_exactly(model: Any) -> None:
    def inverse(state: Any, row: Any, out: Any) -> None:
        state.n += 1
        out.emit(state.n // (row.n - 11))

    keyed = flow("f", "k long, n long").key_by("k").process(inverse, out="z long", state="n long")
    table = pa.table({"k": [i % 3 for i in range(20)], "n": range(20)})
    made: list[int] = []
    rows = keyed.threading(model).stream(table, settings={"spark.penstock.tuple.rows": 8})
    with pytest.raises(OperatorError) as caught:
        count_rows(rows, made)
    assert (caught.value.row, caught.value.last_row, sum(made)) == (11, 11, 11)


class Odd(Exception):
    pass


def test_an_exception_of_the_users_own_is_told_by_name_text_and_line() -> None:
    def picky(row: Any, out: Any) -> None:
        if row.n == 3:
            raise Odd("three is too many")
        out.keep()

    with pytest.raises(OperatorError) as caught:
        flow("f", "n long").process(picky).run(pa.table({"n": range(5)}))
    assert caught.value.row == 3
    assert "Odd: three is too many (line " in caught.value.reason


def test_columns_that_no_function_can_use_pass_through() -> None:
    rows = flow("f", "n long, tags array<string>").filter(compiled(lambda row: row.n > 1))
    table = pa.table({"n": [1, 2], "tags": [["a"], ["b", "c"]]})
    assert rows.run(table).to_pylist() == [{"n": 2, "tags": ["b", "c"]}]


def test_explain_says_that_it_is_native(capsys: pytest.CaptureFixture[str]) -> None:
    UNUSUAL.explain()
    told = capsys.readouterr().out
    assert "does     process unusual (compiled) by id" in told
    assert "kind     keyed, native" in told
