"""Where everything goes: pure arithmetic from a plan to places.

Rows of boxes are read like text, from left to right and then the next row below. Frames hold rows
of their own. No two boxes overlap unless one is the frame of the other, and every edge begins and
ends at a port; tests/python/drawing checks both on random flows.

>>> from penstock.drawing.parts import Step
>>> one = layout((Step("input", "1 column", inlets=()), Step("pick", "select a")), 600)
>>> [box.part.name for box in one.boxes], len(one.edges)
(['input', 'pick'], 1)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from penstock.drawing.frames import frame_block
from penstock.drawing.letters import width_of
from penstock.drawing.parts import Chain, Frame, Part, Port, Step
from penstock.drawing.places import Block, Box, Edge, Spot, way

GAP = 34  # between two boxes of a row
ROW_GAP = 34  # between two rows
TURN = 16  # beside rows, for edges from the end of one to the beginning of the next
NARROWEST, MEASURED_WIDTH, BROADEST = 92, 152, 210  # a box
NAME_SIZE, TEXT_SIZE, PORT_SIZE = 12, 10.5, 9.5
HEAD = 46  # height of a box without rows for ports
PORT_ROW = 17
MEASURED = 32  # that a box is higher where it shows what was measured
INSET = 10


def layout(chain: Chain, width: float, *, measured: Collection[str] = ()) -> Block:
    """Find a place for everything; rows end before `width` if what is in them allows it.

    Boxes and frames whose names are in `measured` have room for what was measured of them.
    """
    blocks = [_block(part, width, measured=measured) for part in chain]
    rows: list[list[int]] = [[]]
    used = 0.0
    if sum(block.width + GAP for block in blocks) - GAP > width:
        width -= 2 * (TURN + 2)
    for group in _unbreakable(chain):
        needed = sum(blocks[place].width + GAP for place in group)
        if rows[-1] and used + needed - GAP > width:
            rows.append([])
            used = 0.0
        rows[-1] += group
        used += needed
    return _stacked(blocks, [row for row in rows if row])


def box_width(step: Step, *, measured: bool = False) -> float:
    """How wide the box of a step is."""
    name = width_of(step.name, NAME_SIZE * 1.06) + (34 if step.holds_gil else 0)
    text = max(name, width_of(step.does, TEXT_SIZE))
    if step.kind != "stateless":
        text = max(text, name + width_of(step.kind, PORT_SIZE) + 18)
    return min(max(text + 2 * INSET, MEASURED_WIDTH if measured else NARROWEST), BROADEST)


def has_port_rows(step: Step) -> bool:
    """Whether the ports of a step are written in its box, a row each."""
    most = max(len(step.inlets), len(step.outlets))
    return step.control is not None or (most > 1 and any(one.name for one in _ports(step)))


def _ports(step: Step) -> tuple[Port, ...]:
    return (*step.inlets, *step.outlets)


def _block(part: Part, width: float, *, measured: Collection[str]) -> Block:
    if isinstance(part, Frame):
        return frame_block(part, width, measured=measured, lay_out=layout)
    return _step_block(part, measured=part.role == "operator" and part.name in measured)


def _step_block(step: Step, *, measured: bool) -> Block:
    width = box_width(step, measured=measured)
    incoming = (*step.inlets, *((step.control,) if step.control else ()))
    rows = max(len(incoming), len(step.outlets))
    height = HEAD + (MEASURED if measured else 0)
    if has_port_rows(step):
        top, height = height - 2, height + PORT_ROW * rows + 4
        heights = [top + PORT_ROW * (row + 0.5) for row in range(rows)]
        left, right = heights[: len(incoming)], heights[: len(step.outlets)]
    else:
        height = max(height, PORT_ROW * rows + 8)
        left = [height * (row + 1) / (len(incoming) + 1) for row in range(len(incoming))]
        right = [height * (row + 1) / (len(step.outlets) + 1) for row in range(len(step.outlets))]
    spots = tuple(Spot(0, y, port) for y, port in zip(left, incoming, strict=True))
    outlets = tuple(Spot(width, y, port) for y, port in zip(right, step.outlets, strict=True))
    inlets = spots[: len(step.inlets)]
    control = spots[-1] if step.control else None
    box = Box(step, 0, 0, width, height, inlets, outlets, control)
    return Block(width, height, (box,), inlets=inlets, outlets=outlets, control=control)


def _unbreakable(chain: Chain) -> list[list[int]]:
    """Places of parts that stay in one row: those between which there are several edges."""
    groups: list[list[int]] = []
    for place, part in enumerate(chain):
        if place and len(part.inlets) > 1 and len(chain[place - 1].outlets) > 1:
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups


def _stacked(blocks: Sequence[Block], rows: Sequence[Sequence[int]]) -> Block:
    side = TURN + 2 if len(rows) > 1 else 0
    lines: list[list[Block]] = []
    gutters: list[float] = []
    top = right = 0.0
    for row in rows:
        above = max(blocks[place].axis for place in row)
        x = float(side)
        line = []
        for place in row:
            line.append(blocks[place].moved(x, top + above - blocks[place].axis))
            x += blocks[place].width + GAP
        lines.append(line)
        right = max(right, x - GAP)
        top += above + max(blocks[place].height - blocks[place].axis for place in row)
        gutters.append(top + ROW_GAP / 2)
        top += ROW_GAP
    edges: list[Edge] = []
    for line in lines:
        for one, other in pairwise(line):
            edges += between(one.outlets, other.inlets)
    for number in range(len(lines) - 1):
        edges += _to_next_row(lines[number][-1], lines[number + 1][0], gutters[number], right)
    placed = [block for line in lines for block in line]
    return Block(
        right + side,
        top - ROW_GAP if rows else 0,
        boxes=tuple(box for block in placed for box in block.boxes),
        edges=(*(edge for block in placed for edge in block.edges), *edges),
        notes=tuple(note for block in placed for note in block.notes),
        inlets=placed[0].inlets if placed else (),
        outlets=placed[-1].outlets if placed else (),
        control=placed[0].control if placed else None,
    )


def between(outlets: Sequence[Spot], inlets: Sequence[Spot]) -> list[Edge]:
    """Join what stands side by side in a row."""
    pairs = paired(outlets, inlets)
    made = []
    for number, (start, end) in enumerate(pairs):
        # Each has a column of its own to go up or down in.
        x = start.x + (end.x - start.x) * (number + 1) / (len(pairs) + 1)
        made.append(Edge(way((start.x, start.y), (x, start.y), (x, end.y), (end.x, end.y))))
    return made


def paired(outlets: Sequence[Spot], inlets: Sequence[Spot]) -> list[tuple[Spot, Spot]]:
    """Say which outlet leads to which inlet: by name, else one by one, else all to all."""
    named = {one.port.name: one for one in outlets if one.port.name}
    if inlets and all(one.port.takes in named for one in inlets):
        return [(named[one.port.takes], one) for one in inlets]
    if len(outlets) == len(inlets):
        return list(zip(outlets, inlets, strict=True))
    return [(start, end) for start in outlets for end in inlets]


def _to_next_row(last: Block, first: Block, gutter: float, right: float) -> list[Edge]:
    made = []
    for number, (start, end) in enumerate(paired(last.outlets, first.inlets)):
        out, back = right + TURN - 4 - 3 * number, 4 + 3 * number
        y = gutter + 3 * number
        corners = ((start.x, start.y), (out, start.y), (out, y), (back, y), (back, end.y))
        made.append(Edge(way(*corners, (end.x, end.y))))
    return made
