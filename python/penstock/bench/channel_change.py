"""Channels that come and go while rows flow (E17, G19): how deep throughput dips, and how long.

Every key has one row in each pass over the keys, and every row counts 1: the total of a row is the
number of its pass, so that a total that was lost or doubled on its way is seen at once.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc

from penstock import Elastic, agg, flow, worker
from penstock.bench.report import Grid, Measure, Point, Target
from penstock.bench.section import Section, Stage
from penstock.spec import FlowSpec
from penstock.worker import SetChannels

KEYS = (100_000, 1_000_000)
WIDTHS = (1, 2, 4, 1)
TUPLE_ROWS, BATCH_ROWS = 4_096, 65_536
SLICE = 0.02
BEFORE, AFTER = 0.3, 0.7  # seconds looked at, on both sides of a change
REGION = "totals"
BARS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class Change:
    """From so many channels to so many others, with so many keys."""

    keys: int
    before: int
    after: int

    def __str__(self) -> str:
        return f"{self.keys} keys, {self.before} -> {self.after}"


@dataclass(frozen=True)
class Dip:
    """What came out around a change.

    Attributes:
        rates: Rows a second in each slice, the change at the beginning of the one numbered `at`.
        at: Slices before the change.
        gap: The longest time after the change in which nothing came out, in seconds.
        over: When that time ended, in seconds since the change was asked for. Nothing passes a
            pulse, so where keys take longer to move than anything else, they are there by then.
    """

    rates: tuple[float, ...]
    at: int
    gap: float
    over: float

    @classmethod
    def of(cls, seen: Sequence[tuple[float, int]], changed: float, until: float = math.inf) -> Dip:
        """Cut what was seen until the next change, as time and rows, into slices."""
        before, after = round(BEFORE / SLICE), round(AFTER / SLICE)
        rows = [0] * (before + after)
        last, gap, over = changed, 0.0, 0.0
        for moment, count in seen:
            place = int((moment - changed) // SLICE) + before
            if 0 <= place < len(rows):
                rows[place] += count
            # A gap that begins in time is seen to its end, however long it is.
            if changed <= moment <= until and last < changed + AFTER:
                if moment - last > gap:
                    gap, over = moment - last, moment - changed
                last = moment
        return cls(tuple(each / SLICE for each in rows), before, gap, over)

    @property
    def usual(self) -> float:
        """Rows a second before the change."""
        return statistics.median(self.rates[: self.at])

    @property
    def settled(self) -> float:
        """Rows a second afterwards, when all is over."""
        return statistics.median(self.rates[-self.at :])

    @property
    def least(self) -> float:
        """The slowest slice after the change, as a part of what was usual."""
        return min(self.rates[self.at :]) / self.usual if self.usual else 0.0

    @property
    def seconds(self) -> float:
        """How long it took until a slice had half of the rate that there was in the end."""
        slow = 0
        for rate in self.rates[self.at :]:
            if rate >= self.settled / 2:
                break
            slow += 1
        return slow * SLICE

    @property
    def bars(self) -> str:
        """The rates as a plot, with a line where the change was asked for."""
        most = max(self.rates) or 1.0
        drawn = [BARS[round(rate / most * (len(BARS) - 1))] for rate in self.rates]
        return "".join([*drawn[: self.at], "|", *drawn[self.at :]])


class Passes:
    """The input: all keys again and again, until it is told to end."""

    def __init__(self, keys: int) -> None:
        shuffled = random.Random(4).sample(range(keys), keys)
        ones = pa.array([1] * keys, pa.int64())
        self._rows = pa.table({"k": pa.array(shuffled, pa.int64()), "v": ones})
        self.ended = False

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        while not self.ended:
            yield from self._rows.to_batches(max_chunksize=BATCH_ROWS)


@dataclass
class Watch:
    """Reads what comes out: when, how much, and whether it is right."""

    keys: int
    rows: int = 0
    wrong: int = 0

    def __post_init__(self) -> None:
        self.seen: list[tuple[float, int]] = []

    def take(self, batch: pa.RecordBatch, moment: float) -> None:
        """Note a batch and count it as wrong if it does not continue the passes."""
        first, last = self.rows // self.keys, (self.rows + batch.num_rows - 1) // self.keys
        next_pass = last * self.keys - self.rows if last > first else 0
        totals = batch["total"]
        parts = ((totals[:next_pass], first), (totals[next_pass:], last))
        if last > first + 1 or any(not _all(part, number + 1) for part, number in parts):
            self.wrong += 1
        self.rows += batch.num_rows
        self.seen.append((moment, batch.num_rows))


Results = Mapping[Change, tuple[Dip, int]]  # with the batches that were wrong


def channel_change(stage: Stage) -> Section:
    """Change the channels under way, with every number of keys."""
    found: dict[Change, tuple[Dip, int]] = {}
    for full in KEYS[-1:] if stage.size.quick else KEYS:
        keys = max(BATCH_ROWS, stage.size.rows(full))
        stage.tell(f"E17 while rows flow: {keys} keys")
        found |= changes(keys)
    return section_of(found)


def changes(keys: int) -> dict[Change, tuple[Dip, int]]:
    """Run a sum by key with one number of channels after another."""
    passes, watch = Passes(keys), Watch(keys)
    steer: list[SetChannels] = []
    moments: list[float] = []
    due = 0.0

    def begin(set_channels: SetChannels) -> None:
        # By itself a region begins with a channel for each thread.
        set_channels(REGION, WIDTHS[0])
        steer.append(set_channels)

    for batch in worker.run(_spec(), iter(passes), steer=begin):
        now = time.perf_counter()
        watch.take(batch, now)
        if watch.rows < keys:
            due = now + AFTER  # state is made first, and then it runs undisturbed for a while
        elif now >= due and len(moments) < len(WIDTHS) - 1:
            steer[0](REGION, WIDTHS[len(moments) + 1])
            moments.append(now)
            due = now + BEFORE + AFTER
        elif now >= due:
            passes.ended = True
    return {
        Change(keys, before, after): (Dip.of(watch.seen, moment, until), watch.wrong)
        for (before, after), (moment, until) in zip(
            pairwise(WIDTHS), pairwise([*moments, math.inf]), strict=True
        )
    }


def section_of(found: Results) -> Section:
    """What was seen, as points, goals and a plot."""
    points = tuple(
        Point(
            f"E17 while rows flow, {change}",
            {
                "rows_per_s_before": dip.usual,
                "rows_per_s_after": dip.settled,
                "least_share": dip.least,
                "dip_s": dip.seconds,
                "longest_gap_s": dip.gap,
                "over_s": dip.over,
                "totals": "different" if wrong else "same",
            },
        )
        for change, (dip, wrong) in found.items()
    )
    wrong = Target(
        "E17 while rows flow: batches with other totals",
        sum(wrong for _, wrong in found.values()),
        most=0,
    )
    most = max(found, key=lambda change: (change.keys, -change.before))
    over = Target(f"E17 while rows flow: seconds for {most}", found[most][0].over, most=1.0)
    rows: dict[str, tuple[Measure, ...]] = {
        str(change): (
            dip.bars,
            100 * dip.least,
            1e3 * dip.seconds,
            1e3 * dip.gap,
            1e3 * dip.over,
        )
        for change, (dip, _) in found.items()
    }
    title = f"rows out in slices of {1e3 * SLICE:g} ms, | is where channels change"
    columns = ("", "least, % of before", "dip, ms", "longest gap, ms", "its end, ms")
    return Section(points, (wrong, over), (Grid(title, columns, rows),))


def _spec() -> FlowSpec:
    totals = flow("changing", "k bigint, v bigint").parallel(
        lambda rows: rows.key_by("k").running(total=agg.sum("v")),
        by="k",
        channels=Elastic(WIDTHS[0], max(WIDTHS)),
        name=REGION,
    )
    # Nobody else changes channels: the first period of the control loop outlasts the run.
    settings = {"spark.penstock.tuple.rows": TUPLE_ROWS, "spark.penstock.elastic.period": "1h"}
    return FlowSpec.of(totals.threading("conveyor", threads=2), settings)


def _all(totals: pa.Array, expected: int) -> bool:
    if len(totals) == 0:
        return True
    found = pc.min_max(totals)
    return bool(found["min"].as_py() == expected == found["max"].as_py())
