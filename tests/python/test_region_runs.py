"""Regions that run: the same rows in the same order as one thread, and errors from inside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import Elastic, Flow, agg, flow, state
from penstock.errors import OperatorError
from penstock.threading_model import MODELS

START = flow("f", "k long, n long")
TABLE = pa.table({"k": [i * i % 11 for i in range(500)], "n": list(range(500))})
SMALL = {"spark.penstock.tuple.rows": 16}


def by_model(made: Flow, model: str) -> Flow:
    return made if model == "manual" else made.threading(model)  # type: ignore[arg-type]


def totals(rows: Flow) -> Flow:
    return rows.key_by("k").running(total=agg.sum("n"), name="total")


def odd(rows: Flow) -> Flow:
    return rows.filter(pc.bit_wise_and(pc.field("n"), 1) == 1, name="odd")


def twice(batch: pa.RecordBatch) -> list[pa.RecordBatch]:
    return [batch, batch]


def refuse_333(batch: pa.RecordBatch) -> pa.RecordBatch:
    if 333 in batch["n"].to_pylist():
        raise ValueError("333 is refused")
    return batch


BODIES: dict[str, tuple[Callable[[Flow], Flow], Any]] = {
    "by key": (lambda rows: totals(odd(rows)), "k"),
    "by expression": (odd, pc.field("k") + pc.field("n")),
    "in turn": (lambda rows: odd(rows).map(lambda batch: batch), None),
    "more rows": (lambda rows: odd(rows).flat_map(twice), "k"),
    "no rows": (lambda rows: rows.filter(pc.field("n") < 0), "k"),
}


@pytest.mark.parametrize("channels", [1, 5, Elastic(1, 8)], ids=str)
@pytest.mark.parametrize("case", BODIES)
@pytest.mark.parametrize("model", MODELS)
def test_rows_leave_as_one_thread_would_make_them(
    model: str, case: str, channels: int | Elastic
) -> None:
    body, by = BODIES[case]
    made = by_model(START.parallel(body, by=by, channels=channels), model)
    (batch,) = TABLE.to_batches()
    right = made.operators[0].process(batch)
    rows = made.run(TABLE, settings=SMALL).to_pylist()
    assert rows == (right.to_pylist() if right is not None else [])


def taken(batches: Iterator[pa.RecordBatch], into: list[int]) -> None:
    for batch in batches:
        into += batch["n"].to_pylist()


@pytest.mark.parametrize("by", ["k", None], ids=str)
@pytest.mark.parametrize("model", MODELS)
def test_an_error_names_the_operator_inside_and_its_row(model: str, by: str | None) -> None:
    made = START.parallel(
        lambda rows: odd(rows).map(refuse_333, name="picky"), by=by, channels=4, name="r"
    )
    rows: list[int] = []
    with pytest.raises(OperatorError, match="333 is refused") as caught:
        taken(by_model(made, model).stream(TABLE, settings=SMALL), rows)
    assert (caught.value.operator, caught.value.row) == ("picky", 333)
    assert rows == list(range(1, 333, 2))


def test_a_flat_map_that_fails_says_at_which_row_without_being_called_again() -> None:
    calls: list[int] = []

    def picky(batch: pa.RecordBatch) -> pa.RecordBatch:
        calls.extend(batch["n"].to_pylist())
        return refuse_333(batch)

    made = START.parallel(lambda rows: rows.flat_map(picky, name="picky"), by="k", channels=4)
    rows: list[int] = []
    with pytest.raises(OperatorError, match="333 is refused") as caught:
        taken(made.stream(TABLE, settings=SMALL), rows)
    assert (caught.value.operator, caught.value.row) == ("picky", 333)
    assert rows == list(range(333))
    assert len(calls) == len(set(calls))


def test_a_key_that_cannot_be_computed_is_an_error_of_the_region_at_its_row() -> None:
    made = START.parallel(odd, by=pc.scalar(100) / (pc.field("n") - 40), name="r", channels=4)
    rows: list[int] = []
    with pytest.raises(OperatorError, match="divide by zero") as caught:
        taken(made.stream(TABLE, settings=SMALL), rows)
    assert (caught.value.operator, caught.value.row) == ("r", 40)
    assert rows == list(range(1, 40, 2))


@pytest.mark.parametrize("model", MODELS)
def test_neighbours_of_the_same_key_make_the_same_as_each_for_itself(model: str) -> None:
    few = totals(START).filter(pc.field("total") > 500).key_by("k").take(30)
    made = by_model(few.key_by("k").running(most=agg.max("total")).select("most", "n"), model)
    batch: pa.RecordBatch = TABLE.to_batches()[0]
    for operator in made.operators:
        batch = operator.process(batch)
    chosen = SMALL | {"spark.penstock.keyed.parts": 7}
    assert made.run(TABLE, settings=chosen).to_pylist() == batch.to_pylist()


def test_an_error_among_joined_neighbours_names_the_operator() -> None:
    made = START.key_by("k").take(9, name="nine").filter(pc.field("n") > 0, name="some").key_by("k")
    sums = made.running(total=agg.sum("n"), name="total").threading("conveyor", threads=2)
    with pytest.raises(OperatorError, match="does not fit into 64 bits") as caught:
        sums.run(pa.table({"k": [1, 1], "n": [2**62, 2**62]}))
    assert (caught.value.operator, caught.value.row) == ("total", 1)


@pytest.mark.parametrize("model", MODELS)
def test_operators_behind_a_region_get_the_rows_before_a_failure(model: str) -> None:
    made = START.parallel(lambda rows: rows.map(refuse_333, name="picky"), by="k", channels=3)
    rows: list[int] = []
    with pytest.raises(OperatorError, match="333 is refused"):
        taken(by_model(totals(made), model).stream(TABLE, settings=SMALL), rows)
    assert rows == list(range(333))


@pytest.mark.parametrize("model", ["manual", "conveyor"])
def test_a_region_that_remembers_too_much_names_the_operator(model: str) -> None:
    made = flow("f", "k string").parallel(
        lambda rows: rows.key_by("k").running(rows=agg.count(), name="seen"), by="k", channels=4
    )
    keys = pa.table({"k": [f"key {i}" for i in range(5000)]})
    chosen = SMALL | {"spark.penstock.state.maxBytes": "64k"}
    with pytest.raises(OperatorError, match=r"state\.maxBytes allows") as caught:
        by_model(made, model).run(keys, settings=chosen)
    assert caught.value.operator == "seen"
    roomy = SMALL | {"spark.penstock.state.maxBytes": "64m"}
    assert by_model(made, model).run(keys, settings=roomy).num_rows == 5000


def test_there_may_be_more_channels_than_keys() -> None:
    made = START.parallel(totals, by="k", channels=64).threading("conveyor", threads=2)
    table = pa.table({"k": [1] * 50, "n": [1] * 50})
    assert made.run(table, settings=SMALL).table["total"].to_pylist() == list(range(1, 51))


class Remember:
    """Remembers a little of each key, in Python."""

    seen = state.Value("string")

    def process(self, row: Any) -> list[Any]:
        self.seen.put("x" * 40)
        return [row]


def bytes_named(made: Flow, keys: pa.Table, limit: str) -> int:
    """How many bytes the error names."""
    chosen = SMALL | {"spark.penstock.state.maxBytes": limit}
    with pytest.raises(OperatorError, match=r"state\.maxBytes allows") as caught:
        made.run(keys, settings=chosen)
    found = re.search(r"takes (\d+) bytes", str(caught.value))
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize(
    "body",
    [
        lambda rows: rows.key_by("k").running(rows=agg.count(), name="seen"),
        lambda rows: rows.key_by("k").apply(Remember(), name="seen"),
    ],
    ids=["native", "python"],
)
@pytest.mark.parametrize("channels", [8, Elastic(2, 8)])
def test_the_limit_is_that_of_all_channels_together(
    body: Callable[[Flow], Flow], channels: int | Elastic
) -> None:
    keys = pa.table({"k": [f"key {i}" for i in range(6000)]})
    start = flow("f", "k string")
    alone = bytes_named(start.parallel(body, by="k", channels=1), keys, "200k")
    shared = bytes_named(start.parallel(body, by="k", channels=channels), keys, "200k")
    assert 200 * 1024 < alone < 400 * 1024
    assert 200 * 1024 < shared < 400 * 1024, "eight limits would be eight times as much"
