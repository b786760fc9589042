"""Rows that go round: control ports, marks, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, cast

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import Flow, flow, wait_all, wait_any, wait_mark
from penstock.errors import FlowError, OperatorError

START = flow("f", "n long")
MODELS = ["manual", "dedicated", "dynamic", "conveyor", "automatic"]


def add(n: Any, before: Any, out: Any) -> Generator[Any, Any, Any]:
    """Adds to each row all that came round."""
    total = 0
    while (yield wait_all(n=1)):
        total += sum(before.take()["n"].to_pylist())
        out.push({"n": [n.take(1)["n"][0].as_py() + total]})


def passes(n: Any, out: Any) -> Generator[Any, Any, Any]:
    while (yield wait_all(n=1)):
        out.push(n.take())


def batches(*tuples: list[int]) -> list[pa.RecordBatch]:
    return [pa.record_batch({"n": pa.array(rows, pa.int64())}) for rows in tuples]


def ran(made: Flow, *tuples: list[int]) -> list[int]:
    numbers: list[int] = made.run(batches(*tuples)).table["n"].to_pylist()
    return numbers


@pytest.mark.parametrize("model", MODELS)
def test_rows_come_back_behind_their_tuple(model: Any) -> None:
    made = START.circle(lambda rows: rows.loop(add, control="before")).threading(model)
    assert ran(made, [1, 2], [0], [0]) == [1, 2, 3, 6]


def test_all_operators_of_the_circle_see_a_row_before_it_comes_back() -> None:
    made = START.circle(
        lambda rows: (
            rows.loop(add, control="before").with_column("n", pc.field("n") * 10).loop(passes)
        )
    )
    assert ran(made, [1], [0], [0]) == [10, 100, 1100]


def test_rows_that_go_round_cannot_breed() -> None:
    seen: list[int] = []

    def doubles(n: Any, before: Any, out: Any) -> Generator[Any, Any, Any]:
        while (yield wait_all(n=1)):
            seen.append(len(before))
            out.push(n.take(1))
            rows = before.take()
            out.push(rows)
            out.push(rows)

    made = START.circle(lambda rows: rows.loop(doubles, control="before"))
    # Nothing but a row of the input wakes the loop: three rows, three times.
    assert ran(made, [1], [2], [3]) == [1, 2, 1, 1, 3, 2, 1, 1, 2, 1, 1]
    assert seen == [0, 1, 3]


def test_only_the_rows_of_back_go_back_and_only_those_of_out_leave() -> None:
    def parts(n: Any, out: Any, back: Any) -> Generator[Any, Any, Any]:
        while (yield wait_all(n=1)):
            row = n.take(1)
            (out if row["n"][0].as_py() % 2 else back).push(row)

    made = START.circle(
        lambda rows: rows.loop(add, control={"before": "n long"}).loop(
            parts, {"out": "n long", "back": "n long"}
        )
    )
    assert ran(made, [1, 2], [1], [1], [0, 1]) == [1, 3, 3, 3]


def test_a_mark_wakes_a_loop_that_waits_for_one_and_goes_on_behind_its_rows() -> None:
    def sums(n: Any, before: Any, out: Any) -> Generator[Any, Any, Any]:
        while (yield wait_mark()):
            out.push({"n": [sum(n.take()["n"].to_pylist() + before.take()["n"].to_pylist())]})

    marked = START.punctuate(every=2)
    made = marked.circle(lambda rows: rows.loop(sums, control="before", name="sums"))
    again = made.loop(passed_marks)
    assert ran(made, [1, 2, 3], [4, 5]) == [3, 10]
    assert ran(again, [1, 2, 3], [4, 5]) == [3, -1, 10, -1]


def passed_marks(n: Any, out: Any) -> Generator[Any, Any, Any]:
    while (yield wait_mark()):
        out.push(n.take())
        out.push({"n": [-1]})


def test_a_loop_that_waits_for_rows_lets_marks_go_on() -> None:
    made = START.punctuate(every=2).loop(passes).loop(passed_marks)
    assert ran(made, [1, 2, 3, 4, 5]) == [1, 2, -1, 3, 4, -1]


def test_a_mark_that_came_while_a_loop_waited_for_rows_is_no_longer_there() -> None:
    def late(n: Any, out: Any) -> Generator[Any, Any, Any]:
        yield wait_all(n=3)
        yield wait_mark()
        out.push(n.take())

    assert ran(START.punctuate(every=2).loop(late), [1], [2], [3], [4], [5]) == [1, 2, 3, 4]


def test_a_loop_makes_marks() -> None:
    def by_tens(n: Any, out: Any) -> Generator[Any, Any, Any]:
        while (yield wait_all(n=1)):
            row = n.take(1)
            out.push(row)
            if row["n"][0].as_py() % 10 == 0:
                out.punctuate()

    assert ran(START.loop(by_tens).loop(passed_marks), [1, 10, 2, 3], [20, 4]) == [
        *(1, 10, -1),
        *(2, 3, 20, -1),
    ]


def test_what_comes_behind_the_last_mark_is_there_when_the_wait_is_over() -> None:
    def rest(n: Any, out: Any) -> Generator[Any, Any, Any]:
        while (yield wait_mark()):
            n.take()
        out.push(n.take())

    assert ran(START.punctuate(every=2).loop(rest), [1, 2, 3, 4], [5]) == [5]


def test_a_wait_for_a_control_port_is_refused() -> None:
    def waits(n: Any, before: Any, out: Any) -> Generator[Any, Any, Any]:  # noqa: ARG001
        yield wait_any(n=1, before=1)

    made = START.circle(lambda rows: rows.loop(waits, control="before", name="waits"))
    with pytest.raises(OperatorError, match="'before' is a control port, which wakes nobody"):
        ran(made, [1])


def test_rows_that_nobody_takes_from_a_control_port_are_too_many_at_some_time() -> None:
    def forgets(n: Any, before: Any, out: Any) -> Generator[Any, Any, Any]:  # noqa: ARG001
        while (yield wait_all(n=1)):
            out.push(n.take(1))

    def circle(**room: Any) -> Flow:
        return START.circle(lambda rows: rows.loop(forgets, control="before", **room))

    with pytest.raises(OperatorError, match="control port 'before' would hold 3 rows, and may"):
        ran(circle(capacity=2), [1], [2], [3])
    assert ran(circle(grow=True), [1], [2], [3]) == [1, 2, 3]


@pytest.mark.parametrize("place", [0, 1])
def test_a_failure_names_the_operator_inside(place: int) -> None:
    def fails(n: Any, out: Any) -> Generator[Any, Any, Any]:  # noqa: ARG001
        while (yield wait_all(n=1)):
            if n.take(1)["n"][0].as_py() == 3:
                raise ValueError("three")

    def first(n: Any, before: Any, out: Any) -> Generator[Any, Any, Any]:  # noqa: ARG001
        yield from fails(n, out)

    made = START.circle(
        lambda rows: (
            rows.loop(first, control="before", name="bad")
            if place == 0
            else rows.loop(add, control="before", name="good").loop(fails, name="bad")
        )
    )
    with pytest.raises(OperatorError, match=r"'bad'.*three"):
        ran(made, [1, 3])


def test_a_circle_that_ends_early_reads_no_more() -> None:
    def two(n: Any, before: Any, out: Any) -> Generator[Any, Any, Any]:  # noqa: ARG001
        yield wait_all(n=2)
        out.push(n.take(2))

    made = START.circle(lambda rows: rows.loop(two, control="before"))
    assert ran(made, [1], [2], [3], [4]) == [1, 2]


BAD: dict[str, tuple[Callable[[], Any], str]] = {
    "no function": (
        lambda: START.circle(cast("Any", "rows")),
        "a circle is a function from a flow",
    ),
    "no flow": (lambda: START.circle(lambda _: 3), "must return the flow it made"),  # type: ignore[arg-type, return-value]
    "another flow": (lambda: START.circle(lambda _: START), "does not start from the one given"),
    "nothing added": (lambda: START.circle(lambda rows: rows), "and there is none"),
    "no loop": (
        lambda: START.circle(lambda rows: rows.select("n", name="s")),
        r"must be a loop with one.*'s' is none",
    ),
    "no control": (lambda: START.circle(lambda rows: rows.loop(passes)), "must be a loop with one"),
    "control elsewhere": (
        lambda: START.loop(add, control="before"),
        "is for the first operator of a circle",
    ),
    "control second": (
        lambda: START.circle(lambda rows: rows.select("n").loop(add, control="before")),
        "is for the first operator of a circle",
    ),
    "other columns": (
        lambda: START.circle(
            lambda rows: rows.loop(add, control={"before": "n long, m long"}, name="a")
        ),
        r"control port 'before' of 'a' does not have the columns.*'m' is missing",
    ),
    "no such parameter": (
        lambda: START.circle(lambda rows: rows.loop(add, control="befor")),
        "no parameter 'befor'",
    ),
    "other ways": (
        lambda: START.circle(lambda rows: {"out": rows, "backwards": rows}),
        "goes back as 'back', got 'out', 'backwards'",
    ),
    "inside a circle": (
        lambda: START.circle(lambda rows: rows.circle(lambda more: more), name="c"),
        "a circle cannot be inside 'c'",
    ),
    "two control ports": (
        lambda: START.circle(lambda rows: rows.loop(add, control={"a": "n long", "b": "n long"})),
        "control= names one port, got 2",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_circle_is_refused_where_it_is_written(case: str) -> None:
    make, message = BAD[case]
    with pytest.raises(FlowError, match=message):
        make()
