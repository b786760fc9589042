"""What has a place: boxes, the spots where edges touch them, and edges.

All numbers are pixels from the upper left corner of what holds them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from penstock.drawing.parts import Part, Port

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Spot:
    """A port, on the edge of its box."""

    x: float
    y: float
    port: Port

    def moved(self, dx: float, dy: float) -> Spot:
        """The same elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True)
class Box:
    """A part of the picture at its place.

    Attributes:
        part: What is drawn.
        x: Left edge.
        y: Upper edge.
        width: To the right.
        height: Downwards.
        inlets: A spot for each port where rows come in.
        outlets: A spot for each port where rows leave.
        control: The spot of the control port, if there is one.
        depth: In how many frames it is.
    """

    part: Part
    x: float
    y: float
    width: float
    height: float
    inlets: tuple[Spot, ...]
    outlets: tuple[Spot, ...]
    control: Spot | None = None
    depth: int = 0

    def moved(self, dx: float, dy: float) -> Box:
        """The same elsewhere."""
        return replace(
            self,
            x=self.x + dx,
            y=self.y + dy,
            inlets=tuple(one.moved(dx, dy) for one in self.inlets),
            outlets=tuple(one.moved(dx, dy) for one in self.outlets),
            control=self.control and self.control.moved(dx, dy),
        )


@dataclass(frozen=True)
class Edge:
    """Rows on their way from a spot to another.

    Attributes:
        points: From corner to corner; neighbours differ in one coordinate only.
        back: Whether it leads back in a circle.
    """

    points: tuple[Point, ...]
    back: bool = False

    def moved(self, dx: float, dy: float) -> Edge:
        """The same elsewhere."""
        return replace(self, points=tuple((x + dx, y + dy) for x, y in self.points))


@dataclass(frozen=True)
class Note:
    """A few words beside an edge."""

    x: float
    y: float
    text: str

    def moved(self, dx: float, dy: float) -> Note:
        """The same elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True)
class Block:
    """Some boxes with the edges between them, and where others join on.

    Attributes:
        width: To the right.
        height: Downwards.
        boxes: Frames before what is in them.
        edges: Between them.
        notes: Beside edges.
        inlets: Where rows come into the block.
        outlets: Where they leave it.
        control: Where rows of a circle come back to.
    """

    width: float
    height: float
    boxes: tuple[Box, ...] = ()
    edges: tuple[Edge, ...] = ()
    notes: tuple[Note, ...] = ()
    inlets: tuple[Spot, ...] = ()
    outlets: tuple[Spot, ...] = ()
    control: Spot | None = None

    @property
    def axis(self) -> float:
        """The height on which it is lined up with its neighbours."""
        spots = self.inlets or self.outlets
        return sum(one.y for one in spots) / len(spots) if spots else self.height / 2

    def moved(self, dx: float, dy: float) -> Block:
        """The same elsewhere; its own size stays."""
        return replace(
            self,
            boxes=tuple(one.moved(dx, dy) for one in self.boxes),
            edges=tuple(one.moved(dx, dy) for one in self.edges),
            notes=tuple(one.moved(dx, dy) for one in self.notes),
            inlets=tuple(one.moved(dx, dy) for one in self.inlets),
            outlets=tuple(one.moved(dx, dy) for one in self.outlets),
            control=self.control and self.control.moved(dx, dy),
        )

    def deeper(self) -> Block:
        """The same inside one frame more."""
        return replace(self, boxes=tuple(replace(one, depth=one.depth + 1) for one in self.boxes))


def way(*corners: Point) -> tuple[Point, ...]:
    """Leave out corners that are none."""
    kept: list[Point] = []
    for corner in corners:
        if kept and _same(kept[-1], corner):
            continue
        if len(kept) > 1 and _straight(kept[-2], kept[-1], corner):
            kept.pop()
        kept.append(corner)
    return tuple(kept)


def _same(one: Point, other: Point) -> bool:
    return abs(one[0] - other[0]) < 1e-6 and abs(one[1] - other[1]) < 1e-6


def _straight(one: Point, middle: Point, other: Point) -> bool:
    return any(
        abs(one[axis] - middle[axis]) < 1e-6 and abs(middle[axis] - other[axis]) < 1e-6
        for axis in (0, 1)
    )
