"""Where the algorithm as printed goes wrong, and that the controller does not.

`Printed` is Figure 8 of Schneider & Wu 2017 word for word, with the next power of two as the level
above and below. The paper does not show changeInLoad(); on these plants the load never changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from penstock.elastic import ThreadController

SENSITIVITY = 0.05


@dataclass
class Printed:
    most: int
    level: int = 1
    last: dict[int, float] = field(default_factory=dict)

    @property
    def below(self) -> int:
        return self.level // 2

    @property
    def above(self) -> int:
        return self.level * 2

    def update(self, throughput: float, cpu_ok: bool = True) -> int:
        self.last[self.level] = throughput
        rise = (
            (self._trend_below(throughput) and self.above not in self.last)
            or self._trend_above(throughput)
            or (self.level == 1 and self.above not in self.last)
        )
        if rise and cpu_ok:
            self.level = self.above
        elif not self._trust_below() or not self._trend_below(throughput):
            self.level = self.below
        return self.level

    def _trust_below(self) -> bool:
        return self.level != 1 and self.below in self.last

    def _trend_below(self, throughput: float) -> bool:
        if not self._trust_below():
            return False
        return throughput > self.last[self.below] * (1 + SENSITIVITY)

    def _trend_above(self, throughput: float) -> bool:
        return self.last.get(self.above, 0) - throughput > SENSITIVITY * throughput


def levels_of(
    controller: Printed | ThreadController, plant: Callable[[int], float], periods: int
) -> list[int]:
    return [controller.update(plant(controller.level)) for _ in range(periods)]


def linear(level: int) -> float:
    return float(level)


def test_a8_the_printed_rule_cannot_leave_a_minimum_above_one() -> None:
    printed = Printed(most=48, level=3)
    assert max(levels_of(printed, linear, 1)) < 3
    ours = ThreadController(minimum=3, maximum=48)
    assert levels_of(ours, linear, 15)[-1] == 48


def test_a9_the_printed_rule_leaves_the_range_at_both_ends() -> None:
    assert max(levels_of(Printed(most=8), linear, 5)) > 8
    printed = Printed(most=8)
    assert 0 in levels_of(printed, lambda level: 1 / max(level, 1), 3)
    for plant in (linear, lambda level: 1 / level):
        assert set(levels_of(ThreadController(maximum=8), plant, 30)) <= set(range(1, 9))


def test_a10_the_printed_rule_drops_threads_when_the_processors_are_busy() -> None:
    printed = Printed(most=8, level=2, last={1: 2.0, 4: 4.0})
    assert printed.update(2.0, cpu_ok=False) == 1
    ours = ThreadController(maximum=8)
    assert levels_of(ours, linear, 2)[-1] == 4
    assert ours.update(4.0, cpu_ok=False) == 4


@pytest.mark.parametrize("peak", [9, 80, 100])
def test_the_printed_rule_ends_on_a_power_of_two_far_from_the_peak(peak: int) -> None:
    def collapse(level: int) -> float:
        return float(level) if level <= peak else peak * (peak / level) ** 2

    printed = Printed(most=176)
    levels_of(printed, collapse, 40)
    assert collapse(printed.level) < 0.95 * peak
    ours = ThreadController(maximum=176)
    levels_of(ours, collapse, 15)
    assert collapse(ours.level) >= 0.95 * peak
