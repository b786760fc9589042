"""Ratios that came out close to their goal, measured again: the two sides alone, in many turns.

Where many contenders take turns each has few of them, the machine is another one at the end of a
round than at its beginning, and the best of ten is also the luckiest of ten. So whatever came out
close to its line, on either side of it, is decided by rounds of the two that are compared. A round
gives a ratio, and the median of these is the result: what hits a whole round hits both alike.

>>> is_close(0.95, 0.9), is_close(1.2, 0.9)
(True, False)
>>> middle_ratio([{"rate": 2.0}, {"rate": 9.0}, {"rate": 3.0}], [{"rate": 1.0}] * 3, "rate")
3.0
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from penstock.bench.section import Answer, Stage

CLOSE = 0.2
ROUNDS = 15

Turn: TypeAlias = "Callable[[], Answer]"


def is_close(value: float, line: float) -> bool:
    """Whether a value is within a fifth of its goal, reached or not."""
    return abs(value / line - 1) <= CLOSE


def again(
    stage: Stage, pairs: Mapping[str, tuple[Turn, Turn]], measure: str, seconds: float
) -> Iterator[tuple[str, float, int]]:
    """Measure pairs, each by itself: its name, the middle ratio and how many rounds it took.

    Args:
        stage: What is measured with.
        pairs: How to measure either side once, by what is compared.
        measure: What of the answers is compared.
        seconds: For all pairs together; what one leaves over goes to those behind it.
    """
    rounds = 3 if stage.size.quick else ROUNDS
    ends = time.monotonic() + seconds
    for done, (name, (own, other)) in enumerate(pairs.items()):
        patience = (ends - time.monotonic()) / (len(pairs) - done)
        answers = stage.rounds_of({"a": own, "b": other}, rounds, patience, f"again, {name}: ")
        yield name, middle_ratio(answers["a"], answers["b"], measure), len(answers["a"])


def middle_ratio(own: Sequence[Answer], other: Sequence[Answer], measure: str) -> float:
    """The median of what the rounds gave."""
    rounds = zip(own, other, strict=True)
    ratios: list[float] = [mine[measure] / theirs[measure] for mine, theirs in rounds]
    return statistics.median(ratios)
