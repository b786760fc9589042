"""Operational monitoring: applications that move too much data within a minute.

A window begins with the first row of an application, and the first row that is more than a minute
younger ends it and begins the next. What is in a window at the end of the input is not told.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pyarrow.compute as pc

from penstock import Elastic, Flow, flow, state

INPUT = "seq long, time timestamp, appId long, flowAmount double"
SUMMARY = "emit_at long, appId long, flowAmount double, time timestamp"
LENGTH = timedelta(seconds=60)
TOO_MUCH = pc.field("flowAmount") > 200_000.0


class FlowSum:
    """Adds up what an application moves within a window."""

    oldest = state.Value("timestamp", persistence="checkpointed")
    newest = state.Value("timestamp", persistence="checkpointed")
    amount = state.Value("double", persistence="checkpointed")

    def process(self, row: Any) -> Iterator[Any]:
        if self.oldest.has() and row.time - self.oldest.get() > LENGTH:
            yield row.seq, row.appId, self.amount.get(), self.newest.get()
            self.oldest.remove()
            self.amount.remove()
        if not self.oldest.has():
            self.oldest.put(row.time)
        self.newest.put(row.time)
        self.amount.put(self.amount.get(0.0) + row.flowAmount)


def sums(rows: Flow) -> Flow:
    return rows.key_by("appId").apply(FlowSum(), SUMMARY, name="flow_sum")


summaries = flow("summaries", INPUT).parallel(
    sums, by="appId", channels=Elastic(1, 4), name="monitor"
)
op_mon = flow("op_mon", INPUT).parallel(
    lambda rows: sums(rows).filter(TOO_MUCH, name="too_much"),
    by="appId",
    channels=Elastic(1, 4),
    name="monitor",
)
