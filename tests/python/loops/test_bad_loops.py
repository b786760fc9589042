"""Loops that go wrong, or that nobody lets go on."""

from __future__ import annotations

import functools
import traceback
from typing import Any

import pytest
from tests.python.loops.loops import PAIR, Driver, barrier, column, numbers, sides, tuples

import penstock
from penstock import FlowError, OperatorError, wait_all, wait_any
from penstock.threading_model import MODELS


def start() -> Any:
    return penstock.flow("f", "n long")


LOOP: Any = penstock.loop


def no_generator(n: Any, out: Any) -> None:
    out.push(n.take())


async def asynchronous(n: Any, out: Any) -> Any:
    yield out.push(n.take())


def copy(n: Any, out: Any) -> Driver:
    while (yield wait_all(n=1)):
        out.push(n.take(1))


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (lambda: start().loop(no_generator), "no_generator is not a generator: a loop waits"),
        (lambda: start().loop(asynchronous), "asynchronous is not a generator"),
        (lambda: start().loop(functools.partial(no_generator)), "is not a generator"),
        (lambda: start().loop(7), "a generator function is needed, got int 7"),
        (lambda: start().loop(copy, m=start()), "copy has no parameter 'm'"),
        (lambda: start().loop(barrier, out=PAIR), "a parameter 'right' that is no port"),
        (lambda: start().loop(copy, out={"made": "n long"}), "has no parameter 'made'"),
        (lambda: start().loop(copy, out={}), "out= names no port"),
        (lambda: start().loop(copy, out={"n": "n long"}), "'n' is both an input and an output"),
        (lambda: start().loop(copy, out="n strange"), "strange"),
        (lambda: start().loop(copy, capacity=0), "capacity=0 must be a number of rows from 1"),
        (lambda: start().loop(copy, grow=1), "grow=1 must be True or False"),
        (lambda: start().loop(copy, capacity=1, grow=True), "exclude each other"),
        (lambda: start().loop(copy, wake="row"), "wake='row' must be 'rows' or 'tuples'"),
        (lambda: start().loop(barrier, right=7, out=PAIR), "takes another flow"),
        (
            lambda: start().loop(barrier, right=penstock.flow("g", "n long"), out=PAIR),
            "'g' starts on its own",
        ),
        (lambda: LOOP(copy), "loop needs its inputs by name"),
        (lambda: LOOP(copy, n=7), "n= takes a flow, got int"),
        (
            lambda: LOOP(barrier, out=start(), right=start(), left=start()),
            "a schema must be a DDL string, .* got Flow",
        ),
    ],
)
def test_a_mistake_is_refused_where_it_is_written(build: Any, text: str) -> None:
    with pytest.raises(FlowError, match=text):
        build()


def test_a_loop_cannot_be_replicated() -> None:
    with pytest.raises(FlowError, match="operator 'loop_2' is stateful: it must see all rows"):
        start().parallel(lambda rows: rows.loop(copy), by="n")


def failing(function: Any, values: Any, **options: Any) -> OperatorError:
    with pytest.raises(OperatorError) as caught:
        start().loop(function, **options).run(numbers(values))
    return caught.value


def test_a_yield_of_something_else_is_refused_at_its_line() -> None:
    def strange(n: Any, out: Any) -> Driver:  # noqa: ARG001
        yield 7

    error = failing(strange, [1])
    assert "a loop yields wait_all(...), wait_any(...) or nothing, got 7" in str(error)
    lines = "".join(traceback.format_exception(error))
    assert "yield 7" in lines


def test_a_wait_on_an_unknown_port_is_refused_at_its_line() -> None:
    def lost(n: Any, out: Any) -> Driver:  # noqa: ARG001
        yield wait_any(m=1)

    assert "wait_any(m=1): 'm' is not an input port; Known: 'n'" in failing(lost, [1]).reason


def test_a_loop_may_go_on_after_a_mistake_that_it_caught() -> None:
    def careful(n: Any, out: Any) -> Driver:
        try:
            yield 7
        except FlowError:
            yield wait_all(n=1)
        out.push(n.take(1))

    assert column(start().loop(careful), [1, 2]) == [1]


def test_a_wait_for_more_rows_than_a_port_holds_is_refused() -> None:
    def many(n: Any, out: Any) -> Driver:  # noqa: ARG001
        yield wait_all(n=11)

    error = failing(many, [1], capacity=10, name="many")
    for part in ("operator 'many' waits for 11 rows of port 'n'", "10 at most"):
        assert part in error.reason
    assert error.reason.endswith(
        "wait for fewer, or give capacity=11 or grow=True to loop(...), or set "
        "spark.penstock.loop.capacity higher"
    )


def test_a_port_grows_where_it_may() -> None:
    def many(n: Any, out: Any) -> Driver:
        yield wait_all(n=11)
        out.push(n.take(11))

    grown = start().loop(many, grow=True)
    small = {"spark.penstock.loop.capacity": 1}
    assert column(grown, range(20), settings=small) == list(range(11))


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_rows_that_pile_up_are_refused_where_they_do(rows: int) -> None:
    left, right = sides()
    both = left.loop(barrier, right=right, out=PAIR, capacity=3)
    with pytest.raises(OperatorError) as caught:
        both.run(numbers([1, -1, 2, 3, 4, 5, -2]), settings=tuples(rows))
    reason = caught.value.reason
    assert "port 'right' would hold more than 3 rows" in reason
    assert "port 'left' has 0 of 1" in reason
    assert reason.endswith(
        "take rows of 'right' meanwhile, or give a larger capacity= or grow=True to loop(...), "
        "or set spark.penstock.loop.capacity higher"
    )


