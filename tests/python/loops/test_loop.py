"""What loops do, through the engine."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from tests.python.loops.loops import (
    PAIR,
    Driver,
    arrivals,
    barrier,
    column,
    numbers,
    sides,
    tuples,
)

import penstock
from penstock import Over, wait_all, wait_any
from penstock.threading_model import MODELS

MIXED = [-1, 1, -2, -3, 2, 3, 4, -4, 5]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("rows", [0, 1, 2, 3])
def test_a_barrier_pairs_rows_whatever_the_threads_and_the_tuples(model: Any, rows: int) -> None:
    left, right = sides()
    both = left.loop(barrier, right=right, out=PAIR)
    if model != "manual":
        both = both.threading(model)
    made = both.run(numbers(MIXED), settings=tuples(rows)).to_pylist()
    assert made == [{"a": -n, "b": n} for n in (1, 2, 3, 4)]


def test_the_function_and_the_method_make_the_same() -> None:
    left, right = sides()
    one = left.loop(barrier, right=right, out=PAIR)
    other = penstock.loop(barrier, left=left, right=right, out=PAIR)
    assert one.operators == other.operators


@pytest.mark.parametrize("rows", [0, 1, 2, 4])
def test_a_loop_wakes_exactly_with_the_row_that_makes_its_wait_true(rows: int) -> None:
    left, right = sides()
    told = left.loop(arrivals, right=right, out=PAIR)
    made = told.run(numbers([1, -1, -2, 2]), settings=tuples(rows)).to_pylist()
    assert [(row["a"], row["b"]) for row in made] == [(0, 1), (1, 0), (1, 0), (0, 1)]


def test_a_loop_that_wakes_behind_tuples_finds_all_of_them() -> None:
    left, right = sides()
    told = left.loop(arrivals, right=right, out=PAIR, wake="tuples")
    made = told.run(numbers([1, -1, -2, 2, 3]), settings=tuples(3)).to_pylist()
    assert [(row["a"], row["b"]) for row in made] == [(2, 1), (0, 2)]


def test_wait_any_needs_only_one_port() -> None:
    def two_or_three(left: Any, right: Any, out: Any) -> Driver:
        while (yield wait_any(left=2, right=3)):
            out.push([{"a": len(left), "b": len(right)}])
            left.take()
            right.take()

    left, right = sides()
    made = left.loop(two_or_three, right=right, out=PAIR).run(numbers([1, -1, 1, 1, -1, -1]))
    assert [tuple(row.values()) for row in made.to_pylist()] == [(1, 3), (2, 0)]


def test_what_is_left_at_the_end_can_still_be_taken() -> None:
    def threes(n: Any, out: Any) -> Driver:
        while (yield wait_all(n=3)):
            out.push({"n": [sum(n.take(3)["n"].to_pylist())]})
        assert n.closed
        out.push(n.take())

    assert column(penstock.flow("f", "n long").loop(threes), range(8), settings=tuples(1)) == [
        *(0 + 1 + 2, 3 + 4 + 5),
        *(6, 7),
    ]


def test_wait_all_on_a_closed_port_that_holds_enough_is_done() -> None:
    told: list[Any] = []

    def late(left: Any, right: Any, out: Any) -> Driver:
        told.append((yield wait_all(left=1, right=99)))  # the end comes first
        told.append((yield wait_all(left=2)))
        told.append((yield wait_any(left=3, right=1)))
        told.append((yield wait_any(left=3, right=99)))
        out.push([{"a": len(left), "b": len(right)}])

    left, right = sides()
    made = left.loop(late, right=right, out=PAIR).run(numbers([-1, -2, 1]))
    assert made.to_pylist() == [{"a": 2, "b": 1}]
    assert told[0] is Over
    assert told[3] is Over
    assert told[1]
    assert told[2]


def test_no_rows_are_waited_for_at_once() -> None:
    def greedy(n: Any, out: Any) -> Driver:
        assert (yield wait_all(n=0))
        assert (yield wait_any(n=0))
        assert n.take(0).num_rows == 0
        while (yield wait_all(n=1)):
            out.push(n.take(1))

    assert column(penstock.flow("f", "n long").loop(greedy), [1, 2]) == [1, 2]
    assert column(penstock.flow("f", "n long").loop(greedy), []) == []


def test_a_plain_yield_goes_on_at_once() -> None:
    def polite(n: Any, out: Any) -> Driver:
        while (yield wait_all(n=1)):
            yield
            out.push(n.take(1))
            yield

    assert column(penstock.flow("f", "n long").loop(polite), [1, 2, 3]) == [1, 2, 3]


def test_a_loop_without_input_comes_to_its_end() -> None:
    def total(n: Any, out: Any) -> Driver:
        seen = 0
        while (yield wait_all(n=1)):
            seen += len(n.take())
        out.push({"n": [seen]})

    assert column(penstock.flow("f", "n long").loop(total), []) == [0]


def test_outputs_of_several_columns_leave_apart_and_together() -> None:
    def switch(n: Any, big: Any, small: Any) -> Driver:
        while (yield wait_all(n=1)):
            row = n.take(1)
            if row["n"][0].as_py() > 10:
                big.push(row)
            else:
                small.push({"n": [str(row["n"][0])], "why": ["small"]})

    parts = penstock.flow("f", "n long").loop(
        switch, out={"big": "n long", "small": "n string, why string"}
    )
    assert list(parts) == ["big", "small"]
    assert column(parts["big"], [1, 20, 3, 40]) == [20, 40]
    assert column(parts["small"], [1, 20, 3, 40]) == ["1", "3"]
    texts = parts["big"].select(n=pc.field("n").cast(pa.string()))
    assert column(texts.union(parts["small"].select("n")), [1, 20, 3]) == ["1", "20", "3"]


def test_one_output_may_have_another_name() -> None:
    def copy(n: Any, made: Any) -> Driver:
        while (yield wait_all(n=1)):
            made.push(n.take(1))

    parts = penstock.flow("f", "n long").loop(copy, out={"made": "n long"})
    assert column(parts["made"], [1, 2]) == [1, 2]


def test_inputs_may_have_different_columns() -> None:
    def named(left: Any, right: Any, out: Any) -> Driver:
        assert left.schema.names == ["n"]
        assert right.schema.names == ["m", "n"]
        while (yield wait_all(left=1, right=1)):
            one, other = left.take(1), right.take(1)
            out.push({"x": [f"{one['n'][0]} {other['n'][0]} {other['m'][0]}"]})

    left, right = sides()
    texts = right.select(m=pc.field("n"), n=pc.field("n").cast(pa.string()))
    assert column(left.loop(named, right=texts, out="x string"), [-1, 7], "x") == ["-1 7 7"]


@pytest.mark.parametrize("model", MODELS)
def test_a_loop_may_be_inside_a_branch(model: Any) -> None:
    def every_second(n: Any, out: Any) -> Driver:
        while (yield wait_all(n=2)):
            out.push(n.take(2).slice(0, 1))
        out.push(n.take())

    start = penstock.flow("f", "n long")
    both = start.loop(every_second).union(start)
    if model != "manual":
        both = both.threading(model)
    assert column(both, [1, 2, 3, 4, 5], settings=tuples(3)) == [1, 1, 2, 3, 3, 4, 5, 5]


def test_a_loop_of_branches_may_be_inside_a_branch() -> None:
    left, right = sides()
    both = left.loop(barrier, right=right, out=PAIR).select(n=pc.field("a"))
    assert column(both.union(left), [-1, -2, 3, 4, -5]) == [-1, -2, -1, -2, -5]


def test_loops_follow_each_other() -> None:
    def twice(n: Any, out: Any) -> Driver:
        while (yield wait_all(n=1)):
            row = n.take(1)
            out.push(row)
            out.push(row)

    made = penstock.flow("f", "n long").loop(twice).loop(twice)
    assert column(made, [1, 2], settings=tuples(1)) == [1] * 4 + [2] * 4


def test_every_run_has_a_loop_of_its_own() -> None:
    def first(n: Any, out: Any) -> Driver:
        yield wait_all(n=1)
        out.push(n.take(1))

    made = penstock.flow("f", "n long").loop(first)
    assert [column(made, [n, 9]) for n in (1, 2)] == [[1], [2]]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("rows", [0, 1])
def test_a_loop_that_ends_early_wants_nothing_more(model: Any, rows: int) -> None:
    def first_two(left: Any, right: Any, out: Any) -> Driver:
        yield wait_all(left=1, right=1)
        out.push([{"a": left.take()["n"][0].as_py(), "b": right.take()["n"][0].as_py()}])

    left, right = sides()
    made = left.loop(first_two, right=right, out=PAIR)
    if model != "manual":
        made = made.threading(model)
    rows_made = made.run(numbers([-1, *range(1000)]), settings=tuples(rows)).to_pylist()
    assert rows_made == [{"a": -1, "b": 0}]


def test_explain_names_ports_kind_and_lock() -> None:
    left, right = sides()
    text = left.loop(barrier, right=right, out=PAIR, name="pairs", grow=True).explanation()
    assert "from left, right to out, holds any number of rows" in text
    assert "kind     stateful, holds the GIL" in text
    assert "in       right: n bigint" in text
    assert "out      out: a bigint, b bigint" in text


def test_the_operator_alone_does_the_same_to_one_batch() -> None:
    def last(n: Any, out: Any) -> Driver:
        while (yield wait_all(n=1)):
            kept = n.take(1)
        out.push(kept)

    operator = penstock.flow("f", "n long").loop(last).operators[0]
    made = operator.process(numbers([1, 2, 3]).to_batches()[0])
    assert made is not None
    assert made.to_pydict() == {"n": [3]}
