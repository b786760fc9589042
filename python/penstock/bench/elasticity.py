"""How well the thread controller finds the best number of threads, on machines there are not.

A simulated machine is throughput as a function of threads, and a period is one call, so 184 cores
take no more time than two. The shapes are those the controller meets in Schneider & Wu 2017,
Fig. 11: a pipeline whose throughput levels off, a data-parallel flow with an early peak, a mix with
a later one that falls off, and a flow that uses every core.

>>> case = next(c for c in cases(16) if c.name == "fall-off-steep")
>>> result = run(case, noise=0.0)
>>> result.settled_level, result.ratio, result.settle_period <= SETTLE_WITHIN
(9, 1.0, True)
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from penstock.elastic import ThreadController

MACHINES = (8, 16, 44, 72, 88, 176, 184)
PERIODS = 60
SETTLE_WITHIN = 15
GOOD_ENOUGH = 0.95
LAST = 20
SEEDS = 5
NOISES = (0.0, 0.01, 0.02)
STRONG_NOISE = 0.08

# What others use of the busy machine, and the part of its processors beyond which no flow takes
# more threads.
OTHERS = 0.3
CPU_LIMIT = 0.8

Rule: TypeAlias = Literal["literal", "confirmed"]
Curve: TypeAlias = Callable[[int], float]


@dataclass(frozen=True, slots=True)
class Case:
    """A flow on a simulated machine.

    Attributes:
        name: What the curve looks like.
        processors: Of the machine, and the most threads.
        curve: Throughput by number of threads.
        peak: Number of threads from which on more bring nothing worth having.
    """

    name: str
    processors: int
    curve: Curve
    peak: int

    @property
    def best(self) -> float:
        """The throughput of the best fixed number of threads."""
        return max(self.curve(level) for level in range(1, self.processors + 1))

    @property
    def beyond_peak(self) -> int:
        """The level after the peak on a climb by doubling: only there it shows that it was one."""
        return min(self.processors, 1 << self.peak.bit_length())

    def __str__(self) -> str:
        return f"{self.name} of {self.processors}"


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What the controller made of one case, once for every seed; numbers are of the worst seed.

    Attributes:
        experiment: "E4", or "E5" where the machine or the engine keep it from what it wants.
        name: The case.
        processors: Of the simulated machine.
        noise: By how much a period's throughput is off, relative to it: at most, or, where the
            noise is strong, as a standard deviation.
        load_change: By which rule a new load is told from noise.
        seeds: How many runs with noise of different seeds.
        levels: The levels of the first seed's run, one per period, without the repetitions at its
            end.
        settled_level: The level it ended with, in the run with the lowest throughput.
        settle_period: Number of the period after which the level last changed.
        ratio: Throughput at the settled level over that of the best fixed number of threads.
        late_changes: Changes of the level in the last 20 periods of 60; the fewest of any seed for
            the literal rule, which is to show that it does not come to rest.
        explored: The highest level tried.
        explored_beyond_peak: Whether the level after the peak was among them.
        violations: Rises on a machine that was too busy, changes while on hold, and levels below
            the minimum.
    """

    experiment: Literal["E4", "E5"]
    name: str
    processors: int
    noise: float
    load_change: Rule
    seeds: int
    levels: tuple[int, ...]
    settled_level: int
    settle_period: int
    ratio: float
    late_changes: int
    explored: int
    explored_beyond_peak: bool
    violations: int = 0


def cases(processors: int) -> tuple[Case, ...]:
    """The cases of E4 on a machine of so many processors."""
    most = processors
    early = max(2, round(most / 20))
    middle, late, top = round(0.45 * most), round(0.8 * most), round(0.57 * most)

    def saturating(level: int) -> float:
        return 1000 * (1 - math.exp(-4 * level / most))

    knee = next(n for n in range(1, most + 1) if saturating(n) >= GOOD_ENOUGH * saturating(most))
    return (
        Case("plateau", most, _linear_up_to(top, 0), top),
        Case("peaked-early", most, _linear_up_to(early, 0.5), early),
        Case("peaked-middle", most, _linear_up_to(middle, 1), middle),
        Case("peaked-late", most, _linear_up_to(late, 0.5), late),
        Case("no-peak", most, _linear_up_to(most, 0), most),
        Case("one-thread-best", most, _linear_up_to(1, 1), 1),
        Case("fall-off-steep", most, _linear_up_to(top, 2), top),
        Case("fall-off-gentle", most, _linear_up_to(top, 0.3), top),
        Case("saturating", most, saturating, knee),
        Case("flat", most, _linear_up_to(1, 0), 1),
    )