def test_ports_of_very_different_rates_stay_within_their_room() -> None:
    most = 0

    def thinned(left: Any, right: Any, out: Any) -> Driver:
        nonlocal most
        while (yield wait_any(left=1, right=64)):
            most = max(most, len(left) + len(right))
            right.take()
            out.push(left.take())

    left, right = sides()
    made = left.loop(thinned, right=right, out="n long", capacity=64)
    values = [n if n % 1000 else -n for n in range(1, 20_001)]
    assert column(made, values, settings=tuples(100)) == [n for n in values if n < 0]
    assert most <= 65


def test_what_ports_may_hold_is_limited_in_bytes() -> None:
    def hoard(n: Any, out: Any) -> Driver:  # noqa: ARG001
        yield wait_all(n=10_000)

    with pytest.raises(OperatorError, match=r"'n' with 1,000 rows.*state\.maxBytes is 1,024"):
        start().loop(hoard, grow=True).run(
            numbers(range(1000)), settings={"spark.penstock.state.maxBytes": "1k"}
        )


def test_ports_may_hold_as_many_bytes_as_is_said_and_no_more() -> None:
    def hoard(n: Any, out: Any) -> Driver:
        yield wait_all(n=10_000)
        out.push(n.take())

    made = start().loop(hoard, grow=True)
    settings = {"spark.penstock.state.maxBytes": "1k"}
    assert column(made, range(128), settings=settings) == list(range(128))
    with pytest.raises(OperatorError, match=r"hold 1,032 bytes.*'n' with 129 rows"):
        made.run(numbers(range(129)), settings=settings)


def test_a_loop_that_never_heeds_the_end_is_told_so() -> None:
    def deaf(n: Any, out: Any) -> Driver:  # noqa: ARG001
        while True:
            yield wait_all(n=1)

    assert "gave Over 1,000 times in a row" in failing(deaf, []).reason


def test_a_loop_may_be_told_often_that_it_is_over_while_it_works_on_what_is_left() -> None:
    def last(n: Any, out: Any) -> Driver:
        while not (yield wait_all(n=2_000)) and n:
            out.push(n.take(1))

    made = penstock.flow("f", "n long").loop(last)
    assert column(made, range(1_500)) == list(range(1_500))


def test_what_is_over_between_waits_that_are_done_is_not_in_a_row() -> None:
    def asks(n: Any, out: Any) -> Driver:  # noqa: ARG001
        for _ in range(1_001):
            assert not (yield wait_all(n=1))
            assert (yield wait_all(n=0))
        out.push([{"n": 1}])

    assert column(penstock.flow("f", "n long").loop(asks), []) == [1]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("rows", [0, 1, 2])
def test_a_failure_names_the_row_and_keeps_what_came_before(model: Any, rows: int) -> None:
    def picky(n: Any, out: Any) -> Driver:
        while (yield wait_all(n=1)):
            row = n.take(1)
            out.push(row)
            if row["n"][0].as_py() == 3:
                raise ValueError("three")

    made = start().loop(picky, name="picky")
    if model != "manual":
        made = made.threading(model)
    got: list[int] = []
    with pytest.raises(OperatorError) as caught:  # noqa: PT012
        for batch in made.stream(numbers([1, 2, 3, 4]), settings=tuples(rows)):
            got += batch["n"].to_pylist()
    assert got == [1, 2]
    assert (caught.value.operator, caught.value.row, caught.value.last_row) == ("picky", 2, 2)
    assert isinstance(caught.value.__cause__, ValueError)


def test_a_loop_that_wakes_behind_tuples_fails_at_their_last_row() -> None:
    def fails(n: Any, out: Any) -> Driver:  # noqa: ARG001
        yield wait_all(n=4)
        raise ValueError("no")

    with pytest.raises(OperatorError) as caught:
        start().loop(fails, wake="tuples").run(numbers(range(9)), settings=tuples(3))
    assert (caught.value.row, caught.value.last_row) == (5, 5)


@pytest.mark.parametrize("model", MODELS)
def test_a_failure_while_others_wait_ends_the_flow(model: Any) -> None:
    def fails(n: Any, out: Any) -> Driver:  # noqa: ARG001
        yield wait_all(n=2)
        raise ValueError("no")

    left, right = sides()
    both = left.loop(fails).loop(barrier, right=right, out=PAIR)
    if model != "manual":
        both = both.threading(model)
    with pytest.raises(OperatorError, match="ValueError: no"):
        both.run(numbers([-1, 1, -2, 2]), settings=tuples(1))


def test_a_failure_at_the_end_is_behind_the_rows() -> None:
    def late(n: Any, out: Any) -> Driver:  # noqa: ARG001
        yield wait_all(n=9)
        raise ValueError("too few")

    assert "behind 2 rows of the input: ValueError: too few" in str(failing(late, [1, 2]))


@pytest.mark.parametrize("model", MODELS)
def test_a_loop_of_a_flow_that_is_closed_runs_its_last_lines(model: Any) -> None:
    ended: list[str] = []

    def tidy(n: Any, out: Any) -> Driver:
        try:
            while (yield wait_all(n=1)):
                out.push(n.take(1))
        finally:
            ended.append("ended")

    made = start().loop(tidy)
    if model != "manual":
        made = made.threading(model)
    stream = made.stream(numbers([n]).to_batches()[0] for n in range(100_000))
    next(stream)
    stream.close()
    assert ended == ["ended"]
