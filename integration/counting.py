"""What flows tell of themselves, beside the same counted by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.compute as pc
from pyspark.sql import functions as F

import penstock
from integration import flows
from integration.sessions import Mode

OBSERVE = {"spark.penstock.metrics.observe": "true"}
WHEEL = Mode("local[2]", plugin=False)
MODES = [WHEEL, Mode("local[2]", plugin=True), Mode("local-cluster[2,1,1024]", plugin=True)]


def counted() -> penstock.Flow:
    """A new flow, of which nothing is known yet."""
    return (
        penstock.flow("counted", "word string, seq long")
        .filter(pc.bit_wise_and(pc.field("seq"), 3) == 0, name="fourth")
        .map(flows.same, name="same")
        .filter(pc.field("seq") > 100, name="late")
    )


def by_hand(df: Any) -> dict[int, tuple[int, int, int]]:
    """By partition: all rows, every fourth, and of those the late ones; counted by Spark itself."""
    found = (
        df.groupBy(F.spark_partition_id().alias("p"))
        .agg(
            F.count("*").alias("all"),
            F.sum(F.expr("int(seq & 3 = 0)")).alias("fourth"),
            F.sum(F.expr("int(seq & 3 = 0 and seq > 100)")).alias("late"),
        )
        .collect()
    )
    return {row["p"]: (row["all"], row["fourth"], row["late"]) for row in found}


def told(run: penstock.RunMetrics | None) -> dict[int, tuple[int, int, int]]:
    """The same of the tasks that had rows, as they told it."""
    assert run is not None
    found = {}
    for task in run.tasks:
        fourth, same, late = task.metrics.operators
        assert [one.name for one in task.metrics.operators] == ["fourth", "same", "late"]
        assert (task.rows_in, task.rows_out) == (fourth.rows_in, late.rows_out)
        assert fourth.rows_out == same.rows_in == same.rows_out == late.rows_in
        if task.rows_in:
            found[task.partition] = (task.rows_in, same.rows_in, task.rows_out)
    return found


def status_files(folder: Path) -> list[Path]:
    return [path for path in folder.glob("local/**/penstock/pe-*") if path.is_file()]
