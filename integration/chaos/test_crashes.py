"""Operators that bring down their worker: Spark tries again, and its error has their name (G7)."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import penstock
from integration.chaos.conftest import RETRYING
from integration.chaos.scene import Scene
from integration.jobs import Job
from integration.sessions import Sessions
from integration.settings import settings

# Spark then adds to its error what a crashed worker left in a file.
TOLD = {"spark.sql.execution.pyspark.udf.faulthandler.enabled": "true"}
ROWS = 4_000
BAD = 3_333
WAYS: dict[str, Callable[[], Any]] = {
    "null pointer": lambda: ctypes.string_at(0),
    "abort": os.abort,
    "leaves": lambda: os._exit(3),
    "exits": lambda: sys.exit(4),
}


class Crashes:
    """A function that ends its process at a row, as often as is asked for."""

    def __init__(self, way: str, marker: Path, times: int) -> None:
        self._way, self._marker, self._times = way, marker, times

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        if batch.num_rows and BAD in batch["id"].to_pylist():
            for attempt in range(self._times):
                path = self._marker.with_suffix(f".{attempt}")
                if not path.exists():
                    path.touch()
                    WAYS[self._way]()
        return batch


@pytest.fixture
def spark(sessions: Sessions) -> Any:
    return sessions.of(RETRYING)


def crashing(way: str, scene: Scene, times: int) -> penstock.Flow:
    made = penstock.flow("crashing", "id long")
    made = made.map(Crashes(way, scene.here / "crashed", times), name="guilty")
    return made.threading("conveyor", threads=3)


@pytest.mark.parametrize("way", WAYS)
def test_a_crash_is_survived_by_another_attempt(spark: Any, way: str, scene: Scene) -> None:
    df = spark.range(0, ROWS, 1, 2).transform(crashing(way, scene, 1))
    assert [row.id for row in df.collect()] == list(range(ROWS))
    assert len(list(scene.here.glob("crashed.*"))) == 1
    scene.nothing_is_left()


@pytest.mark.parametrize(("way", "signal"), [("null pointer", "SIGSEGV"), ("abort", "SIGABRT")])
def test_an_operator_that_always_crashes_is_named_in_sparks_error(
    spark: Any, way: str, signal: str, scene: Scene
) -> None:
    with settings(spark, TOLD):
        error = Job(spark, spark.range(0, ROWS, 1, 2).transform(crashing(way, scene, 99))).error()
    assert f"penstock: operator 'guilty' of flow 'crashing' crashed ({signal})" in error
    assert "in input rows " in error
    assert "Fatal Python error" in error
    scene.tally.failed_as_they_should += 1
    scene.nothing_is_left()
