"""Frames at their place: lanes one above the other, with a margin in which edges part and meet."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from penstock.drawing.letters import width_of
from penstock.drawing.parts import Chain, Frame, Port
from penstock.drawing.places import Block, Box, Edge, Note, Spot, way

CAPTION = 24  # height of the line that names a frame
MEASURED = 16  # of the line below it, where something was measured
MARGIN = 24  # left and right of the lanes, for edges
PADDING = 12  # below the lanes
LANE_GAP = 16
EMPTY_LANE = (70.0, 22.0)  # width and height of a lane that passes rows on
BACK = 16  # below the lanes of a circle, for the way back
CAPTION_SIZE = 11
BROADEST_CAPTION = 300


class LayOut(Protocol):
    """Finds places for a chain."""

    def __call__(self, chain: Chain, width: float, *, measured: Collection[str] = ()) -> Block:
        """Lay out within so many pixels."""
        ...


def frame_block(frame: Frame, width: float, *, measured: Collection[str], lay_out: LayOut) -> Block:
    """Lay out the lanes of a frame, and draw the edges to and from them."""
    is_seen = frame.style != "fork"
    top = CAPTION + (MEASURED if frame.name in measured else 0) if is_seen else 0
    bottom = PADDING if is_seen else 0
    if frame.style == "circle":
        bottom += BACK
    lanes = [_lane(lane, width - 2 * MARGIN, measured, lay_out) for lane in frame.lanes]
    caption = width_of(f"{frame.name} {frame.does}", CAPTION_SIZE) + 2 * PADDING if is_seen else 0
    inner = max(*(lane.width for lane in lanes), min(caption, BROADEST_CAPTION) - 2 * MARGIN)
    placed = []
    y = float(top)
    for lane in lanes:
        placed.append(lane.moved(MARGIN, y).deeper())
        y += lane.height + LANE_GAP
    whole = inner + 2 * MARGIN
    height = y - LANE_GAP + bottom
    inlets = _spots(frame.inlets, [_mean(lane.inlets) for lane in placed], 0)
    outlets = _spots(frame.outlets, [_mean(lane.outlets) for lane in placed], whole)
    box = Box(frame, 0, 0, whole, height, inlets, outlets)
    edges = [edge for lane in placed for edge in lane.edges]
    notes = [note for lane in placed for note in lane.notes]
    edges += _incoming(inlets, placed)
    edges += _outgoing(frame, outlets, placed)
    if frame.style == "circle":
        edges += _way_back(placed[0], whole, height)
    inside = tuple(one for lane in placed for one in lane.boxes)
    return Block(whole, height, (box, *inside), tuple(edges), tuple(notes), inlets, outlets)


def _lane(lane: Chain, width: float, measured: Collection[str], lay_out: LayOut) -> Block:
    if lane:
        return lay_out(lane, width, measured=measured)
    broad, high = EMPTY_LANE
    start, end = Spot(0, high / 2, _NOWHERE), Spot(broad, high / 2, _NOWHERE)
    edge = Edge(((0, high / 2), (broad, high / 2)))
    note = Note(broad / 2, high / 2 - 5, "all rows")
    return Block(broad, high, edges=(edge,), notes=(note,), inlets=(start,), outlets=(end,))


def _mean(spots: Sequence[Spot]) -> float | None:
    return sum(one.y for one in spots) / len(spots) if spots else None


def _spots(ports: Sequence[Port], heights: Sequence[float | None], x: float) -> tuple[Spot, ...]:
    """A spot for each lane, or one in the middle of all."""
    known = [one for one in heights if one is not None]
    if len(ports) == len(heights) and len(known) == len(ports):
        return tuple(Spot(x, y, port) for y, port in zip(known, ports, strict=True))
    middle = sum(known) / len(known) if known else 0.0
    return tuple(Spot(x, middle, port) for port in ports)


def _incoming(inlets: Sequence[Spot], lanes: Sequence[Block]) -> list[Edge]:
    made = []
    for number, lane in enumerate(lanes):
        if not inlets:
            break
        start = inlets[number] if len(inlets) == len(lanes) else inlets[0]
        for end in lane.inlets:
            x = MARGIN * 0.5
            made.append(Edge(way((start.x, start.y), (x, start.y), (x, end.y), (end.x, end.y))))
    return made


def _outgoing(frame: Frame, outlets: Sequence[Spot], lanes: Sequence[Block]) -> list[Edge]:
    made: list[Edge] = []
    if not outlets:
        return made
    for number, lane in enumerate(lanes):
        end = outlets[number] if len(outlets) == len(lanes) else outlets[0]
        leaving = lane.outlets[:1] if frame.style == "circle" else lane.outlets
        for start in leaving:
            x = end.x - MARGIN * 0.5
            made.append(Edge(way((start.x, start.y), (x, start.y), (x, end.y), (end.x, end.y))))
    return made


def _way_back(lane: Block, width: float, height: float) -> list[Edge]:
    """From the last operator of a circle, or what follows on its way back, to the control port."""
    if lane.control is None or not lane.outlets:
        return []
    start, end = lane.outlets[-1], lane.control
    left, right, y = MARGIN * 0.25, width - MARGIN * 0.75, height - BACK * 0.6
    corners = ((start.x, start.y), (right, start.y), (right, y), (left, y), (left, end.y))
    return [Edge(way(*corners, (end.x, end.y)), back=True)]


_NOWHERE = Port()
