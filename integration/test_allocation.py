"""What Spark gives to a task, and executors that come and go."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.resource import ResourceProfileBuilder, TaskResourceRequests

import penstock
from integration.counting import OBSERVE
from integration.processes import eventually
from integration.sessions import Mode, Sessions
from integration.settings import settings
from penstock.executor.folder import executor_folder
from penstock.executor.ledger import places
from penstock.machine import cores

ONE_EXECUTOR = Mode("local-cluster[1,2,1024]", plugin=True)
TWO_CORES = pytest.mark.skipif(cores().usable < 2, reason="a task cannot have two cores of one")
DYNAMIC = {
    "spark.dynamicAllocation.enabled": "true",
    "spark.dynamicAllocation.shuffleTracking.enabled": "true",
    "spark.dynamicAllocation.minExecutors": "0",
    "spark.dynamicAllocation.initialExecutors": "0",
    "spark.dynamicAllocation.maxExecutors": "1",
    "spark.dynamicAllocation.executorIdleTimeout": "1s",
    "spark.executor.cores": "2",
}


def with_seat(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Say which cores this task was promised, and where that is written."""
    folder = executor_folder()
    seats = [] if folder is None else places(folder / "threads")
    mine = [place for place in seats if place.pid == os.getpid()]
    told = f"{mine[0].guaranteed} {folder}" if mine else "none"
    return batch.append_column("seat", pa.repeat(pa.scalar(told), batch.num_rows))


def seated() -> penstock.Flow:
    return penstock.flow("seated", "id long").map(with_seat, out="id long, seat string")


@TWO_CORES
def test_a_task_is_promised_the_cores_that_the_session_gives_to_each(sessions: Sessions) -> None:
    sessions.close()
    spark = sessions.start(ONE_EXECUTOR, {"spark.task.cpus": "2"})
    try:
        found = spark.range(0, 8, 1, 4).transform(seated()).collect()
    finally:
        sessions.close()
    assert [row.id for row in found] == list(range(8))
    assert {row.seat.partition(" ")[0] for row in found} == {"2"}


@TWO_CORES
def test_a_task_is_promised_the_cores_of_its_resource_profile(sessions: Sessions) -> None:
    sessions.close()
    spark = sessions.start(ONE_EXECUTOR)
    profile = ResourceProfileBuilder().require(TaskResourceRequests().cpus(2)).build
    plain = spark.range(0, 8, 1, 4)
    try:
        alone = plain.transform(seated()).collect()
        found = plain.transform(seated(), profile=profile).collect()
        with settings(spark, OBSERVE):
            observed = plain.transform(seated(), profile=profile).collect()
    finally:
        sessions.close()
    assert {row.seat.partition(" ")[0] for row in alone} == {"1"}
    assert [row.id for row in found] == list(range(8))
    assert {row.seat.partition(" ")[0] for row in found} == {"2"}
    assert {row.seat.partition(" ")[0] for row in observed} == {"2"}


def test_executors_that_come_and_go_leave_nothing_and_change_no_result(sessions: Sessions) -> None:
    sessions.close()
    spark = sessions.start(ONE_EXECUTOR, DYNAMIC)
    status = spark.sparkContext._jsc.sc().statusTracker()
    homes = []
    try:
        for _ in range(2):
            # The driver is one of those that are told of.
            eventually(lambda: len(status.getExecutorInfos()) == 1, "no executor is there")
            found = spark.range(0, 8, 1, 4).transform(seated()).collect()
            assert [row.id for row in found] == list(range(8))
            [home] = {row.seat.partition(" ")[2] for row in found}
            homes.append(Path(home))
        first, second = homes
        assert first != second
        assert not first.exists()
        eventually(lambda: not second.exists(), "the folder goes with its executor")
    finally:
        sessions.close()
