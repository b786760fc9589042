"""Channels and threads that are found while rows flow, against the best that are fixed (E11).

An elastic run begins with little and is slow until it has found what pays: both its rate as a whole
and that of its last part are published, with the time until it changed nothing any more.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from penstock import Elastic, local
from penstock.bench.busy import Way, settings
from penstock.bench.keyed import EXPONENTS, table
from penstock.bench.report import Grid, Point, Target
from penstock.bench.section import Section, Stage
from penstock.metrics import Decision, FlowMetrics

COST = 5.0  # microseconds for each row
ROWS = 1_920_000  # which is some 5 s with two threads; to find everything takes 2 s
TUPLE_ROWS = 256  # a period of the control loop has at least 64 tuples
LAST = 0.4  # of a run
ALONE = Way("manual", 1, 1)
FIXED = tuple(Way("conveyor", 2, channels) for channels in (4, 8))
ELASTIC = (Way("conveyor", 2, Elastic(1, 8)), Way("automatic", 2, Elastic(1, 8)))
FINDING = (*ELASTIC, Way("automatic", 2, 4), Way("automatic", 2))
WAYS = (ALONE, *FIXED, *FINDING)


@dataclass(frozen=True)
class Found:
    """How one run went.

    Attributes:
        rate: Rows a second, of all of it.
        last_rate: Of its last part.
        settled: The part of its time after which nothing was changed any more.
        ended_with: What it had changed in the end, in words.
        same: Whether its rows are those of one thread.
    """

    rate: float
    last_rate: float
    settled: float
    ended_with: str
    same: bool

    @classmethod
    def of(
        cls, seen: Sequence[tuple[float, int]], decisions: Sequence[Decision], *, same: bool
    ) -> Found:
        """From when how many rows came out, in seconds since the beginning, and what changed."""
        seconds = seen[-1][0]
        last = [(moment, rows) for moment, rows in seen if moment >= seconds * (1 - LAST)]
        rate = sum(rows for _, rows in seen) / seconds
        took = last[-1][0] - last[0][0]
        changed = [each for each in decisions if each.previous != each.chosen]
        chosen = {each.lever: each.chosen for each in changed}
        return cls(
            rate=rate,
            last_rate=sum(rows for _, rows in last[1:]) / took if took else rate,
            settled=max((each.seconds for each in changed), default=0.0) / seconds,
            ended_with=", ".join(f"{lever} {number}" for lever, number in chosen.items()),
            same=same,
        )

    def point(self, name: str) -> Point:
        """The result for the report."""
        return Point(
            name,
            {
                "rows_per_s": self.rate,
                "rows_per_s_at_last": self.last_rate,
                "time_until_settled_share": self.settled,
                "ended_with": self.ended_with,
                "rows": "same" if self.same else "different",
            },
        )


Results = Mapping[tuple[str, Way], Found]  # by keys and way


def region_elastic(stage: Stage) -> Section:
    """Run every way once: long enough to settle is long enough to be measured."""
    found: dict[tuple[str, Way], Found] = {}
    for keys, exponent in EXPONENTS.items():
        data = table(stage.size.rows(ROWS), exponent)
        alone: pa.Table | None = None
        for way in WAYS:
            stage.tell(f"region, {keys}: {way}")
            made, seen, decisions = observed(way, data)
            alone = made if alone is None else alone
            found[keys, way] = Found.of(seen, decisions, same=made.equals(alone))
    return section_of(found)


def observed(
    way: Way, data: pa.Table
) -> tuple[pa.Table, list[tuple[float, int]], tuple[Decision, ...]]:
    """Run a way and note what comes when, and what is decided."""
    told: list[tuple[Decision, ...]] = []

    def report(_: FlowMetrics | None, decisions: tuple[Decision, ...]) -> None:
        told.append(decisions)

    flow = way.flow(COST)
    batches, seen = [], []
    begun = time.perf_counter()
    for batch in local.stream(flow, data, settings(TUPLE_ROWS), report=report):
        batches.append(batch)
        seen.append((time.perf_counter() - begun, batch.num_rows))
    return pa.Table.from_batches(batches, flow.schema), seen, told[0]


def section_of(found: Results) -> Section:
    """What was measured, as points, goals and a table."""
    points = tuple(each.point(f"found, {keys}/{way}") for (keys, way), each in found.items())
    different = Target(
        "found channels: ways with other rows", sum(not f.same for f in found.values()), most=0
    )
    rows = {
        f"{keys}/{way}": (
            f"{each.rate / 1e3:.4g}" + ("" if each.same else "*"),
            f"{each.last_rate / 1e3:.4g}",
            f"{each.settled:.0%}",
            each.ended_with,
        )
        for (keys, way), each in found.items()
    }
    columns = ("k rows/s", f"in the last {LAST:.0%}", "settled after", "changed to")
    title = f"channels and threads that are found, {COST:g} us for each row (* other rows)"
    return Section(points, (different, *targets(found)), (Grid(title, columns, rows),))


def targets(found: Results) -> Iterable[Target]:
    """The goals, for what was reached in the end."""
    for keys in EXPONENTS:
        best = max(found[keys, way].last_rate for way in FIXED)
        for way in ELASTIC:
            yield Target(
                f"E11, {keys}: {way} / best fixed", found[keys, way].last_rate / best, least=0.9
            )
