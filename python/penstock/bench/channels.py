"""How well the channel controller follows a load, in regions there are not.

A simulated region is a splitter, its channels with their queues, and what follows them. It is made
of flows instead of tuples, and time is counted instead of waited for, so an hour takes a tenth of a
second. The loads are those of Gedik et al. 2014, appendix B: a sine and steps.

>>> trace = simulate(Region(), step, seconds=1000)
>>> trace.handled > 0.95, trace.most_channels
(True, 16)
>>> simulate(Region(threshold=0.9), step, seconds=1000).most_channels
3
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from penstock.elastic import ChannelController

PERIOD = 5.0
SLICES = 20

# Tuples per second that are there to be taken, or that can be, at so many seconds.
Rate: TypeAlias = Callable[[float], float]


def constant(rate: float) -> Rate:
    """The same at all times."""
    return lambda _: rate


def sine(second: float) -> float:
    """5,000 tuples per second, 2,500 more or fewer, every 500 seconds (Fig. 13)."""
    return 5000 + 2500 * math.sin(2 * math.pi * second / 500)


def step(second: float) -> float:
    """5,000 tuples per second, then 10,000, then 2,000, and again (Fig. 15)."""
    into = second % 500
    if into < 250:
        return 5000
    return 10000 if into < 350 else 2000


@dataclass(frozen=True, slots=True)
class Region:
    """A region that could be, with the defaults of E12 to E16.

    Attributes:
        per_channel: Tuples per second that a channel handles.
        splitter: Tuples per second that the splitter can pass on.
        cores: With more channels than this the others wait for a core.
        behind: What follows the region handles so many tuples per second.
        room: Tuples that wait in front of a channel, and as many behind it.
        threshold: From this congestion index on the region counts as congested.
        noise: Standard deviation of a period's throughput, relative to it.
    """

    per_channel: float = 700
    splitter: float = 20_000
    cores: int = 32
    behind: Rate = field(default=constant(math.inf))
    room: int = 50
    threshold: float = 0.2
    noise: float = 0.0

    def ideal(self, load: float) -> int:
        """The fewest channels of the controller's series that handle a load, or the most it has."""
        series = (math.floor(0.5 + 2 ** (0.5 * (level + 1))) for level in range(10))
        return next((n for n in series if min(n, self.cores) * self.per_channel >= load), 32)


@dataclass(frozen=True, slots=True)
class Period:
    """What was measured in one period.

    Attributes:
        start: Seconds since the beginning.
        load: Tuples per second that were there to be taken.
        throughput: Tuples per second that the splitter took.
        index: Part of the time in which the splitter was blocked.
        channels: How many there were.
        ideal: How many there should have been.
    """

    start: float
    load: float
    throughput: float
    index: float
    channels: int
    ideal: int


@dataclass(frozen=True, slots=True)
class Trace:
    """What a controller made of a load, period by period."""

    periods: tuple[Period, ...]

    def between(self, start: float, end: float = math.inf) -> Trace:
        """The periods that begin in an interval of seconds."""
        return Trace(tuple(each for each in self.periods if start <= each.start < end))

    @property
    def handled(self) -> float:
        """The part of the load that was handled."""
        return sum(p.throughput for p in self.periods) / sum(p.load for p in self.periods)

    @property
    def channels(self) -> tuple[int, ...]:
        """The channels of each period."""
        return tuple(p.channels for p in self.periods)

    @property
    def mean_channels(self) -> float:
        """The mean over all periods."""
        return sum(self.channels) / len(self.periods)

    @property
    def most_channels(self) -> int:
        """The most of any period."""
        return max(self.channels)

    @property
    def above_ideal(self) -> float:
        """The part of the periods with more channels than needed."""
        return sum(p.channels > p.ideal for p in self.periods) / len(self.periods)

    @property
    def correlation(self) -> float:
        """How closely the channels follow the load; 1 is exactly."""
        load = sum(p.load for p in self.periods) / len(self.periods)
        pairs = [(p.load - load, p.channels - self.mean_channels) for p in self.periods]
        loads = sum(x * x for x, _ in pairs)
        channels = sum(y * y for _, y in pairs)
        return sum(x * y for x, y in pairs) / math.sqrt(loads * channels)

    def periods_until(self, channels: int) -> int | None:
        """After how many periods there first were so many channels; None is never."""
        return next((i for i, p in enumerate(self.periods) if p.channels >= channels), None)


@dataclass(slots=True)
class _Queues:
    """Tuples under way in a region, which stay when the number of channels changes."""

    before: float = 0
    behind: float = 0

    def advance(self, region: Region, channels: int, load: float, behind: float) -> float:
        """Let a slice of a period pass; the load and what it returns are tuples of that slice."""
        room = channels * region.room
        capacity = min(channels, region.cores) * region.per_channel * PERIOD / SLICES
        done = min(self.before + load, capacity, max(0.0, room - self.behind) + behind)
        taken = min(load, max(0.0, room - self.before) + done)
        self.before += taken - done
        self.behind = max(0.0, self.behind + done - behind)
        return taken


def simulate(
    region: Region,
    load: Rate,
    seconds: float,
    controller: ChannelController | None = None,
    seed: int = 0,
) -> Trace:
    """Let a controller decide about a region for so many seconds.

    Args:
        region: What it decides about.
        load: What arrives. What the splitter cannot take at once is the source's to drop.
        seconds: How long, by the clock of the simulation.
        controller: One that has not been used; None is the default one.
        seed: Of the noise.
    """
    chance = random.Random(seed)
    decides = controller or ChannelController()
    queues = _Queues()
    periods = []
    for number in range(int(seconds / PERIOD)):
        now = _period(region, load, number * PERIOD, decides.channels, queues)
        periods.append(now)
        measured = now.throughput * max(0.0, 1 + chance.gauss(0, region.noise))
        decides.update(measured, congested=now.index >= region.threshold)
    return Trace(tuple(periods))


def _period(region: Region, load: Rate, start: float, channels: int, queues: _Queues) -> Period:
    length = PERIOD / SLICES
    arrived = taken = blocked = 0.0
    for number in range(SLICES):
        second = start + number * length
        offered = load(second) * length
        wanted = min(offered, region.splitter * length)
        passed = queues.advance(region, channels, wanted, region.behind(second) * length)
        arrived += offered
        taken += passed
        # A splitter that cannot pass on all there is is blocked whenever it is not passing on.
        if passed < wanted * (1 - 1e-9):
            blocked += 1 - passed / (region.splitter * length)
    return Period(
        start=start,
        load=arrived / PERIOD,
        throughput=taken / PERIOD,
        index=blocked / SLICES,
        channels=channels,
        ideal=region.ideal(arrived / PERIOD),
    )
