"""A whole picture of a flow as SVG: title, boxes, edges, and what the GIL holds up.

>>> from penstock import flow
>>> text = flow_svg(flow("f", "a int").select("a"))
>>> text.startswith("<svg "), "select_1" in text
(True, True)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from penstock.drawing.box_art import box_art, edge_art, queue_art
from penstock.drawing.colours import FONT
from penstock.drawing.layout import layout
from penstock.drawing.letters import fitting, width_of
from penstock.drawing.measures import Measure, headline, measures_of
from penstock.drawing.parts import Frame
from penstock.drawing.places import Block, Box
from penstock.drawing.plan import plan_of
from penstock.drawing.tags import NOTHING, Markup, tag, together, words
from penstock.explain import summary
from penstock.plain_text import visible

if TYPE_CHECKING:
    from penstock.flow import Flow
    from penstock.metrics import FlowMetrics
    from penstock.run_metrics import RunMetrics

WIDTH = 940  # what fits into a notebook
EDGE = 14  # around everything
TITLE = 34
FOOT = 26
NAMESPACE = "http://www.w3.org/2000/svg"
# A picture that stands alone brings its own paper; one in a page is drawn on that page's.
PAPER = (
    "svg{color:#1f2328}.paper{fill:#ffffff}"
    "@media (prefers-color-scheme:dark){svg{color:#e6edf3}.paper{fill:#0d1117}}"
)


def flow_svg(
    flow: Flow, metrics: FlowMetrics | RunMetrics | None = None, *, alone: bool = False
) -> str:
    """Draw a flow, with what was measured of a run, here or on Spark, if that is given."""
    measured = measures_of(metrics) if metrics else {}
    picture = layout(plan_of(flow), WIDTH, measured=measured)
    width = max(picture.width, 360.0)
    heading = [
        tag("tspan", words(flow.name), font_weight="600", font_size=14),
        tag("tspan", words(str(flow.threading_model)), dx=10, fill_opacity=0.7),
    ]
    title = tag("text", *heading, x=0, y=14, font_size=11)
    foot = headline(metrics) if metrics else _summary(flow)
    below = tag(
        "text",
        words(fitting(visible(foot), width, 11)),
        x=0,
        y=TITLE + picture.height + FOOT - 6,
        font_size=11,
        fill_opacity=0.8,
    )
    body = _drawn(picture.moved(0, TITLE), measured)
    return svg(
        f"flow {flow.name}",
        max(width, width_of(f"{flow.name}   {flow.threading_model}", 13)),
        TITLE + picture.height + FOOT,
        together(title, body, below),
        alone=alone,
    )


def svg(label: str, width: float, height: float, body: Markup, *, alone: bool) -> str:
    """Put a drawing on a sheet of its size, with an edge around it."""
    whole, high = width + 2 * EDGE, height + 2 * EDGE
    paper = [
        tag("style", Markup(PAPER)),
        tag("rect", class_="paper", width="100%", height="100%", rx=8),
    ]
    return tag(
        "svg",
        *(paper if alone else [NOTHING]),
        tag("g", body, transform=f"translate({EDGE} {EDGE})"),
        xmlns=NAMESPACE,
        viewBox=f"0 0 {whole:.0f} {high:.0f}",
        width=f"{whole:.0f}",
        height=f"{high:.0f}",
        role="img",
        aria_label=label,
        font_family=FONT,
        fill="currentColor",
    )


def _summary(flow: Flow) -> str:
    return summary(flow).partition(": ")[2] if flow.operators else "no operators yet"


def _drawn(picture: Block, measured: Mapping[str, Measure]) -> Markup:
    frames = [box for box in picture.boxes if isinstance(box.part, Frame)]
    steps = [box for box in picture.boxes if not isinstance(box.part, Frame)]
    ends = {
        (spot.x, spot.y)
        for box in steps
        for spot in (*box.inlets, *((box.control,) if box.control else ()))
    }
    edges = tag(
        "g",
        *(edge_art(edge, arrow=edge.points[-1] in ends) for edge in picture.edges),
        fill="none",
        stroke="currentColor",
        stroke_opacity=0.6,
        fill_opacity=0.7,
        stroke_width=1.4,
    )
    notes = [
        tag("text", words(note.text), x=note.x, y=note.y, font_size=9.5, text_anchor="middle",
            fill_opacity=0.7)
        for note in picture.notes
    ]  # fmt: skip

    def art(box: Box) -> Markup:
        return box_art(box, measured.get(box.part.name))

    queues = [
        queue_art(spot, measured[box.part.name])
        for box in picture.boxes
        if box.part.name in measured
        for spot in box.inlets
    ]
    return together(*map(art, frames), edges, *map(art, steps), *notes, *queues)
