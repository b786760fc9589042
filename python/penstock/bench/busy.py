"""Keyed sums of which every row costs a given time, run in any way.

>>> print(Way("conveyor", 2, 4))
conveyor x2, 4 channels
>>> print(Way("manual"))
manual, no region
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from typing import Literal

import pyarrow as pa

from penstock import Elastic, agg, flow
from penstock.bench.keyed import table
from penstock.busy_work import with_work
from penstock.channels import channels_of
from penstock.flow import Flow
from penstock.threading_model import ModelName

TRIED_ROWS, TRIED_ROUNDS, TRIES = 512, 4_000, 9


@dataclass(frozen=True)
class Way:
    """How a flow is run.

    Attributes:
        model: Who runs it.
        threads: How many.
        channels: Of the region by key; without them there is none, and the engine divides keys
            into parts by itself.
        order: In which rows leave the region.
    """

    model: ModelName
    threads: int = 1
    channels: int | Elastic | None = None
    order: Literal["stream", "key"] | None = "stream"

    def __str__(self) -> str:
        threads = f" x{self.threads}" if self.threads > 1 else ""
        region = "no region" if self.channels is None else str(channels_of(self.channels))
        any_order = ", any order" if self.order is None else ""
        return f"{self.model}{threads}, {region}{any_order}"

    def flow(self, cost: float) -> Flow:
        """A running sum by key and then work of so many microseconds for each row."""
        rounds = round(cost * rounds_per_us()) if cost else 0

        def body(rows: Flow) -> Flow:
            totals = rows.key_by("k").running(total=agg.sum("v"))
            return with_work(totals, "total", rounds) if rounds else totals

        rows = flow("busy", "k bigint, v bigint")
        if self.channels is None:
            made = body(rows)
        else:
            made = rows.parallel(body, by="k", channels=self.channels, order=self.order)
        return made.threading(self.model, threads=self.threads)

    def run(self, cost: float, data: pa.Table, tuple_rows: int) -> pa.Table:
        """Run it to its end."""
        return self.flow(cost).run(data, settings=settings(tuple_rows)).table


def settings(tuple_rows: int) -> dict[str, object]:
    """What is set in every run."""
    return {"spark.penstock.tuple.rows": tuple_rows}


@cache
def rounds_per_us() -> float:
    """How often this machine multiplies in a microsecond."""
    work = with_work(flow("calibration", "k bigint, v bigint"), "v", TRIED_ROUNDS)
    data = table(TRIED_ROWS, 0.0)

    def seconds() -> float:
        # Of this thread, which does all the work: others may be busy at the same time.
        begun = time.thread_time()
        work.run(data)
        return time.thread_time() - begun

    return TRIED_ROWS * TRIED_ROUNDS / (1e6 * min(seconds() for _ in range(TRIES)))
