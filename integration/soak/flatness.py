"""Whether a series of measurements stays flat once it is warm; pure, numbers in, numbers out.

>>> slope([(0.0, 100.0), (60.0, 103.0), (120.0, 106.0)])
3.0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

Point = tuple[float, float]  # seconds, and what was measured
WARM_UP = 1 / 3  # of the whole time
LEAST_POINTS = 8
MOST_MIB_PER_MINUTE = 1.0


@dataclass(frozen=True)
class Judged:
    """A series after the warm-up."""

    name: str
    points: int
    first: float
    last: float
    per_minute: float
    flat: bool


def slope(points: Sequence[Point]) -> float:
    """By how much it grows in a minute: the median over all pairs, which no single jump bends."""
    pairs = combinations(points, 2)
    return 60 * median((b[1] - a[1]) / (b[0] - a[0]) for a, b in pairs if b[0] > a[0])


def judged(name: str, points: Sequence[Point], *, most_per_minute: float) -> Judged:
    """Judge what came after the warm-up.

    Memory may grow by a little, because allocators give back what they hold when it suits them.
    What is counted may not grow at all: then its second half is no higher than its first.
    """
    begun, ended = points[0][0], points[-1][0]
    warm = [point for point in points if point[0] >= begun + WARM_UP * (ended - begun)]
    values = [value for _, value in warm]
    half = len(values) // 2
    grows = slope(warm) if len(warm) > 1 else 0.0
    if most_per_minute:
        flat = grows <= most_per_minute
    else:
        flat = max(values[half:]) <= max(values[:half] or values)
    return Judged(name, len(warm), values[0], values[-1], grows, flat)
