"""The comparison notices what it must: without this, its silence would prove nothing."""

from __future__ import annotations

import dataclasses
import threading

import pytest
from tests.prop import oracle
from tests.prop.cases import END, Carriers, Case, Edge, Step
from tests.prop.comparison import check_same
from tests.prop.engine import batch_of, called_by_address, open_element, read
from tests.prop.oracle import Outcome

from penstock import _native

TWO = Carriers(threads=2, capacity=4, elastic=False, levels=())


def numbered(kind: str, model: str) -> Outcome:
    """Number the tuples 0 and 1 as they pass; where they may, the second overtakes the first."""
    overtaken = threading.Event()
    seen = 0

    def number(values: list[int]) -> list[int]:
        nonlocal seen
        if values == [0] and kind == "stateless" and model != "manual":
            overtaken.wait()
        seen += 1
        overtaken.set()
        return [10 * values[0] + seen]

    graph = _native.Graph("canary")
    graph.add("number", kind, _native.function(called_by_address("number", number)))
    graph.connect(END, 0)
    graph.connect(0, END)
    element, reader = open_element(graph, iter([batch_of([0]), batch_of([1])]), model, TWO)
    try:
        return read(element, reader)
    finally:
        element.close()


def test_an_operator_that_lies_about_its_state_is_caught() -> None:
    right = Outcome(batches=[[1], [12]])
    check_same(numbered("stateless", "manual"), right)
    check_same(numbered("stateful", "conveyor"), right)
    with pytest.raises(AssertionError, match="out of order 2 of 2 rows"):
        check_same(numbered("stateless", "conveyor"), right)


@pytest.mark.parametrize(
    ("batches", "wrong"),
    [
        ([[1, 2], [3]], "lost 1, duplicated or made up 0, out of order 0 of 4 rows"),
        ([[1, 2], [3, 4, 4]], "lost 0, duplicated or made up 1, out of order 0 of 4 rows"),
        ([[2, 1], [3, 4]], "lost 0, duplicated or made up 0, out of order 2 of 4 rows"),
        ([[1, 2, 3], [4]], "out of order 0 of 4 rows"),
    ],
)
def test_every_kind_of_wrong_result_is_told_apart(batches: list[list[int]], wrong: str) -> None:
    right = Outcome(batches=[[1, 2], [3, 4]])
    check_same(Outcome(batches=[[1, 2], [3, 4]]), right)
    with pytest.raises(AssertionError, match=wrong):
        check_same(Outcome(batches=batches), right)
    with pytest.raises(AssertionError, match="op3"):
        check_same(dataclasses.replace(right, operator="op3"), right)


def test_the_oracle_takes_operators_in_topological_order_and_batches_in_that_of_emission() -> None:
    step = Step(kind="stateful", seed=0, selectivity="same", cost=0, inputs=2)
    first = dataclasses.replace(step, inputs=1)
    # 2 and 1 read the input; 0 reads both and comes last, whatever its number.
    edges = (Edge(END, 2), Edge(END, 1), Edge(2, 0, 1), Edge(1, 0), Edge(0, END), Edge(END, END))
    case = Case((step, first, first), edges, batch_sizes=(1, 0, 1), rows_per_tuple=0)
    assert oracle.topological_order(case) == [1, 2, 0]
    made = oracle.expected(case).batches
    assert [len(batch) for batch in made] == [3, 3]
    assert [made[0][0], made[1][0]] == [0, 1]
