"""E10 and E12 to E16 in the report: the channel controller in simulated regions, worst case."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from penstock.bench.channels import Region, Trace, constant, simulate, sine, step
from penstock.bench.report import Grid, Point, Target
from penstock.bench.section import Section, Stage
from penstock.elastic import ChannelController

SECONDS = 2000
NOISE = 0.01
COSTS_US = (10, 30, 100, 300, 1000, 3000, 10_000)
SETTLED = (1, 2, 6, 16, 32, 32, 32)
REMOTE, REMOTE_CHANNELS, LIFTED = 2800, 4, 1000.0
FAR = 23  # channels

Measures = Mapping[str, float]


@dataclass(frozen=True)
class Run:
    """What one experiment showed with one noise.

    Attributes:
        experiment: Its number.
        noise: Standard deviation of a period's throughput, relative to it.
        seed: Of the noise.
        measures: By name.
    """

    experiment: str
    noise: float
    seed: int
    measures: Measures


@dataclass(frozen=True)
class Criterion:
    """A goal for the worst run of an experiment; `most` and `least` as in `Target`."""

    experiment: str
    measure: str
    most: float | None = None
    least: float | None = None

    def target(self, runs: Sequence[Run]) -> Target:
        """Judge the worst of these runs."""
        values = [each.measures[self.measure] for each in runs]
        worst = min(values) if self.most is None else max(values)
        name = f"{self.experiment}: {self.measure.replace('_', ' ')}"
        return Target(name, worst, self.most, self.least)


CRITERIA = (
    Criterion("E10 cost", "costs_with_other_channels_than_expected", most=0),
    Criterion("E10 cost", "speed_up_relative_to_reachable", least=0.9),
    Criterion("E12 sine", "handled", least=0.97),
    Criterion("E12 sine", "correlation", least=0.85),
    Criterion("E12 sine", "periods_above_ideal", most=0.2),
    Criterion("E12 sine", "most_channels", most=16),
    Criterion("E13 steps", "handled", least=0.95),
    Criterion("E13 steps", "correlation", least=0.8),
    Criterion("E14 threshold 0", "handled", least=0.95),
    Criterion("E14 threshold 0", "mean_channels_relative_to_E13", least=1.5),
    Criterion("E15 threshold 0.9", "handled", most=0.6),
    Criterion("E15 threshold 0.9", "most_channels", most=7),  # 8 to 16 would be needed
    Criterion("E16 bottleneck elsewhere", "mean_channels_relative_to_ideal", most=1.25),
    Criterion("E16 bottleneck elsewhere", "handled_once_it_is_gone", least=0.9),
    Criterion("E16 rapid scaling", "periods_relative_to_one_by_one", most=0.5),
)


def simulated_channels(stage: Stage) -> Section:
    """Let the channel controller decide about regions, without and with noise."""
    seeds = range(2 if stage.size.quick else 20)
    runs: list[Run] = []
    for name, experiment in EXPERIMENTS.items():
        stage.tell(f"{name}, simulated")
        for noise, seed in [(0.0, 0), *((NOISE, seed) for seed in seeds)]:
            runs.append(Run(name, noise, seed, experiment(noise, seed)))
    return section_of(runs)


def section_of(runs: Sequence[Run]) -> Section:
    """What the simulation showed, as points, goals and a table."""
    targets = tuple(
        criterion.target([run for run in runs if run.experiment == criterion.experiment])
        for criterion in CRITERIA
    )
    rows = {target.name: (target.value, target.goal) for target in targets}
    title = f"channels, simulated: worst without noise and with {NOISE:.0%}"
    return Section(
        tuple(
            Point(f"{run.experiment}/{run.noise:.0%} noise, seed {run.seed}", run.measures)
            for run in runs
        ),
        targets,
        (Grid(title, ("worst", "goal"), rows),),
    )


def cost(noise: float, seed: int) -> Measures:
    """E10: the more a tuple costs, the more channels."""
    load, others, speed_up = 50_000.0, 0, math.inf
    for us, expected in zip(COSTS_US, SETTLED, strict=True):
        alone = 1e6 / us
        region = Region(per_channel=alone, splitter=60_000, noise=noise)
        trace = simulate(region, constant(load), 300, seed=seed)
        last = trace.periods[-1]
        others += set(trace.channels[-20:]) != {expected}
        # Nothing can be faster than all of the load.
        reachable = min(last.channels, region.cores, max(1, load / alone))
        speed_up = min(speed_up, last.throughput / min(load, alone) / reachable)
    return {
        "costs_with_other_channels_than_expected": others,
        "speed_up_relative_to_reachable": speed_up,
    }


def follow_sine(noise: float, seed: int) -> Measures:
    """E12."""
    return _follows(simulate(Region(noise=noise), sine, SECONDS, seed=seed))


def follow_steps(noise: float, seed: int) -> Measures:
    """E13."""
    return _follows(_steps(0.2, noise, seed))


def low_threshold(noise: float, seed: int) -> Measures:
    """E14: everything counts as congested, so there are far too many channels."""
    trace = _steps(0.0, noise, seed)
    usual = _steps(0.2, noise, seed).mean_channels
    return {**_follows(trace), "mean_channels_relative_to_E13": trace.mean_channels / usual}


def high_threshold(noise: float, seed: int) -> Measures:
    """E15: hardly anything counts as congested, so there are too few channels."""
    return _follows(_steps(0.9, noise, seed))


def elsewhere(noise: float, seed: int) -> Measures:
    """E16: what follows the region is the bottleneck, until it is not."""
    region = Region(behind=lambda second: REMOTE if second < LIFTED else math.inf, noise=noise)
    trace = simulate(region, constant(14_000), LIFTED + 1500, seed=seed)
    return {
        "mean_channels_relative_to_ideal": trace.between(0, LIFTED).mean_channels / REMOTE_CHANNELS,
        "handled_once_it_is_gone": trace.between(LIFTED + 1000).handled,
    }


def rapid(noise: float, seed: int) -> Measures:
    """E16: how long it takes to get far, in steps of a series and one by one."""

    def periods(controller: ChannelController) -> float:
        trace = simulate(Region(noise=noise), constant(16_000), 300, controller, seed)
        found = trace.periods_until(FAR)
        return math.inf if found is None else found

    series = periods(ChannelController())
    one_by_one = periods(ChannelController(levels=32, rapid=False))
    return {
        "periods": series,
        "periods_one_by_one": one_by_one,
        "periods_relative_to_one_by_one": series / one_by_one,
    }


EXPERIMENTS: Mapping[str, Callable[[float, int], Measures]] = {
    "E10 cost": cost,
    "E12 sine": follow_sine,
    "E13 steps": follow_steps,
    "E14 threshold 0": low_threshold,
    "E15 threshold 0.9": high_threshold,
    "E16 bottleneck elsewhere": elsewhere,
    "E16 rapid scaling": rapid,
}


def _steps(threshold: float, noise: float, seed: int) -> Trace:
    return simulate(Region(threshold=threshold, noise=noise), step, SECONDS, seed=seed)


def _follows(trace: Trace) -> Measures:
    return {
        "handled": trace.handled,
        "correlation": trace.correlation,
        "periods_above_ideal": trace.above_ideal,
        "mean_channels": trace.mean_channels,
        "most_channels": trace.most_channels,
    }
