"""What a picture of a flow is made of, before anything has a place: boxes, and frames around them.

>>> pick = Step("pick", "select a")
>>> both = Frame("union_1", "branches", "union of 2 branches", lanes=((pick,), ()))
>>> [step.name for step in steps_of((both,))]
['pick']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["operator", "input", "output"]
Style: TypeAlias = Literal["region", "branches", "circle", "together", "fork"]


@dataclass(frozen=True)
class Port:
    """Where rows go in or come out.

    Attributes:
        name: Empty where there is nothing to tell it from.
        hover: What is told of it on request, such as its columns.
        takes: Of an input: the output before it that it reads, where that is one of several.
    """

    name: str = ""
    hover: str = ""
    takes: str = ""


ONE = (Port(),)


@dataclass(frozen=True)
class Step:
    """One operator, or an end of the flow.

    Attributes:
        name: As metrics call it.
        does: On one line.
        kind: `stateless`, `keyed` or `stateful`.
        holds_gil: Whether it runs under Python's lock.
        hover: The whole story.
        role: What kind of box it is.
        inlets: Where rows come in, first to last.
        outlets: Where they leave.
        control: Where rows of a circle come back to, if they do.
    """

    name: str
    does: str
    kind: str = "stateless"
    holds_gil: bool = False
    hover: str = ""
    role: Role = "operator"
    inlets: tuple[Port, ...] = ONE
    outlets: tuple[Port, ...] = ONE
    control: Port | None = None


@dataclass(frozen=True)
class Frame:
    """Operators that belong together.

    Attributes:
        name: As metrics call it.
        style: Why they belong together; a `fork` has no frame to see.
        does: On one line.
        lanes: Chains that are side by side.
        kind: As that of a step.
        hover: The whole story.
        inlets: One for all lanes, or one for each.
        outlets: One for all lanes, or one for each.
    """

    name: str
    style: Style
    does: str
    lanes: tuple[Chain, ...]
    kind: str = "stateless"
    hover: str = ""
    inlets: tuple[Port, ...] = ONE
    outlets: tuple[Port, ...] = ONE


Part: TypeAlias = Step | Frame
Chain: TypeAlias = tuple[Part, ...]


def steps_of(chain: Chain) -> Iterator[Step]:
    """All steps, those in frames too."""
    for part in chain:
        if isinstance(part, Step):
            yield part
        else:
            for lane in part.lanes:
                yield from steps_of(lane)


def begins_with_input(chain: Chain) -> bool:
    """Whether all rows of a chain come from inputs that are drawn in it."""
    if not chain:
        return False
    first = chain[0]
    if isinstance(first, Step):
        return first.role == "input"
    return all(map(begins_with_input, first.lanes))
