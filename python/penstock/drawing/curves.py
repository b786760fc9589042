"""Numbers over time, as they are drawn: of threads, of channels, of rows per second.

>>> from penstock.metrics import FlowMetrics, LevelChange
>>> metrics = FlowMetrics((), (), (LevelChange(0.1, 1), LevelChange(0.5, 2)), seconds=2.0)
>>> threads_over_time(metrics)[0].points
((0.0, 1.0), (0.5, 2.0), (2.0, 2.0))
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from penstock.metrics import FlowMetrics

# Either controller of channels begins with the name.
REGION = re.compile(r"(?:region|operator) '([^']*)': ")
MOST_POINTS = 120


@dataclass(frozen=True)
class Curve:
    """A number over time.

    Attributes:
        name: Of what.
        points: Seconds and values, in order of time.
    """

    name: str
    points: tuple[tuple[float, float], ...]


def threads_over_time(metrics: FlowMetrics) -> tuple[Curve, ...]:
    """How many threads may be at work."""
    if not metrics.levels:
        return ()
    points = [(one.at, float(one.level)) for one in metrics.levels]
    return (Curve("threads", _filled(points, points[0][1], metrics.seconds)),)


def channels_over_time(metrics: FlowMetrics) -> tuple[Curve, ...]:
    """How many channels each region has, of those about which something was decided."""
    found: dict[str, list[tuple[float, float]]] = {}
    before: dict[str, float] = {}
    for one in metrics.decisions:
        match = REGION.match(one.text) if one.lever == "channels" else None
        if match:  # otherwise it was about no region in particular
            name = match[1]
            before.setdefault(name, one.previous)
            found.setdefault(name, []).append((one.seconds, one.chosen))
    return tuple(
        Curve(name, _filled(points, before[name], metrics.seconds))
        for name, points in found.items()
    )


def throughput(metrics: FlowMetrics) -> tuple[Curve, ...]:
    """Rows of input per second, between some of the times at which rows were counted."""
    pace = metrics.pace
    if len(pace) < 2 or metrics.seconds <= 0:
        return ()
    least = metrics.seconds / MOST_POINTS
    points: list[tuple[float, float]] = []
    at, rows = 0.0, 0
    for place, (seconds, counted) in enumerate(pace):
        is_last = place == len(pace) - 1
        if (seconds - at < least and not is_last) or seconds <= at:
            continue
        points.append(((at + seconds) / 2, (counted - rows) / (seconds - at)))
        at, rows = seconds, counted
    if not points:
        return ()
    return (Curve("throughput", ((0.0, points[0][1]), *points, (metrics.seconds, points[-1][1]))),)


def _filled(
    points: list[tuple[float, float]], first: float, last: float
) -> tuple[tuple[float, float], ...]:
    """From the beginning of the run to its end."""
    made = [(0.0, first)]
    for at, value in points:
        if value != made[-1][1]:
            made.append((at, value))
    return (*made, (max(last, made[-1][0]), made[-1][1]))
