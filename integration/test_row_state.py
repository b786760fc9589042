"""Python operators with state on Spark, against the same thing written as a loop in mapInArrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from integration.settings import settings
from penstock import Elastic, flow, state
from penstock.flow import Flow
from penstock.rows import Row
from penstock.threading_model import MODELS

ROWS = 6_000
LIMIT = 250


class Threshold:
    """Lets a value pass that differs enough from the one before it of the same sensor."""

    last = state.Value("bigint")

    def process(self, row: Row) -> Iterator[Row]:
        if not self.last.has() or abs(row.value - self.last.get()) > LIMIT:
            yield row
        self.last.put(row.value)


def jumps(rows: Flow) -> Flow:
    """Adds the operator."""
    return rows.key_by("sensor").apply(Threshold())


ALONE = jumps(flow("jumps", "sensor string, value long"))
REGION = flow("jumps", "sensor string, value long").parallel(
    jumps, by="sensor", channels=Elastic(1, 4)
)


def in_a_loop(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What both do, row by row."""
    last: dict[str | None, int] = {}
    for batch in batches:
        kept = []
        for place, row in enumerate(batch.to_pylist()):
            before = last.get(row["sensor"])
            if before is None or abs(row["value"] - before) > LIMIT:
                kept.append(place)
            last[row["sensor"]] = row["value"]
        yield batch.take(pa.array(kept, pa.int32()))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("made", [ALONE, REGION], ids=["alone", "region"])
def test_state_in_python_equals_a_loop_in_every_partition(
    spark: Any, model: str, made: Flow
) -> None:
    chosen = {
        "spark.penstock.flow.jumps.threading": model,
        "spark.penstock.tuple.rows": "300",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "1000",
    }
    sensor = "CASE WHEN id % 101 = 0 THEN NULL ELSE concat('s', id * 7919 % 97) END AS sensor"
    with settings(spark, chosen):
        rows = spark.range(0, ROWS, 1, 3).selectExpr(sensor, "id * 7907 % 1000 AS value")
        wanted = rows.mapInArrow(in_a_loop, "sensor string, value long")
        assert rows.transform(made).collect() == wanted.collect()
