"""Bad cases, each forced: who runs the failing operator, queues of one, threads without work."""

from __future__ import annotations

import functools
import threading

import pytest
from tests.prop import engine, oracle
from tests.prop.cases import END, Carriers, Case, Edge, Step
from tests.prop.comparison import check_same
from tests.prop.engine import batch_of, called_by_address, open_element, read
from tests.prop.oracle import Outcome

from penstock import _native
from penstock.threading_model import MODELS

LONG = 60.0  # seconds, after which a test that hangs fails


class Rendezvous:
    """Holds two operator calls until both have begun, so that each has a thread of its own.

    The one on the thread of the wanted kind then raises.
    """

    def __init__(self, raises: str, *calls: tuple[str, int]) -> None:
        self.raised: list[tuple[str, int]] = []
        self._raises = raises
        self._expected = set(calls)
        self._both = threading.Barrier(len(calls), timeout=LONG)
        self._feeder = threading.get_ident()

    def operator(self, name: str, values: list[int]) -> list[int]:
        call = (name, values[0])
        if call in self._expected:
            self._expected.remove(call)
            self._both.wait()
            kind = "feeder" if threading.get_ident() == self._feeder else "worker"
            if kind == self._raises:
                self.raised.append(call)
                raise ValueError(f"{name} refuses {values[0]}")
        return values


# One thread at an operator, the other further on or at the same with another tuple: what the
# model must let happen at the same time, if it has threads at all. A queue of one between two
# operators is full until the second is done with what is in it, so the third is far enough.
OPERATORS = ("first", "second", "third")
MEETINGS = {
    "manual": ("stateless", [("first", 1)]),
    "dedicated": ("stateful", [("first", 1), ("third", 0)]),
    "dynamic": ("stateful", [("first", 1), ("third", 0)]),
    "conveyor": ("stateless", [("first", 0), ("first", 1)]),
    "automatic": ("stateless", [("first", 0), ("first", 1)]),
}


@pytest.mark.parametrize(
    ("model", "raises"),
    [
        ("manual", "feeder"),
        ("dedicated", "worker"),
        ("dynamic", "feeder"),
        ("dynamic", "worker"),
        ("conveyor", "feeder"),
        ("conveyor", "worker"),
        ("automatic", "feeder"),
        ("automatic", "worker"),
    ],
)
def test_an_operator_may_raise_on_any_kind_of_thread(model: str, raises: str) -> None:
    kind, calls = MEETINGS[model]
    rendezvous = Rendezvous(raises, *calls)
    graph = _native.Graph("raising")
    for place, name in enumerate(OPERATORS):
        function = functools.partial(rendezvous.operator, name)
        graph.add(name, kind, _native.function(called_by_address(name, function)))
        graph.connect(place - 1, place)
    graph.connect(len(OPERATORS) - 1, END)
    two = Carriers(threads=2, capacity=1, elastic=False, levels=())
    element, reader = open_element(graph, iter([batch_of([n]) for n in range(4)]), model, two)
    try:
        made = read(element, reader)
    finally:
        element.close()
    # Where two workers met, both raised, and the first tuple's failure is the flow's.
    name, value = min(rendezvous.raised, key=lambda call: call[1])
    before = [[n] for n in range(value)]
    check_same(made, Outcome(before, name, (value, value), f"{name} refuses {value}"))


@pytest.mark.parametrize("operators", [1, 3])
@pytest.mark.parametrize("kind", ["stateless", "stateful", "keyed"])
@pytest.mark.parametrize("model", MODELS)
def test_queues_of_one_and_more_threads_than_operators_lose_nothing(
    model: str, kind: str, operators: int
) -> None:
    step = Step(kind, seed=7, selectivity="mixed", cost=8192, inputs=1)
    chain = (Edge(END, 0), *(Edge(n, n + 1) for n in range(operators - 1)))
    edges = (*chain, Edge(operators - 1, END))
    case = Case((step,) * operators, edges, batch_sizes=(12, 0, 12, 1) * 4, rows_per_tuple=1)
    crowd = Carriers(threads=16, capacity=1, elastic=False, levels=(16, 1, 9))
    check_same(engine.run(case, model, crowd), oracle.expected(case))
