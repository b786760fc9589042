"""Keyed operators on Spark, against the same thing written as a loop in mapInArrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from integration.settings import settings
from penstock import agg, flow
from penstock.threading_model import MODELS

ROWS = 20_000
TOTALS = (
    flow("totals", "host string, bytes long")
    .key_by("host")
    .running(total=agg.sum("bytes"), seen=agg.count())
)


def in_a_loop(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What TOTALS does, row by row."""
    known: dict[str | None, tuple[int, int]] = {}
    for batch in batches:
        totals, counts = [], []
        for host, size in zip(batch["host"].to_pylist(), batch["bytes"].to_pylist(), strict=True):
            total, count = known.get(host, (0, 0))
            known[host] = (total + size, count + 1)
            totals.append(total + size)
            counts.append(count + 1)
        columns = [*batch.columns, pa.array(totals, pa.int64()), pa.array(counts, pa.int64())]
        yield pa.RecordBatch.from_arrays(columns, [*batch.schema.names, "total", "seen"])


@pytest.mark.parametrize("model", MODELS)
def test_running_aggregates_equal_a_loop_in_every_partition(spark: Any, model: str) -> None:
    chosen = {
        "spark.penstock.flow.totals.threading": model,
        "spark.penstock.tuple.rows": "300",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "1000",
    }
    host = "CASE WHEN id % 101 = 0 THEN NULL ELSE concat('host', id * 7919 % 97) END AS host"
    with settings(spark, chosen):
        rows = spark.range(0, ROWS, 1, 3).selectExpr(host, "id % 1000 AS bytes")
        wanted = rows.mapInArrow(in_a_loop, "host string, bytes long, total long, seen long")
        made = rows.transform(TOTALS)
        assert made.columns == ["host", "bytes", "total", "seen"]
        assert made.collect() == wanted.collect()
