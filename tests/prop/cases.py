"""Random flows: what they are made of, and how Hypothesis draws and shrinks them.

A case is plain data, so a failing one is printed whole and can be pasted into a test.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from penstock.policy_names import DEFAULT, WORDS

END = -1  # the input where an edge begins, the output where it ends
MOST_OPERATORS = 60
MOST_THREADS = 8
MOST_CAPACITY = 64
MOST_ROWS_PER_TUPLE = 7

# How many values come of one, by the value's hash. A flow must neither dry up nor flood.
SELECTIVITIES = {
    "same": (1,),
    "thin": (0, 1, 1),
    "mixed": (0, 0, 1, 1, 2, 3, 1, 0),
    "breed": (1, 2, 1, 3),
}
# Bytes to hash for each batch: nothing, little, and enough that Python lets go of the GIL.
COSTS = (0, 512, 8192)
# Batches that may reach an operator for one source tuple, and rows for each row of the input.
MOST_PATHS = 12
LEAST_GROWTH, MOST_GROWTH = 0.5, 3.0


@dataclass(frozen=True)
class Step:
    """One operator: what it remembers, what it makes of a value, what it costs.

    Attributes:
        kind: As the engine is told.
        seed: Makes operators differ.
        selectivity: A key of SELECTIVITIES.
        cost: Bytes hashed for each batch.
        inputs: Input ports.
    """

    kind: str
    seed: int
    selectivity: str
    cost: int
    inputs: int


@dataclass(frozen=True, order=True)
class Edge:
    """From an operator or the input to an operator's input port or the output."""

    upstream: int
    downstream: int
    port: int = 0


@dataclass(frozen=True)
class Failure:
    """An operator that raises at every value whose hash is `remainder` modulo `modulus`."""

    step: int
    modulus: int
    remainder: int


@dataclass(frozen=True)
class Case:
    """A graph, its edges in the order of connecting, and the sizes of the batches fed to it."""

    steps: tuple[Step, ...]
    edges: tuple[Edge, ...]
    batch_sizes: tuple[int, ...]
    rows_per_tuple: int
    failure: Failure | None = None

    @property
    def stateless(self) -> bool:
        """Whether no operator remembers anything."""
        return all(step.kind == "stateless" for step in self.steps)


@dataclass(frozen=True)
class Carriers:
    """Who runs a case: what the result must not depend on.

    Attributes:
        threads: At most so many.
        capacity: Of the queues.
        elastic: Whether the control loop changes the threads, every millisecond.
        levels: Numbers of threads forced in turn between any two reads; none when empty.
        controller: What the control loop goes by.
        policy: Which operator a thread of dynamic runs next.
    """

    threads: int
    capacity: int
    elastic: bool
    levels: tuple[int, ...]
    controller: str = "throughput"
    policy: str = DEFAULT


# How a partition comes in: batches of any size, empty ones among them.
layouts = st.integers(0, 16).flatmap(
    lambda batches: st.tuples(*[st.sampled_from((0, 1, 2, 5, 12))] * batches)
)
carriers = st.builds(
    Carriers,
    threads=st.integers(1, MOST_THREADS),
    capacity=st.integers(1, MOST_CAPACITY),
    elastic=st.booleans(),
    levels=st.lists(st.integers(1, MOST_THREADS), max_size=4).map(tuple),
    controller=st.sampled_from(("throughput", "utilization")),
    # The free list of the paper is leastRecent: together with the default, half of the cases.
    policy=st.sampled_from((DEFAULT, "leastRecent")) | st.sampled_from(WORDS),
)


class _Drawing:
    """A graph that grows operator by operator, each reading what is there already."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.edges: set[Edge] = set()
        self.unread = [END]
        self.paths = {END: 1}  # batches that reach an operator for one source tuple, at most
        self.growth = {END: 1.0}  # and rows it makes for each row of the input, on average

    def add(self, draw: st.DrawFn, kind: str) -> None:
        node = len(self.steps)
        inputs = draw(st.sampled_from((1, 1, 1, 2, 3)))
        edges = {Edge(self._upstream(draw), node, port) for port in range(inputs)}
        if draw(st.sampled_from((False, False, False, True))):  # two edges may end at one port
            edges.add(Edge(self._upstream(draw), node, 0))
        while sum(self.paths[edge.upstream] for edge in edges) > MOST_PATHS and len(edges) > 1:
            edges.remove(max(edges, key=lambda edge: (self.paths[edge.upstream], edge)))
        ports = sorted({edge.port for edge in edges})
        edges = {Edge(edge.upstream, node, ports.index(edge.port)) for edge in edges}
        rows = sum(self.growth[edge.upstream] for edge in edges)
        selectivity = draw(st.sampled_from(sorted(SELECTIVITIES)))
        if not LEAST_GROWTH < rows < MOST_GROWTH:
            selectivity = "thin" if rows > 1 else "breed"
        made = SELECTIVITIES[selectivity]
        self.paths[node] = sum(self.paths[edge.upstream] for edge in edges)
        self.growth[node] = rows * sum(made) / len(made)
        self.edges |= edges
        self.unread = [one for one in self.unread if all(one != e.upstream for e in edges)]
        self.unread.append(node)
        seed, cost = draw(st.integers(0, 999)), draw(st.sampled_from(COSTS))
        self.steps.append(Step(kind, seed, selectivity, cost, len(ports)))

    def _upstream(self, draw: st.DrawFn) -> int:
        """Choose mostly what nobody reads yet, so that flows are deep; sometimes anything."""
        if self.unread and draw(st.sampled_from((True, True, True, False))):
            return draw(st.sampled_from(self.unread))
        return draw(st.integers(END, len(self.steps) - 1))


@st.composite
def graphs(draw: st.DrawFn, *, failing: bool = False) -> Case:
    """Draw a case of 1 to 60 operators; `failing` has one operator raise at some values."""
    batch_sizes = draw(layouts)  # first, so that large graphs do not get the small ones
    drawing = _Drawing()
    stateless = draw(st.booleans()) if failing else draw(st.sampled_from((False,) * 4 + (True,)))
    kinds = ("stateless",) if stateless else ("stateless", "stateful", "keyed")
    for _ in range(draw(st.integers(1, MOST_OPERATORS))):
        drawing.add(draw, draw(st.sampled_from(kinds)))
    edges = drawing.edges | {Edge(node, END) for node in drawing.unread}
    if draw(st.sampled_from((False,) * 7 + (True,))):
        edges.add(Edge(END, END))  # the input, as it is, beside what was made of it
    # Neither the numbers of operators nor the order of connecting may follow the edges.
    places = draw(st.permutations(range(len(drawing.steps))))
    moved = {END: END} | dict(enumerate(places))
    shuffled = [Edge(moved[e.upstream], moved[e.downstream], e.port) for e in sorted(edges)]
    draw(st.randoms(use_true_random=False)).shuffle(shuffled)
    steps = [drawing.steps[places.index(place)] for place in range(len(places))]
    failure = None
    if failing:
        modulus = draw(st.integers(2, 60))
        failure = Failure(
            draw(st.integers(0, len(steps) - 1)), modulus, draw(st.integers(0, modulus - 1))
        )
    return Case(
        steps=tuple(steps),
        edges=tuple(shuffled),
        batch_sizes=batch_sizes,
        rows_per_tuple=draw(st.integers(0, MOST_ROWS_PER_TUPLE)),
        failure=failure,
    )
