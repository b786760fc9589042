"""Axes of charts: scales, round numbers on them, and lines behind the curves.

>>> ticks(0, 7, 4)
[0, 2, 4, 6]
>>> ticks(0.0, 0.35, 4)
[0.0, 0.1, 0.2, 0.3]
>>> Scale(0, 10, 100, 200).at(5)
150.0
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from penstock.drawing.tags import Markup, tag, together, words
from penstock.quantities import count_text, time_text


@dataclass(frozen=True)
class Scale:
    """From numbers to pixels.

    Attributes:
        least: The number at `start`.
        most: The number at `to`.
        start: A pixel.
        to: Another one.
    """

    least: float
    most: float
    start: float
    to: float

    def at(self, value: float) -> float:
        """The pixel of a number; what is beyond the ends is at the ends."""
        part = (value - self.least) / (self.most - self.least) if self.most > self.least else 0.0
        return self.start + (self.to - self.start) * min(max(part, 0.0), 1.0)


def ticks(least: float, most: float, about: int) -> list[float]:
    """Round numbers in a range."""
    span = most - least
    if span <= 0 or not math.isfinite(span):
        return [least]
    size = 10.0 ** math.floor(math.log10(span / about))
    step = min((one * size for one in (1, 2, 5, 10)), key=lambda one: abs(span / one - about))
    if isinstance(most, int):
        step = max(1, int(step))
    first = math.ceil(least / step)
    count = int((most - first * step) / step + 1e-9)
    return [round((first + place) * step, 12) for place in range(count + 1)]


def panel_frame(title: str, values: Scale, time: Scale, *, whole: bool) -> Markup:
    """What is behind the curves: a title, and lines at round numbers."""
    made = [
        tag("text", words(title), x=time.start, y=values.to - 7, font_size=11, font_weight="600")
    ]
    marks = ticks(0, int(values.most), 4) if whole else ticks(0.0, values.most, 4)
    for value in marks:
        y = values.at(value)
        made.append(
            tag("line", x1=time.start, x2=time.to, y1=y, y2=y, stroke="currentColor",
                stroke_opacity=0.4 if value == 0 else 0.12)
        )  # fmt: skip
        made.append(_label(time.start - 7, y + 3.5, _short(count_text(value)), "end"))
    return together(*made)


def time_axis(time: Scale, y: float) -> Markup:
    """Times below the last panel."""
    made = []
    for value in ticks(0.0, time.most, 6):
        x = time.at(value)
        made.append(
            tag("line", x1=x, x2=x, y1=y - 4, y2=y, stroke="currentColor", stroke_opacity=0.5)
        )
        made.append(_label(x, y + 12, _short(time_text(value)) if value else "0", "middle"))
    return together(*made)


def _short(text: str) -> str:
    """Without zeros that say nothing."""
    digits, space, unit = text.partition(" ")
    return (digits.rstrip("0").rstrip(".") if "." in digits else digits) + space + unit


def _label(x: float, y: float, text: str, anchor: str) -> Markup:
    return tag("text", words(text), x=x, y=y, font_size=10, text_anchor=anchor, fill_opacity=0.7)
