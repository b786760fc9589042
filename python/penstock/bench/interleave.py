"""Contenders run in turn, so that what a machine does meanwhile hits them all alike.

Running one contender ten times and then the other compares two moments of the machine as
much as two programs. Here each round runs every contender once, and medians are compared.

>>> ticks = iter(range(100))
>>> timings = interleave({"a": lambda: None, "b": lambda: None}, 3, clock=lambda: next(ticks))
>>> timings["a"].seconds, timings["a"].median, ratio(timings["a"], timings["b"])
((1, 1, 1), 1, 1.0)
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timing:
    """The seconds of each measured run, in the order they were run."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle run: one run that was disturbed does not move it."""
        return statistics.median(self.seconds)

    @property
    def spread(self) -> float:
        """Interquartile range: how far apart the middle half of the runs lies."""
        if len(self.seconds) == 1:
            return 0.0
        low, _, high = statistics.quantiles(self.seconds, n=4, method="inclusive")
        return high - low


def interleave(
    contenders: Mapping[str, Callable[[], object]],
    rounds: int,
    *,
    warm_ups: int = 1,
    patience: float = math.inf,
    least: int = 1,
    clock: Callable[[], float] = time.perf_counter,
    on_run: Callable[[str], None] = lambda _: None,
) -> dict[str, Timing]:
    """Run all contenders once per round, A B A B, and time each run.

    Args:
        contenders: What to run, by name.
        rounds: Measured rounds.
        warm_ups: Rounds before these, which are not measured.
        patience: After so many seconds no other round begins, once enough are measured.
        least: How many are enough for that.
        clock: Gives the time in seconds.
        on_run: Told the contender's name before each of its runs, warm-ups included.
    """
    if rounds < 1 or not contenders:
        raise ValueError(f"nothing to measure: {len(contenders)} contenders, {rounds} rounds")
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    start = clock()
    for number in range(warm_ups + rounds):
        if number >= warm_ups + least and clock() - start > patience:
            break
        for name, run in contenders.items():
            on_run(name)
            begin = clock()
            run()
            if number >= warm_ups:
                seconds[name].append(clock() - begin)
    return {name: Timing(tuple(each)) for name, each in seconds.items()}


def ratio(timing: Timing, base: Timing) -> float:
    """How many times the base's median a contender's median is; below 1 it is faster."""
    return timing.median / base.median


def middle_ratio(timing: Timing, base: Timing) -> float:
    """The same by rounds: the median of what each gave. What slows a whole round hits both alike.

    >>> middle_ratio(Timing((2.0, 9.0, 3.0)), Timing((1.0, 3.0, 2.0)))
    2.0
    """
    pairs = zip(timing.seconds, base.seconds, strict=True)
    return statistics.median(one / other for one, other in pairs)
