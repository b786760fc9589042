"""The controller with margin and age 0 against the algorithms of the paper.

`Printed` is Algorithms 1 to 3 of Gedik et al. 2014 line by line, under the names of the paper, with
A15 (floor), A16 (the contraction belongs to a region that is not congested) and A17 (indices that
do not exist were never visited).
"""

from __future__ import annotations

import math

from hypothesis import example, given
from hypothesis import strategies as st

from penstock.elastic import ChannelController

Measured = list[tuple[float, bool]]


def channels_of(level: int) -> int:
    return math.floor(0.5 + 2 ** (0.5 * (level + 1))) if level >= 0 else 0


class Printed:
    """Algorithm 1."""

    def __init__(self, levels: int, alpha: float) -> None:
        self.P, self.L, self.levels = 1, 0, levels
        everywhere = range(-1, levels + 1)
        self.first = dict.fromkeys(everywhere, math.nan)
        self.last = dict.fromkeys(everywhere, math.inf)
        self.C = dict.fromkeys(everywhere, True)
        self.at = dict.fromkeys(everywhere, -1)
        self.s = 0.1 + (1.0 - alpha) * 0.9

    def get_number_of_channels(self, throughput: float, congested: bool) -> int:
        """Algorithm 2."""
        changes = {self._via_congestion(congested), self._via_throughput(throughput)}
        if "less" in changes:
            for i in range(self.L + 1):
                self.C[i], self.last[i] = False, 0.0
        if "more" in changes:
            for i in range(self.L, self.levels):
                self.C[i], self.last[i] = True, math.inf
        here = self.L
        self.at[here], self.P = self.P, self.P + 1
        self.last[here], self.C[here] = throughput, congested
        if math.isnan(self.first[here]):
            self.first[here] = throughput
        remote = (
            self.at[here - 1] == self.at[here] - 1
            and self.C[here - 1]
            and self.C[here]
            and self.last[here] <= self.last[here - 1]
        )
        if remote:
            self._go(here - 1)
        elif congested:
            if here < self.levels - 1 and self.last[here + 1] >= throughput:
                self._go(here + 1)
        elif here > 0 and not self.C[here - 1]:
            self._go(here - 1)
        return channels_of(self.L)

    def _go(self, level: int) -> None:
        self.first[level], self.L = math.nan, level

    def _via_congestion(self, congested: bool) -> str:
        """Algorithm 3, first half."""
        here, last = self.L, self.P - 1
        if self.at[here] == last and self.C[here] != congested:
            return "more" if congested else "less"
        if self.at[here + 1] == last and self.C[here + 1] and not congested:
            return "less"
        if self.at[here - 1] == last and not self.C[here - 1] and congested:
            return "more"
        return "unknown"

    def _via_throughput(self, throughput: float) -> str:
        """Algorithm 3, second half."""
        here, last = self.L, self.P - 1
        n, first = channels_of(here), self.first[here]
        if self.at[here] == last:
            if throughput < first:
                if first - throughput > self.s * (n - channels_of(here - 1)) * (first / n):
                    return "less"
            elif throughput - first > self.s * (channels_of(here + 1) - n) * (first / n):
                return "more"
        if self.at[here + 1] == last and throughput > self.last[here + 1]:
            return "more"
        if self.at[here - 1] == last and throughput < self.last[here - 1]:
            return "less"
        return "unknown"


# Whole numbers that are close together meet every comparison from both sides, and equality.
close = st.lists(st.tuples(st.integers(0, 12), st.booleans()), max_size=120)
congested_mostly = st.lists(
    st.tuples(st.integers(1, 2000), st.sampled_from([True, True, True, False])), max_size=120
)


def same(measured: Measured, levels: int, alpha: float) -> None:
    printed = Printed(levels, alpha)
    literal = ChannelController(levels, alpha, margin=0, age=0)
    for throughput, congested in measured:
        expected = printed.get_number_of_channels(throughput, congested)
        assert literal.update(throughput, congested) == expected


@given(close, st.integers(1, 10), st.sampled_from([0, 0.5, 1]))
@example([(4, True)] * 9, 10, 0.5)
def test_the_literal_controller_is_the_printed_one_for_close_throughput(
    measured: Measured, levels: int, alpha: float
) -> None:
    same(measured, levels, alpha)


@given(congested_mostly, st.integers(1, 10), st.floats(0, 1))
def test_the_literal_controller_is_the_printed_one_under_congestion(
    measured: Measured, levels: int, alpha: float
) -> None:
    same(measured, levels, alpha)


@given(st.floats(0.5, 40), st.floats(0.5, 40), st.floats(1, 40), st.integers(0, 3))
def test_the_literal_controller_is_the_printed_one_in_a_region(
    load: float, later: float, remote: float, noise: int
) -> None:
    printed, literal = Printed(10, 0.5), ChannelController(margin=0, age=0)
    for period in range(60):
        wanted = load if period < 30 else later
        most = min(literal.channels, remote)
        throughput = min(wanted, most) * (1 + noise * (period * 7 % 5 - 2) / 200)
        channels = literal.update(throughput, wanted > most)
        assert channels == printed.get_number_of_channels(throughput, wanted > most)
