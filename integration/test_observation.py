"""Metrics that travel in a hidden column, and in the progress of streams."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

import penstock
from integration import flows
from integration.checks import words
from integration.counting import OBSERVE, WHEEL
from integration.oracle import assert_same
from integration.sessions import Sessions
from integration.settings import settings


@pytest.fixture
def wheel(sessions: Sessions) -> Any:
    """Two local cores without the plugin."""
    return sessions.of(WHEEL)


def test_observing_changes_neither_rows_nor_order_nor_schema(wheel: Any) -> None:
    df = words(wheel, 2_000, 3)
    plain = df.transform(flows.every_operator)
    with settings(wheel, OBSERVE):
        observed = df.transform(flows.every_operator)
    assert observed.schema == plain.schema
    assert assert_same(observed, plain) > 1_000


def test_observing_keeps_columns_that_are_never_null(wheel: Any) -> None:
    schema = (
        "id long NOT NULL, s string NOT NULL, t timestamp NOT NULL, d decimal(10,2) NOT NULL, "
        "b binary NOT NULL, l array<int> NOT NULL, r struct<x: int NOT NULL, y: date> NOT NULL"
    )
    flow = penstock.flow("strict", schema).filter(pc.field("id") > 6)
    df = (
        wheel.range(0, 8, 1, 4)
        .selectExpr(
            "id",
            "string(id) AS s",
            "timestamp_seconds(id) AS t",
            "decimal(id) AS d",
            "binary(string(id)) AS b",
            "array(int(id)) AS l",
            "named_struct('x', int(id), 'y', date'2020-01-01') AS r",
        )
        .select("id", "s", "t", F.col("d").cast("decimal(10,2)").alias("d"), "b", "l", "r")
    )
    df = wheel.createDataFrame(df.collect(), StructType.fromDDL(schema)).repartition(4)
    plain = df.transform(flow)
    with settings(wheel, OBSERVE):
        observed = df.transform(flow)
    assert observed.schema == plain.schema
    assert [field.nullable for field in observed.schema] == [False] * 7
    assert observed.collect() == plain.collect() != []


def test_without_observing_the_last_micro_batch_of_a_stream_is_told(
    wheel: Any, tmp_path: Path
) -> None:
    given = tmp_path / "given"
    words(wheel, 1_000, 4).select("seq").write.parquet(str(given))
    stream = wheel.readStream.schema("seq long").option("maxFilesPerTrigger", 2).parquet(str(given))
    flow = penstock.flow("streamed", "seq long").filter(pc.field("seq") < 900, name="most")
    made = stream.transform(flow)
    query = (
        made.writeStream.format("noop")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    assert query.awaitTermination(120)
    last = penstock.last_run(made)
    assert last is not None
    assert (last.batch, last.rows_in) == (1, query.lastProgress["numInputRows"])
    assert penstock.observed_metrics(query.lastProgress) == {}


def test_each_micro_batch_of_foreach_batch_is_a_run(wheel: Any, tmp_path: Path) -> None:
    given = tmp_path / "given"
    words(wheel, 100, 2).select("seq").write.parquet(str(given))
    stream = wheel.readStream.schema("seq long").option("maxFilesPerTrigger", 1).parquet(str(given))
    flow = penstock.flow("each", "seq long").filter(pc.field("seq") >= 0)
    rows: list[int] = []

    def handle(batch: Any, _number: int) -> None:
        made = batch.transform(flow)
        made.collect()
        run = penstock.last_run(made)
        rows.append(run.rows_in if run else -1)

    query = (
        stream.writeStream.foreachBatch(handle)
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    assert query.awaitTermination(120)
    assert rows == [50, 50]
