"""PageRank in every way to run it: exactly the ranks that a plain loop finds."""

from __future__ import annotations

from random import Random

import pyarrow as pa
import pytest
from tests.kernels import generated, oracles
from tests.kernels.page_rank import ONE, page_rank, supersteps
from tests.kernels.ways import WAYS, Way, run

Edges = list[tuple[int, int]]


def skewed_edges(vertices: int, count: int) -> Edges:
    random = Random(generated.SEED)
    return [(random.randrange(vertices), generated.skewed(random, vertices)) for _ in range(count)]


GRAPHS: dict[str, Edges] = {
    "one edge": [(3, 7)],
    "one vertex": [(5, 5)],
    "self loops": [(0, 0), (0, 1), (1, 1), (2, 2), (1, 2)],
    "many edges of two": [(0, 1)] * 5 + [(1, 0)] * 2 + [(0, 0)] * 3,
    "dangling": [(0, 1), (2, 1), (3, 1), (0, 4)],
    "ring": [(i, (i + 1) % 6) for i in range(6)],
    "apart, far numbers": [(-(2**62), 2**62), (2**62, -(2**62)), (9, 10)],
    "star": [(i, 0) for i in range(1, 12)],
    "skewed": skewed_edges(23, 90),
}


def given(edges: Edges, steps: int) -> pa.Table:
    src, dst = (pa.array([edge[end] for edge in edges], pa.int64()) for end in (0, 1))
    return supersteps(pa.table({"src": src, "dst": dst}), steps)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_ranks_are_the_same_in_every_way(way: Way) -> None:
    edges, steps = GRAPHS["skewed"], 3 if way.rows == 1 else 10
    made, states = run(page_rank, given(edges, steps), way)
    assert made == oracles.page_rank(edges, steps)
    assert states == {}


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("steps", [1, 2, 10])
def test_ranks_of_graphs_of_every_shape(name: str, steps: int) -> None:
    made, _ = run(page_rank, given(GRAPHS[name], steps), Way("conveyor", 2, 7, changes=False))
    assert made == oracles.page_rank(GRAPHS[name], steps)


def test_ranks_of_later_rounds_need_those_that_came_back() -> None:
    rounds = [oracles.page_rank(GRAPHS["skewed"], steps) for steps in (1, 2, 3)]
    assert len({str(ranks) for ranks in rounds}) == len(rounds)
    assert {row["rank_q40"] for row in rounds[0]} != {15 * ONE // 100}


def test_no_edges_have_no_ranks() -> None:
    assert page_rank.run(given([], 2)).to_pylist() == []
