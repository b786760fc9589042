"""A chart of a run over time: threads, channels of each region, and throughput, with decisions.

Each decision is a mark in the panel of what it changed, and tells its reason on hovering.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from penstock.drawing.axes import Scale, panel_frame, time_axis
from penstock.drawing.colours import AMBER, BLUE, GREY, HEAT, SERIES
from penstock.drawing.curves import Curve, channels_over_time, threads_over_time, throughput
from penstock.drawing.letters import fitting, width_of
from penstock.drawing.sheet import svg
from penstock.drawing.tags import Markup, hover, number, tag, together, words
from penstock.metrics import Decision, FlowMetrics
from penstock.plain_text import visible
from penstock.quantities import many

WIDTH = 780
LEFT = 64  # for what the axes say
HEIGHT = 84  # of a panel
GAP = 30
MOST_MARKS = 240
RADIUS = 3.4


@dataclass(frozen=True)
class Panel:
    """One kind of number over time.

    Attributes:
        title: What it shows.
        unit: What is written behind numbers.
        curves: One for each thing that has such a number.
        decisions: What was decided about it.
        whole: Whether the numbers are whole ones, which stay until they change.
    """

    title: str
    unit: str
    curves: tuple[Curve, ...]
    decisions: tuple[Decision, ...]
    whole: bool = True


def panels_of(metrics: FlowMetrics) -> list[Panel]:
    """What there is to show of a run; a panel without numbers is left out."""
    decided = metrics.decisions
    levers = {lever: tuple(one for one in decided if one.lever == lever) for lever in LEVERS}
    about_regions = tuple(one for one in levers["channels"] if one.chosen > 0)
    found = [
        Panel("threads", "", threads_over_time(metrics), levers["threads"]),
        Panel("channels", "", channels_over_time(metrics), about_regions),
        Panel("throughput", "rows/s", throughput(metrics), levers["stops"], whole=False),
    ]
    return [panel for panel in found if panel.curves]


LEVERS = ("threads", "channels", "stops")


def chart_svg(name: str, metrics: FlowMetrics, *, alone: bool = False) -> str:
    """Draw the chart of a run; empty where nothing was measured over time."""
    panels = panels_of(metrics)
    last = max([metrics.seconds, *(one.seconds for one in metrics.decisions)], default=0.0)
    if not panels or last <= 0:
        return ""
    time = Scale(0.0, last, LEFT, WIDTH - 8)
    parts, y = [], 18.0
    for panel in panels:
        parts.append(_panel(panel, time, y))
        y += HEIGHT + GAP
    parts.append(time_axis(time, y - GAP + 4))
    y += 4
    left_out = len(metrics.decisions) - len(_shown(metrics.decisions))
    if left_out:
        note = f"{many(left_out, 'decision')} that changed nothing not marked"
        parts.append(tag("text", words(note), x=LEFT, y=y + 12, font_size=10, fill_opacity=0.7))
        y += 16
    return svg(f"flow {name} over time", WIDTH, y, together(*parts), alone=alone)


def _panel(panel: Panel, time: Scale, top: float) -> Markup:
    most = max(value for curve in panel.curves for _, value in curve.points)
    values = Scale(0.0, max(most, 1.0) * (1.0 if panel.whole else 1.05), top + HEIGHT, top)
    title = panel.title + (f", {panel.unit}" if panel.unit else "")
    parts = [panel_frame(title, values, time, whole=panel.whole)]
    for place, curve in enumerate(panel.curves):
        colour = SERIES[place % len(SERIES)] if panel.whole else HEAT
        parts.append(_curve(curve, time, values, colour, steps=panel.whole))
    if len(panel.curves) > 1 or panel.title == "channels":
        parts.append(_legend(panel.curves, time, top))
    parts += [_mark(one, panel, time, values) for one in _shown(panel.decisions)]
    return together(*parts)


def _shown(decisions: Sequence[Decision]) -> list[Decision]:
    """All of them, or where there are too many those that changed something, evenly thinned."""
    shown = list(decisions)
    if len(shown) > MOST_MARKS:
        shown = [one for one in shown if one.previous != one.chosen]
    every = -(-len(shown) // MOST_MARKS) or 1
    return shown[::every]


def _curve(curve: Curve, time: Scale, values: Scale, colour: str, *, steps: bool) -> Markup:
    line = _line(curve, time, values, steps=steps)
    first, last = time.at(curve.points[0][0]), time.at(curve.points[-1][0])
    floor = values.at(0)
    area = f"{line}L{number(last)} {number(floor)}L{number(first)} {number(floor)}Z"
    return together(
        tag("path", d=area, fill=colour, fill_opacity=0.12),
        tag("path", hover(curve.name), d=line, fill="none", stroke=colour, stroke_width=1.8,
            stroke_linejoin="round"),
    )  # fmt: skip


def _line(curve: Curve, time: Scale, values: Scale, *, steps: bool) -> str:
    made = []
    before = None
    for at, value in curve.points:
        x, y = number(time.at(at)), number(values.at(value))
        if before is None:
            made.append(f"M{x} {y}")
        else:
            made.append(f"L{x} {before}L{x} {y}" if steps else f"L{x} {y}")
        before = y
    return "".join(made)


def _legend(curves: Sequence[Curve], time: Scale, top: float) -> Markup:
    made: list[Markup] = []
    x = time.to
    for place, curve in reversed(list(enumerate(curves))):
        name = fitting(visible(curve.name), 130, 10)
        x -= width_of(name, 10) + 16
        if x < time.start + 110:
            break
        colour = SERIES[place % len(SERIES)]
        made.append(tag("rect", x=x, y=top - 12, width=9, height=3, fill=colour))
        made.append(tag("text", words(name), hover(curve.name), x=x + 12, y=top - 7, font_size=10))
    return together(*made)


def _mark(decision: Decision, panel: Panel, time: Scale, values: Scale) -> Markup:
    x = time.at(decision.seconds)
    y = values.at(decision.chosen if panel.whole else 0.0)
    changed = decision.previous != decision.chosen
    return tag(
        "g",
        hover(str(decision)),
        tag("line", x1=x, x2=x, y1=values.start, y2=values.to, stroke=GREY, stroke_opacity=0.35,
            stroke_dasharray="2 3"),
        tag("circle", cx=x, cy=y, r=RADIUS, fill=AMBER if changed else GREY,
            stroke=AMBER if changed else BLUE, stroke_opacity=0.9),
    )  # fmt: skip
