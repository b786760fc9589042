"""What runs all the time: a flow on Spark, and one in this process whose channels change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from integration.chaos.flows import KEYS
from integration.flows import same
from penstock import Elastic, Flow, agg, flow
from penstock.spec import FlowSpec
from penstock.worker import SetChannels, run

ROWS = 200_000
BATCH = 1_000
FEW, MANY = 1, 4

ON_SPARK = (
    flow("soak", "id long, key long")
    .map(same, name="python")
    .key_by("key")
    .running(total=agg.sum("id"))
    .filter(pc.field("total") >= 0)
    .threading("conveyor", threads=3)
)


def totals(rows: Flow) -> Flow:
    return rows.key_by("key").running(total=agg.sum("id"))


IN_PROCESS = (
    flow("elastic", "id long, key long")
    .parallel(totals, by="key", channels=Elastic(FEW, MANY), name="region")
    .threading("dynamic", threads=3)
)


def run_on_spark(spark: Any) -> None:
    """One job of several tasks, and its result compared with what it must be."""
    rows = spark.range(0, ROWS, 1, 4).selectExpr("id", f"id % {KEYS} AS key")
    assert rows.transform(ON_SPARK).count() == ROWS


def run_in_process() -> int:
    """A flow whose channels become more and fewer while rows go through; how many changes."""
    changes = 0
    steering: list[SetChannels] = []

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal changes
        for first in range(0, ROWS, BATCH):
            ids = pa.array(range(first, first + BATCH), pa.int64())
            keys = pa.array([number % KEYS for number in range(first, first + BATCH)], pa.int64())
            if first % (10 * BATCH) == 0:
                steering[0]("region", MANY if changes % 2 else FEW)
                changes += 1
            yield pa.RecordBatch.from_arrays([ids, keys], names=["id", "key"])

    rows = 0
    for batch in run(FlowSpec.of(IN_PROCESS), batches(), steer=steering.append):
        rows += batch.num_rows
    assert rows == ROWS
    return changes
