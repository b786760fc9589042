"""What ends in one of several branches closes that port, and no other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from tests.python.loops.loops import PAIR, Driver, barrier, column, numbers, sides, tuples

import penstock
from penstock import Flow, OperatorError, wait_all, wait_any
from penstock.threading_model import FIXED, MODELS

WAYS = [
    *((model, None) for model in MODELS if model in FIXED),
    *((model, threads) for model in MODELS if model not in FIXED for threads in (1, 2, 3, 4)),
]
ENDLESS = 200_000  # rows, of which a test that works reads a few


def first_two(n: Any, out: Any) -> Driver:
    for _ in range(2):
        if not (yield wait_all(n=1)):
            return
        out.push(n.take(1))


def told(left: Any, right: Any, out: Any) -> Driver:
    """Pair rows, say what was there when that was over, and give the others on."""
    while (yield wait_all(left=1, right=1)):
        out.push([{"a": left.take(1)["n"][0].as_py(), "b": right.take(1)["n"][0].as_py()}])
    assert left.closed
    out.push([{"a": len(left), "b": len(right)}])
    while (yield wait_all(right=1)):
        out.push([{"a": None, "b": right.take(1)["n"][0].as_py()}])


def pairs(flow: Flow, values: Any, way: Any = ("manual", None), **options: Any) -> list[Any]:
    if way[0] != "manual":
        flow = flow.threading(way[0], threads=way[1]) if way[1] else flow.threading(way[0])
    given = values if isinstance(values, Iterator) else numbers(values)
    return [(row["a"], row["b"]) for row in flow.run(given, **options).to_pylist()]


def endless(read: list[int]) -> Iterator[pa.RecordBatch]:
    for n in range(1, ENDLESS):
        read.append(n)
        yield pa.RecordBatch.from_pydict({"n": [-n, n]})


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("rows", [0, 1, 2, 3, 7])
def test_a_wait_is_over_at_the_row_with_which_the_loop_before_it_ends(way: Any, rows: int) -> None:
    left, right = sides()
    both = left.loop(first_two).loop(told, right=right, out=PAIR)
    values = [1, 2, -1, 3, -2, 4, -3, 5, -4]
    assert pairs(both, values, way, settings=tuples(rows)) == [
        *((-1, 1), (-2, 2), (0, 1), (None, 3)),
        *((None, 4), (None, 5)),
    ]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_where_all_ends_with_one_branch_no_more_is_read(way: Any) -> None:
    left, right = sides()
    both = left.loop(first_two).loop(barrier, right=right, out=PAIR, capacity=40)
    read: list[int] = []
    assert pairs(both, endless(read), way) == [(-1, 1), (-2, 2)]
    assert len(read) < ENDLESS // 2


@pytest.mark.parametrize("rows", [0, 1, 2, 5])
@pytest.mark.parametrize("how", ["take", "take_while", "take none", "nested"])
def test_every_operator_that_wants_no_more_rows_closes_the_port(how: str, rows: int) -> None:
    left, right = sides()
    if how == "take":
        ends = left.take(2)
    elif how == "take_while":
        ends = left.take_while(pc.field("n") > -3)
    elif how == "take none":
        ends = left.take(0)
    else:
        ends = left.loop(first_two).loop(barrier, right=right, out=PAIR).select(n=pc.field("a"))
    both = ends.loop(told, right=right, out=PAIR)
    values = [1, -1, 2, -2, 3, 4, -3, 5]
    done = 0 if how == "take none" else 2
    # Rows of the right side that come before the one that ends the left, and are not paired.
    held = {"take_while": 2, "take none": 1}.get(how, 0)
    assert pairs(both, values, settings=tuples(rows)) == [
        *((-n, n) for n in range(1, done + 1)),
        (0, held),
        *((None, n) for n in range(done + 1, 6)),
    ]


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_what_stands_behind_it_comes_to_its_end_there(rows: int) -> None:
    def total(n: Any, out: Any) -> Driver:
        seen = 0
        while (yield wait_all(n=1)):
            seen += sum(n.take()["n"].to_pylist())
        out.push({"n": [seen]})

    left, right = sides()
    both = left.loop(first_two).loop(total).loop(told, right=right, out=PAIR)
    assert pairs(both, [-5, 1, 2, -6, 3, -7], settings=tuples(rows)) == [
        *((-11, 1), (0, 1)),
        *((None, 2), (None, 3)),
    ]


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_who_works_for_nobody_else_stops(rows: int) -> None:
    met: list[list[int]] = []

    def strict(batch: pa.RecordBatch) -> pa.RecordBatch:
        met.append(batch["n"].to_pylist())
        if -4 in met[-1]:
            raise ValueError("too far")
        return batch

    left, right = sides()
    both = left.map(strict).loop(first_two).loop(told, right=right, out=PAIR)
    assert pairs(both, [-1, -2, 1, 2, 3, -4], settings=tuples(rows)) == [
        *((-1, 1), (-2, 2)),
        *((0, 0), (None, 3)),
    ]
    if rows == 1:
        assert met == [[], [-1], [-2]], "it was tried without rows where it was written"
    with pytest.raises(OperatorError, match="too far"):
        pairs(both, [-1, -4, -2], settings=tuples(rows))


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_any_is_over_when_all_of_its_ports_are_closed(rows: int) -> None:
    def either(left: Any, right: Any, out: Any) -> Driver:
        while (yield wait_any(left=1, right=1)):
            out.push([{"a": len(left), "b": len(right)}])
            left.take()
            right.take()
        out.push([{"a": None, "b": None}])

    left, right = sides()
    both = left.loop(first_two).loop(either, right=right.take(3), out=PAIR)
    read: list[int] = []
    assert pairs(both, endless(read), settings=tuples(rows)) == [
        *((1, 0), (0, 1)) * 2,
        *((0, 1), (None, None)),
    ]
    assert len(read) < ENDLESS // 2


def test_a_union_reads_on_for_the_other_branch() -> None:
    start = penstock.flow("f", "n long")
    both = start.loop(first_two).union(start)
    assert column(both, [1, 2, 3, 4], settings=tuples(3)) == [1, 1, 2, 2, 3, 4]
