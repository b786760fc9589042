"""How one box, one frame and one edge look."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.drawing.colours import AMBER, FRAMES, GREEN, GREY, HEAT, KINDS, RED
from penstock.drawing.layout import (
    HEAD,
    INSET,
    NAME_SIZE,
    PORT_SIZE,
    TEXT_SIZE,
    has_port_rows,
)
from penstock.drawing.letters import fitting, width_of
from penstock.drawing.measures import Measure
from penstock.drawing.parts import Frame, Step
from penstock.drawing.places import Box, Edge, Point, Spot
from penstock.drawing.tags import NOTHING, Markup, hover, number, tag, together, words

HELD = "holds the GIL, Python's lock: one thread at a time runs it"
KIND_HOVER = {
    "keyed": "remembers something of every key",
    "stateful": "remembers something of all rows, so it takes them one after another",
}
ARROW = 6.0
ROUND = 6.0


def box_art(box: Box, measure: Measure | None) -> Markup:
    """Draw a step, or the frame around steps that are drawn later."""
    if isinstance(box.part, Frame):
        return _frame(box, box.part, measure)
    return _step(box, box.part, measure)


def edge_art(edge: Edge, *, arrow: bool) -> Markup:
    """Draw an edge, with an arrow where it ends at a box."""
    line = tag(
        "path",
        d=_rounded(edge.points, tip=ARROW * 0.8 if arrow else 0.0),
        stroke_dasharray="5 3" if edge.back else None,
    )
    if not arrow:
        return line
    return together(line, tag("path", d=_arrow(edge.points), fill="currentColor", stroke="none"))


def queue_art(spot: Spot, measure: Measure) -> Markup:
    """Draw how full the queue before a port was."""
    if not measure.pressure:
        return NOTHING
    slots = [
        tag(
            "rect",
            x=spot.x - ARROW - 4 - 4.5 * (slot + 1),
            y=spot.y - 5,
            width=3.5,
            height=10,
            rx=1,
            fill=RED if slot < measure.pressure else GREY,
            fill_opacity=0.9 if slot < measure.pressure else 0.3,
        )
        for slot in range(4)
    ]
    return tag("g", hover(measure.queue), *slots)


def _step(box: Box, step: Step, measure: Measure | None) -> Markup:
    is_end = step.role != "operator"
    story = step.hover + (f"\n{measure.whole}" if measure else "")
    parts = [
        hover(story),
        tag(
            "rect",
            x=box.x,
            y=box.y,
            width=box.width,
            height=box.height,
            rx=box.height / 2 if is_end else 7,
            fill=GREEN if is_end else HEAT if measure else "currentColor",
            fill_opacity=0.16 if is_end else 0.04 + 0.5 * measure.share if measure else 0.04,
            stroke=GREEN if is_end else "currentColor",
            stroke_opacity=0.8 if is_end else 0.45,
        ),
        *_title(box, step),
    ]
    if measure and not is_end:
        parts.append(_measured(box, measure))
    if has_port_rows(step):
        parts += _port_names(box)
    return tag("g", *parts)


def _title(box: Box, step: Step) -> list[Markup]:
    right = box.x + box.width - INSET + 4
    pills = []
    marks = [(step.kind, KINDS[step.kind], KIND_HOVER[step.kind])] if step.kind in KINDS else []
    if step.holds_gil:
        marks.append(("GIL", AMBER, HELD))
    for label, colour, told in reversed(marks):
        width = width_of(label, PORT_SIZE) + 9
        pills.append(_pill(right - width, box.y + 7, width, label=label, colour=colour, told=told))
        right -= width + 4
    if step.role != "operator":
        middle = box.x + box.width / 2
        room = box.width - 2 * INSET - 8
        return [
            _text(middle, box.y + 20, fitting(step.name, room, NAME_SIZE), NAME_SIZE, "middle"),
            _dim(middle, box.y + 35, fitting(step.does, room, TEXT_SIZE), "middle"),
        ]
    left = box.x + INSET
    name = fitting(step.name, right - left, NAME_SIZE * 1.06)
    does = fitting(step.does, box.width - 2 * INSET, TEXT_SIZE)
    return [
        _text(left, box.y + 19, name, NAME_SIZE, weight="600"),
        *pills,
        _dim(left, box.y + 35, does),
    ]


def _measured(box: Box, measure: Measure) -> Markup:
    left, y = box.x + INSET, box.y + HEAD + 5
    width = box.width - 2 * INSET
    share = f"{measure.share:.0%}"
    bar = width - 34
    return tag(
        "g",
        _text(left, y, fitting(measure.rows, width, TEXT_SIZE), TEXT_SIZE),
        tag("rect", x=left, y=y + 8, width=bar, height=6, rx=3, fill=GREY, fill_opacity=0.3),
        tag("rect", x=left, y=y + 8, width=bar * measure.share, height=6, rx=3, fill=HEAT),
        _text(left + width, y + 15, share, TEXT_SIZE, "end"),
    )


def _port_names(box: Box) -> list[Markup]:
    room = box.width / 2 - INSET
    incoming = (*box.inlets, *((box.control,) if box.control else ()))
    named = [(spot, box.x + INSET - 2, "start") for spot in incoming]
    named += [(spot, box.x + box.width - INSET + 2, "end") for spot in box.outlets]
    return [
        tag(
            "g",
            hover(spot.port.hover),
            _text(x, spot.y + 3.5, fitting(spot.port.name, room, PORT_SIZE), PORT_SIZE, anchor),
            opacity=0.8,
        )
        for spot, x, anchor in named
    ]


def _frame(box: Box, frame: Frame, measure: Measure | None) -> Markup:
    if frame.style == "fork":
        return NOTHING
    colour = FRAMES[frame.style]
    replicas = (6, 3) if frame.style == "region" else ()
    sheets = [_sheet(box, colour, 0.35, shift=shift, fill=False) for shift in replicas]
    dashed = "6 4" if frame.style == "together" else None
    left, y = box.x + 12, box.y + 17
    name = fitting(frame.name, box.width - 24, 11)
    rest = box.width - 30 - width_of(name, 11.6)
    does = fitting(frame.does, rest, 10.5) if rest > 40 else ""
    parts = [
        hover(frame.hover + (f"\n{measure.whole}" if measure else "")),
        *sheets,
        _sheet(box, colour, 0.75, dashed=dashed, heat=measure.share if measure else None),
        tag(
            "text",
            tag("tspan", words(name), font_weight="600"),
            tag("tspan", words(does), dx=6, fill_opacity=0.7),
            x=left,
            y=y,
            font_size=11,
        ),
    ]
    if measure:
        text = f"{measure.rows}, {measure.share:.0%} of the time"
        parts.append(_text(left, y + 15, fitting(text, box.width - 24, TEXT_SIZE), TEXT_SIZE))
    dots = (
        tag("circle", cx=spot.x, cy=spot.y, r=2.5, fill=colour)
        for spot in (*box.inlets, *box.outlets)
    )
    return tag("g", *parts, *dots)


def _sheet(
    box: Box,
    colour: str,
    opacity: float,
    *,
    shift: float = 0,
    dashed: str | None = None,
    heat: float | None = None,
    fill: bool = True,
) -> Markup:
    depth = 0.06 if heat is None else 0.04 + 0.35 * heat
    return tag(
        "rect",
        x=box.x + shift,
        y=box.y + shift,
        width=box.width,
        height=box.height,
        rx=10,
        fill=colour if heat is None else HEAT,
        fill_opacity=depth if fill else 0,
        stroke=colour,
        stroke_opacity=opacity,
        stroke_dasharray=dashed,
    )


def _pill(x: float, y: float, width: float, *, label: str, colour: str, told: str) -> Markup:
    return tag(
        "g",
        hover(told),
        tag("rect", x=x, y=y, width=width, height=15, rx=7.5, fill=colour, fill_opacity=0.25,
            stroke=colour),
        _text(x + width / 2, y + 11, label, PORT_SIZE, "middle"),
    )  # fmt: skip


def _text(
    x: float,
    y: float,
    text: str,
    size: float,
    anchor: str | None = None,
    *,
    weight: str | None = None,
) -> Markup:
    return tag(
        "text", words(text), x=x, y=y, font_size=size, text_anchor=anchor, font_weight=weight
    )


def _dim(x: float, y: float, text: str, anchor: str | None = None) -> Markup:
    return tag(
        "text", words(text), x=x, y=y, font_size=TEXT_SIZE, fill_opacity=0.7, text_anchor=anchor
    )


def _rounded(points: Sequence[Point], tip: float) -> str:
    """A way with round corners; its last pixels are left to the tip of an arrow."""
    (x0, y0), *_, (x2, y2) = points
    steps = [f"M{number(x0)} {number(y0)}"]
    for (ax, ay), (bx, by), (cx, cy) in zip(points, points[1:], points[2:], strict=False):
        radius = min(ROUND, _distance(ax, ay, bx, by) / 2, _distance(bx, by, cx, cy) / 2)
        sx, sy = _towards(bx, by, ax, ay, radius)
        ex, ey = _towards(bx, by, cx, cy, radius)
        steps.append(f"L{number(sx)} {number(sy)}")
        steps.append(f"Q{number(bx)} {number(by)} {number(ex)} {number(ey)}")
    before = points[-2]
    tip = min(tip, _distance(x2, y2, *before))
    steps.append("L" + " ".join(map(number, _towards(x2, y2, *before, tip))))
    return "".join(steps)


def _arrow(points: Sequence[Point]) -> str:
    (bx, by), (x, y) = points[-2:]
    fx, fy = _towards(x, y, bx, by, min(ARROW, _distance(x, y, bx, by)))
    dx, dy = (fy - y) * 0.55, (fx - x) * 0.55
    corners = [(x, y), (fx + dx, fy + dy), (fx - dx, fy - dy)]
    return "M" + "L".join(f"{number(a)} {number(b)}" for a, b in corners) + "Z"


def _towards(x: float, y: float, to_x: float, to_y: float, by: float) -> Point:
    length = _distance(x, y, to_x, to_y)
    part = by / length if length else 0.0
    return x + (to_x - x) * part, y + (to_y - y) * part


def _distance(ax: float, ay: float, bx: float, by: float) -> float:
    return abs(ax - bx) + abs(ay - by)
