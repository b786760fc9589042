"""The right result of a case, by an interpreter that shares nothing with the engine.

For each source tuple the operators run one after another in topological order, and each takes
what was emitted to it, in that order. That is all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.prop.bodies import Body, Refused, body
from tests.prop.cases import END, Case, Edge


@dataclass
class Outcome:
    """The batches that came out, and how it ended.

    Attributes:
        batches: The values of each batch.
        operator: The one that failed; empty when all went well.
        rows: The first and last input row that the failure is about.
        reason: What the operator raised.
    """

    batches: list[list[int]] = field(default_factory=list)
    operator: str = ""
    rows: tuple[int, int] = (0, 0)
    reason: str = ""


def expected(case: Case, *, locate_row: bool = True) -> Outcome:
    """Run a case on paper."""
    return _Interpreter(case).run(locate_row=locate_row)


def name(place: int) -> str:
    """Name an operator."""
    return f"op{place}"


def batches_of(case: Case) -> list[list[int]]:
    """Count the rows of the input through its batches."""
    rows = iter(range(sum(case.batch_sizes)))
    return [[next(rows) for _ in range(size)] for size in case.batch_sizes]


def topological_order(case: Case) -> list[int]:
    """Put every operator after those that feed it.

    First come those fed by the input alone, by number. The others queue up as the last of
    their edges is dealt with, where each operator in turn deals with its own edges in the
    order in which they were connected.
    """
    missing = {
        place: sum(edge.downstream == place and edge.upstream != END for edge in case.edges)
        for place in range(len(case.steps))
    }
    queue = deque(place for place, edges in missing.items() if edges == 0)
    order = []
    while queue:
        order.append(queue.popleft())
        for edge in case.edges:
            if edge.upstream == order[-1] and edge.downstream != END:
                missing[edge.downstream] -= 1
                if missing[edge.downstream] == 0:
                    queue.append(edge.downstream)
    return order


class _Stop(Exception):
    def __init__(self, place: int, reason: str) -> None:
        super().__init__(reason)
        self.place = place


class _Interpreter:
    def __init__(self, case: Case) -> None:
        self._case = case
        self._order = topological_order(case)
        self._bodies: list[Body] = [body(case, place) for place in range(len(case.steps))]
        self._edges: dict[int, list[Edge]] = {place: [] for place in (END, *self._order)}
        for edge in case.edges:
            self._edges[edge.upstream].append(edge)

    def run(self, *, locate_row: bool) -> Outcome:
        outcome = Outcome()
        first = 0
        for batch in batches_of(self._case):
            made: list[int] = []  # what came of the tuples of one batch leaves together
            for values in self._tuples(batch):
                try:
                    made += self._one(values)
                except _Stop as stop:
                    outcome.operator, outcome.reason = name(stop.place), str(stop)
                    outcome.rows = first, first + len(values) - 1
                    if locate_row and self._case.stateless:
                        made += self._locate(outcome, first, values)
                    break
                first += len(values)
            outcome.batches += [made] if made else []
            if outcome.operator:
                break
        return outcome

    def _tuples(self, batch: list[int]) -> Iterator[list[int]]:
        size = self._case.rows_per_tuple or len(batch)
        for start in range(0, len(batch), size or 1):
            yield batch[start : start + size]

    def _one(self, values: list[int]) -> list[int]:
        waiting: dict[int, list[list[int]]] = {place: [] for place in (END, *self._order)}
        for edge in self._edges[END]:
            waiting[edge.downstream].append(values)
        for place in self._order:
            for taken in waiting[place]:
                try:
                    made = self._bodies[place](taken)
                except Refused as refused:
                    raise _Stop(place, str(refused)) from None
                for edge in self._edges[place] if made else ():
                    waiting[edge.downstream].append(made)
        return [value for made in waiting[END] for value in made]

    def _locate(self, outcome: Outcome, first: int, values: list[int]) -> list[int]:
        """Name the first row that fails by itself, and return what comes of those before it."""
        for place, value in enumerate(values):
            try:
                self._one([value])
            except _Stop as stop:
                outcome.operator, outcome.reason = name(stop.place), str(stop)
                outcome.rows = first + place, first + place
                return self._one(values[:place]) if place else []
        return []
