from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from penstock import FlowError
from penstock.loops.ports import InPort, OutPort

SCHEMA = pa.schema([("n", pa.int64())])


def batch(*values: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"n": list(values)}, SCHEMA)


def filled(*batches: pa.RecordBatch, arrived: int | None = None) -> InPort:
    port = InPort("left", SCHEMA)
    for one in batches:
        port.put(one)
    port.arrive(sum(one.num_rows for one in batches) if arrived is None else arrived)
    return port


def taken(made: pa.RecordBatch) -> list[int]:
    values: list[int] = made["n"].to_pylist()
    return values


def test_rows_are_taken_in_order_across_batches() -> None:
    port = filled(batch(1, 2), batch(3), batch(4, 5, 6))
    assert [taken(port.take(n)) for n in (1, 3, 0, 2)] == [[1], [2, 3, 4], [], [5, 6]]
    assert (len(port), port.rows, bool(port)) == (0, 0, False)


def test_taking_nothing_gives_no_rows_of_the_right_columns() -> None:
    made = filled().take(0)
    assert (made.num_rows, made.schema) == (0, SCHEMA)
    assert filled().take().num_rows == 0


def test_only_rows_that_arrived_can_be_taken() -> None:
    port = filled(batch(1, 2, 3), arrived=2)
    assert taken(port.peek()) == [1, 2]
    assert taken(port.take()) == [1, 2]
    port.arrive(1)
    assert taken(port.take()) == [3]


def test_rows_that_were_looked_at_are_still_there() -> None:
    port = filled(batch(1, 2), batch(3))
    assert [taken(port.peek(n)) for n in (3, 1, 2)] == [[1, 2, 3], [1], [1, 2]]
    assert taken(port.take()) == [1, 2, 3]


def test_looking_into_the_middle_of_another_batch_takes_nothing_of_the_first() -> None:
    port = filled(batch(1, 2), batch(3, 4, 5))
    assert taken(port.peek(3)) == [1, 2, 3]
    assert taken(port.take()) == [1, 2, 3, 4, 5]


def test_a_slice_of_one_batch_is_not_copied() -> None:
    given = batch(1, 2, 3)
    made = filled(given).take(2)
    assert made["n"].buffers()[1].address == given["n"].buffers()[1].address


@pytest.mark.parametrize("word", ["take", "peek"])
def test_more_rows_than_wait_are_refused_with_both_numbers(word: str) -> None:
    port = filled(batch(1, 2))
    with pytest.raises(FlowError, match=rf"port 'left' holds 2 rows, so {word}\(3\) cannot be"):
        getattr(port, word)(3)
    assert len(port) == 2


@pytest.mark.parametrize("rows", [-1, 1.5, "2", True])
def test_what_is_no_number_of_rows_is_refused(rows: Any) -> None:
    with pytest.raises(FlowError, match=r"port 'left': take\(.*\) needs a whole number"):
        filled(batch(1, 2)).take(rows)


PUSHED = [
    batch(1, 2),
    pa.table({"n": pa.chunked_array([[1], [2]])}),
    [{"n": 1}, {"n": 2}],
    {"n": [1, 2]},
    pa.RecordBatch.from_pydict({"n": pa.array([1, 2]).dictionary_encode()}),
]


@pytest.mark.parametrize("rows", PUSHED, ids=["batch", "table", "rows", "columns", "encoded"])
def test_rows_are_pushed_in_several_forms(rows: Any) -> None:
    made: list[pa.RecordBatch] = []
    OutPort("out", SCHEMA, made.append).push(rows)
    assert [one.to_pydict() for one in made] == [{"n": [1, 2]}]
    assert made[0].schema == SCHEMA


@pytest.mark.parametrize("rows", [[], batch(), pa.table({"n": pa.array([], pa.int64())})])
def test_nothing_is_pushed_where_there_are_no_rows(rows: Any) -> None:
    made: list[pa.RecordBatch] = []
    OutPort("out", SCHEMA, made.append).push(rows)
    assert made == []


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (7, r"out\.push: takes a RecordBatch, a Table, .* got int"),
        ([{"m": 1}], r"out\.push: 'm' is not a column of this port; .*Known: 'n'"),
        ([{}], r"out\.push: column 'n' is missing"),
        ([{"n": "x"}], r"out\.push: values do not fit the columns"),
        (pa.RecordBatch.from_pydict({"n": ["x"]}), "declared bigint but is string"),
        (pa.RecordBatch.from_pydict({"m": [1]}), "'n' were declared but 'm' came"),
    ],
)
def test_rows_of_other_columns_are_refused(rows: Any, text: str) -> None:
    with pytest.raises(FlowError, match=text):
        OutPort("out", SCHEMA, lambda _: None).push(rows)