def run(
    case: Case, noise: float, load_change: Rule = "confirmed", seeds: Iterable[int] = (0,)
) -> CaseResult:
    """Let a controller find its way on one case, once for every seed.

    Noise up to the usual 2 % is even within its bounds; stronger noise is normal and has none.
    """
    runs = [_levels(case, noise, load_change, seed) for seed in seeds]
    ends = [levels[-1] for levels in runs]
    late = [sum(change > PERIODS - LAST for change in _changes(levels)) for levels in runs]
    worst = min(ends, key=case.curve)
    explored = min(max(levels) for levels in runs)
    return CaseResult(
        experiment="E4",
        name=case.name,
        processors=case.processors,
        noise=noise,
        load_change=load_change,
        seeds=len(runs),
        levels=_without_rest(runs[0]),
        settled_level=worst,
        settle_period=max(_settle_period(levels) for levels in runs),
        ratio=case.curve(worst) / case.best,
        late_changes=min(late) if load_change == "literal" else max(late),
        explored=explored,
        explored_beyond_peak=explored >= case.beyond_peak,
    )


def run_busy(processors: int) -> CaseResult:
    """E5: others use a part of the machine, and beyond 80 % in use there is no rise."""
    others = round(OTHERS * processors)
    case = Case("busy-machine", processors, _linear_up_to(processors - others, 0), processors)
    controller = ThreadController(maximum=processors)
    levels = [controller.level]
    violations = 0
    for _ in range(PERIODS):
        ok = min(processors, levels[-1] + others) <= CPU_LIMIT * processors
        levels.append(controller.update(case.curve(levels[-1]), cpu_ok=ok))
        violations += not ok and levels[-1] > levels[-2]
    return _result_e5(case, levels, violations)


def run_blocked(processors: int) -> CaseResult:
    """E5: two threads block for ever, and one more than them is the new minimum."""
    case = Case("blocked-threads", processors, _linear_up_to(1, 0), 1)
    controller = ThreadController(maximum=processors)
    levels = [controller.level]
    violations = 0
    for period in range(PERIODS):
        if period in (20, 21):
            levels.append(controller.hold())
            violations += levels[-1] != levels[-2]
            continue
        if period == 22:
            controller.set_minimum(3)
            levels[-1] = controller.level
        levels.append(controller.update(case.curve(levels[-1])))
        violations += levels[-1] < controller.minimum
    return _result_e5(case, levels, violations)


def simulate(tell: Callable[[str], None], seeds: int = SEEDS) -> tuple[CaseResult, ...]:
    """Run every case of E4 and E5 on every machine.

    Args:
        tell: Is told what is being done, a line at a time.
        seeds: How many runs with different noise; without noise one is enough.
    """
    results: list[CaseResult] = []
    for processors in MACHINES:
        tell(f"simulating a machine of {processors} processors")
        for case in cases(processors):
            results += [run(case, noise, seeds=range(seeds if noise else 1)) for noise in NOISES]
            for rule in ("literal", "confirmed"):
                results.append(run(case, STRONG_NOISE, rule, range(seeds)))
        results += [run_busy(processors), run_blocked(processors)]
    return tuple(results)


def _linear_up_to(peak: int, fall: float) -> Curve:
    """Linear up to the peak, then falling by so many percent for each percent more threads."""
    return lambda level: 1000.0 * (level if level <= peak else peak * (peak / level) ** fall)


def _levels(case: Case, noise: float, load_change: Rule, seed: int) -> list[int]:
    chance = random.Random(seed)
    controller = ThreadController(maximum=case.processors, load_change=load_change)
    levels = [controller.level]
    for _ in range(PERIODS):
        off = chance.gauss(0, noise) if noise > max(NOISES) else chance.uniform(-noise, noise)
        factor = max(0.0, 1 + off)
        levels.append(controller.update(case.curve(levels[-1]) * factor))
    return levels


def _changes(levels: list[int]) -> list[int]:
    return [i for i in range(1, len(levels)) if levels[i] != levels[i - 1]]


def _settle_period(levels: list[int]) -> int:
    return max(_changes(levels), default=0)


def _without_rest(levels: list[int]) -> tuple[int, ...]:
    return tuple(levels[: _settle_period(levels) + 1])


def _result_e5(case: Case, levels: list[int], violations: int) -> CaseResult:
    return CaseResult(
        experiment="E5",
        name=case.name,
        processors=case.processors,
        noise=0.0,
        load_change="confirmed",
        seeds=1,
        levels=_without_rest(levels),
        settled_level=levels[-1],
        settle_period=_settle_period(levels),
        ratio=case.curve(levels[-1]) / case.best,
        late_changes=sum(change > PERIODS - LAST for change in _changes(levels)),
        explored=max(levels),
        explored_beyond_peak=max(levels) >= case.beyond_peak,
        violations=violations,
    )
