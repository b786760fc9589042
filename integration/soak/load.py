"""What runs all the time: a flow on Spark, and one in this process whose channels change."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F

from integration.chaos.flows import KEYS
from integration.flows import same
from penstock import Elastic, Flow, agg, flow
from penstock.spec import FlowSpec
from penstock.worker import SetChannels, run

ROWS = 200_000
PARTITIONS = 4
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
    rows = spark.range(0, ROWS, 1, PARTITIONS).selectExpr("id", f"id % {KEYS} AS key")
    made = rows.transform(ON_SPARK).agg(F.count("*"), F.sum("total"))
    check("on Spark", tuple(made.collect()[0]), PARTITIONS)


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

    rows = total = 0
    for batch in run(FlowSpec.of(IN_PROCESS), batches(), steer=steering.append):
        rows += batch.num_rows
        total += pc.sum(batch["total"]).as_py() or 0
    check("in process", (rows, total), 1)
    return changes


def check(where: str, found: tuple[int, int], partitions: int) -> None:
    """Compare rows, and the sum of their running totals, with what they must be."""
    wanted = ROWS, sum_of_totals(partitions)
    if found != wanted:
        raise AssertionError(f"{where}: rows and the sum of totals are {found}, not {wanted}")


@cache
def sum_of_totals(partitions: int) -> int:
    """The same by one loop in Python."""
    made = 0
    for partition in range(partitions):
        totals = [0] * KEYS
        for number in range(ROWS * partition // partitions, ROWS * (partition + 1) // partitions):
            totals[number % KEYS] += number
            made += totals[number % KEYS]
    return made
