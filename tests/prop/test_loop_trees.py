"""Random trees of driver loops over branches of one or two inputs.

What ends in a branch closes its port at that place in the stream. The oracle shares nothing with the
engine: it takes the rows one by one up the tree, into ports that are plain lists.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.prop.comparison import EXAMPLES

from penstock import Flow, flow, inputs, loop, wait_all, wait_any

COLUMNS = "ts long, branch long, n long"
NAMES = ("one", "two")
WAYS = st.sampled_from([("manual", None), ("dedicated", None)]) | st.tuples(
    st.sampled_from(["dynamic", "conveyor", "automatic"]), st.integers(1, 4)
)
Row = tuple[int, int]  # its branch and its value


@dataclass(frozen=True)
class Leaf:
    """A branch of the input, and how many of its rows are taken; None for all."""

    branch: int
    rows: int | None


@dataclass(frozen=True)
class Node:
    """A loop over one or two branches; `count` is for the one that ends early."""

    kind: str
    below: tuple[Any, ...]
    count: int = 0

    def run(self, ports: Any, push: Any) -> Generator[Any, Any, None]:
        """The loop itself, whatever its ports are."""
        if self.kind == "early":
            for _ in range(self.count):
                if not (yield wait_all(one=1)):
                    return
                push(values_of(ports[0].take(1)))
        elif self.kind == "merge":
            while (yield wait_any(one=1, two=1)):
                push(values_of(ports[0].take()) + values_of(ports[1].take()))
        elif self.kind == "gate":
            is_open = True
            while (yield wait_any(one=1, two=1)):
                if len(ports[1]):
                    is_open = values_of(ports[1].take())[-1] % 3 > 0
                rows = values_of(ports[0].take())
                push(rows if is_open else [])
        else:
            yield from barrier(ports, push)

    def function(self) -> Any:
        """The same with the parameters that a loop of the package has."""

        def one(one: Any, out: Any) -> Any:
            return (yield from self.run((one,), lambda values: out.push({"n": values})))

        def two(one: Any, two: Any, out: Any) -> Any:
            return (yield from self.run((one, two), lambda values: out.push({"n": values})))

        return (one, two)[len(self.below) - 1]


def barrier(ports: Any, push: Any) -> Generator[Any, Any, None]:
    """Pair rows, tell what is there when that is over, and give the rest on."""
    while (yield wait_all(one=1, two=1)):
        left, right = (values_of(port.take(1))[0] for port in ports)
        push([(7 * left + right) % 1_000_003])
    push([-1 - len(port) for port in ports])
    while (yield wait_any(one=1, two=1)):
        for port in ports:
            push(values_of(port.take()))


def values_of(rows: Any) -> list[int]:
    found: list[int] = rows["n"].to_pylist()
    return found


class PlainPort:
    """A port that is a list."""

    def __init__(self) -> None:
        self.values: list[int] = []
        self.closed = False

    def __len__(self) -> int:
        return len(self.values)

    def take(self, count: int | None = None) -> dict[str, Any]:
        count = len(self.values) if count is None else count
        taken, self.values = self.values[:count], self.values[count:]
        return {"n": pa.array(taken, pa.int64())}


class SimulatedLeaf:
    """What leaves a branch, row by row."""

    def __init__(self, leaf: Leaf) -> None:
        self.leaf = leaf
        self.seen = 0
        self.ended = False

    def feed(self, row: Row) -> list[int]:
        branch, value = row
        if self.ended or branch != self.leaf.branch:
            return []
        self.seen += 1
        self.ended = self.leaf.rows is not None and self.seen >= self.leaf.rows
        return [] if self.leaf.rows == 0 else [value]

    def finish(self) -> list[int]:
        return []


class SimulatedNode:
    """What a loop makes of what leaves the branches below it, row by row."""

    def __init__(self, node: Node) -> None:
        self.below = [simulated(one) for one in node.below]
        self.ports = [PlainPort() for _ in node.below]
        self.made: list[int] = []
        self.generator = node.run(self.ports, self.made.extend)
        self.wait: Any = None
        self.ended = False

    def feed(self, row: Row) -> list[int]:
        for one, port in zip(self.below, self.ports, strict=True):
            if self.ended:
                break
            had_ended = one.ended
            self.arrive(port, one.feed(row))
            if one.ended and not had_ended:
                port.closed = True
                self.go_on()
        return self.taken()

    def finish(self) -> list[int]:
        for one, port in zip(self.below, self.ports, strict=True):
            if not self.ended and not one.ended:
                self.arrive(port, one.finish())
        for port in self.ports:
            port.closed = True
        self.go_on()
        return self.taken()

    def arrive(self, port: PlainPort, values: list[int]) -> None:
        for value in values:
            port.values.append(value)
            self.go_on()

    def go_on(self) -> None:
        try:
            if self.wait is None and not self.ended:
                self.wait = next(self.generator)
            while not self.ended:
                answer = self.answer()
                if answer is None:
                    return
                self.wait = self.generator.send(answer)
        except StopIteration:
            self.ended = True

    def answer(self) -> bool | None:
        asked = list(zip(self.ports, self.wait.counts.values(), strict=True))
        enough = [len(port) >= count for port, count in asked]
        never = [len(port) < count and port.closed for port, count in asked]
        every, some = (all, any) if self.wait.word == "all" else (any, all)
        if every(enough):
            return True
        return False if some(never) else None

    def taken(self) -> list[int]:
        made = list(self.made)
        self.made.clear()
        return made


def simulated(tree: Leaf | Node) -> SimulatedLeaf | SimulatedNode:
    return SimulatedLeaf(tree) if isinstance(tree, Leaf) else SimulatedNode(tree)


def looped(starts: tuple[Flow, ...], tree: Leaf | Node) -> Flow:
    if isinstance(tree, Leaf):
        start = starts[tree.branch % len(starts)]
        rows = start.filter(pc.field("branch") == tree.branch).select("n")
        return rows if tree.rows is None else rows.take(tree.rows)
    below = [looped(starts, one) for one in tree.below]
    bring: Any = loop
    made: Flow = bring(tree.function(), **dict(zip(NAMES, below, strict=False)), out="n long")
    return made


@st.composite
def trees(draw: Any, first: int = 0, count: int = 0) -> Leaf | Node:
    count = count or draw(st.integers(2, 4))
    made: Leaf | Node
    if count == 1:
        made = Leaf(first, draw(st.none() | st.integers(0, 5)))
    else:
        left = draw(st.integers(1, count - 1))
        below = draw(trees(first, left)), draw(trees(first + left, count - left))
        made = Node(draw(st.sampled_from(["barrier", "merge", "gate"])), below)
    if draw(st.booleans()):
        made = Node("early", (made,), draw(st.integers(0, 6)))
    return made


@given(
    trees(),
    st.integers(1, 2),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1000)), max_size=50),
    WAYS,
    st.integers(0, 9),
)
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
def test_a_tree_of_loops_makes_what_a_sequential_run_makes(
    tree: Leaf | Node, several: int, rows: list[Row], way: Any, tuple_rows: int
) -> None:
    starts: tuple[Flow, ...] = (flow("f", COLUMNS),)
    if several > 1:
        starts = inputs("f", left=COLUMNS, right=COLUMNS)
    made = looped(starts, tree)
    if way[0] != "manual":
        made = made.threading(way[0], threads=way[1])
    tables = [
        pa.table(
            {
                "ts": [ts for ts, (branch, _) in enumerate(rows) if branch % several == number],
                "branch": [branch for branch, _ in rows if branch % several == number],
                "n": [value for branch, value in rows if branch % several == number],
            },
            schema=flow("f", COLUMNS).input_schema,
        )
        for number in range(several)
    ]
    options: dict[str, Any] = {"settings": {"spark.penstock.tuple.rows": tuple_rows}}
    if several > 1:
        found = made.run(left=tables[0], right=tables[1], order_by="ts", **options)
    else:
        found = made.run(tables[0], **options)
    oracle = simulated(tree)
    wanted = [value for row in rows for value in oracle.feed(row)] + oracle.finish()
    assert found.table["n"].to_pylist() == wanted
