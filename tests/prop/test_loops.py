"""Random graphs of driver loops on random rows, tuples and threads.

The oracle shares nothing with the engine: it gives the rows one by one to the same generators, whose
ports are plain lists.
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

from penstock import Flow, flow, loop, outputs, wait_all, wait_any

PORTS = ("one", "two", "three")
OUTS = ("even", "odd")
COLUMNS = "port long, n long"
WAYS = st.sampled_from([("manual", None), ("dedicated", None)]) | st.tuples(
    st.sampled_from(["dynamic", "conveyor", "automatic"]), st.integers(1, 8)
)


@dataclass(frozen=True)
class Shape:
    """What a loop does.

    Attributes:
        word: How it waits.
        counts: For how many rows of each port.
        turns: After how many waits it ends; None for at the end of the input.
        drains: Whether it gives what is left at the end.
    """

    word: str
    counts: tuple[int, ...]
    turns: int | None
    drains: bool

    @property
    def ports(self) -> tuple[str, ...]:
        return PORTS[: len(self.counts)]

    def run(self, ports: dict[str, Any], push: Any) -> Generator[Any, Any, None]:
        """The loop itself; `push(turn, values)` puts out the values of a turn."""
        wait = wait_all if self.word == "all" else wait_any
        counts = dict(zip(self.ports, self.counts, strict=True))
        turn = 0
        while (self.turns is None or turn < self.turns) and (yield wait(**counts)):
            turn += 1
            made = []
            for name, count in counts.items():
                made += ports[name].take(min(count, len(ports[name])))["n"].to_pylist()
            push(turn, [(7 * value + turn) % 1_000_003 for value in made])
        if self.drains:
            for name in counts:
                push(turn, ports[name].take()["n"].to_pylist())

    def function(self) -> Any:
        """The same with the parameters that a loop of the package has."""

        def one(one: Any, even: Any, odd: Any) -> Any:
            return (yield from self.run({"one": one}, _into(even, odd)))

        def two(one: Any, two: Any, even: Any, odd: Any) -> Any:
            return (yield from self.run({"one": one, "two": two}, _into(even, odd)))

        def three(one: Any, two: Any, three: Any, even: Any, odd: Any) -> Any:
            ports = {"one": one, "two": two, "three": three}
            return (yield from self.run(ports, _into(even, odd)))

        return (one, two, three)[len(self.counts) - 1]


def _into(even: Any, odd: Any) -> Any:
    def push(turn: int, values: list[int]) -> None:
        (odd if turn % 2 else even).push([{"port": value % 3, "n": value} for value in values])

    return push


class PlainPort:
    """A port that is a list."""

    def __init__(self) -> None:
        self.values: list[int] = []

    def __len__(self) -> int:
        return len(self.values)

    def take(self, count: int | None = None) -> dict[str, Any]:
        count = len(self.values) if count is None else count
        taken, self.values = self.values[:count], self.values[count:]
        return {"n": pa.array(taken, pa.int64())}


def simulated(shape: Shape, rows: list[tuple[int, int]]) -> dict[str, list[int]]:
    """What a loop makes of rows, one at a time."""
    ports = {name: PlainPort() for name in shape.ports}
    made: dict[str, list[int]] = {"even": [], "odd": []}

    def push(turn: int, values: list[int]) -> None:
        made["odd" if turn % 2 else "even"] += values

    generator = shape.run(ports, push)
    try:
        wait = next(generator)
        for port, value in rows:
            if port % 3 >= len(shape.counts):
                continue
            ports[PORTS[port % 3]].values.append(value)
            while _holds(wait, ports):
                wait = generator.send(True)
        while True:
            wait = generator.send(_holds(wait, ports))
    except StopIteration:
        return made


def _holds(wait: Any, ports: dict[str, PlainPort]) -> bool:
    enough = [len(ports[name]) >= count for name, count in wait.counts.items()]
    return all(enough) if wait.word == "all" else any(enough)


def looped(start: Flow, shape: Shape) -> dict[str, Flow]:
    branches = {
        name: start.filter(pc.field("port") == number) for number, name in enumerate(shape.ports)
    }
    bring: Any = loop
    made: dict[str, Flow] = bring(
        shape.function(), **branches, out={"even": COLUMNS, "odd": COLUMNS}
    )
    return made


SHAPES = st.builds(
    Shape,
    st.sampled_from(["all", "any"]),
    st.lists(st.integers(1, 5), min_size=1, max_size=3).map(tuple),
    st.none() | st.integers(0, 6),
    st.booleans(),
)
ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1000)), max_size=60)


@given(SHAPES, SHAPES, ROWS, WAYS, st.integers(1, 17))
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
def test_loops_behind_loops_make_what_a_sequential_run_makes(
    first: Shape, second: Shape, rows: list[tuple[int, int]], way: Any, tuple_rows: int
) -> None:
    parts = looped(flow("f", COLUMNS), first)
    made = looped(parts["odd"], second)
    flows = {"rest": parts["even"], **made}
    if way[0] != "manual":
        flows = {name: one.threading(way[0], threads=way[1]) for name, one in flows.items()}
    table = pa.table(
        {"port": [port for port, _ in rows], "n": [value for _, value in rows]},
        schema=flow("f", COLUMNS).input_schema,
    )
    found = outputs(**flows).run(table, settings={"spark.penstock.tuple.rows": tuple_rows})
    before = simulated(first, rows)
    wanted = simulated(second, [(value % 3, value) for value in before["odd"]])
    assert found["rest"].table["n"].to_pylist() == before["even"]
    assert found["even"].table["n"].to_pylist() == wanted["even"]
    assert found["odd"].table["n"].to_pylist() == wanted["odd"]
