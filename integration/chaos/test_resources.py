"""Too little memory, and a full disk: a flow works, or fails with what to do about it (T6)."""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from integration.chaos.flows import keyed, keyed_rows, region, region_rows
from integration.chaos.gate import gate
from integration.chaos.scene import Scene
from integration.chaos.verdict import Verdict, collected
from integration.jobs import Job
from integration.sessions import Mode, Sessions
from integration.settings import settings
from penstock import agg, flow

# For each worker, since a local executor has no cores to share it out over. Finding 4: not many
# threads fit in.
TIGHT = {"spark.executor.pyspark.memory": "1g"}
LOCAL = Mode("local[2]", plugin=True)
ROWS = 5_000


@pytest.fixture(scope="module")
def tight(sessions: Sessions) -> Iterator[Any]:
    """Spark whose Python workers may use little memory."""
    sessions.close()
    yield sessions.start(LOCAL, TIGHT)
    sessions.close()


@pytest.fixture(scope="module")
def full(sessions: Sessions, folder: Path) -> Iterator[Any]:
    """Spark whose local folder is on a disk that is full."""
    assert os.geteuid() == 0, (
        "only root can mount a small disk: run these tests as root, as CI does"
    )
    disk = folder / "small"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)], check=True)
    try:
        sessions.close()
        spark = sessions.start(LOCAL, {"spark.local.dir": str(disk)})
        # Workers are there, and what Spark itself needs is written.
        spark.range(0, 10, 1, 2).transform(flow("first", "id long").select("id")).collect()
        fill(disk / "filling")
        yield spark
    finally:
        sessions.close()
        subprocess.run(["umount", str(disk)], check=True)


def fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(bytes(4096)):
            continue
    assert no_space_left(path.parent)


def no_space_left(folder: Path) -> bool:
    try:
        (folder / "more").write_bytes(bytes(4096))
    except OSError as error:
        return error.errno == errno.ENOSPC
    return False


def test_more_threads_than_memory_allows_change_no_result(tight: Any, scene: Scene) -> None:
    many = {
        "spark.penstock.flow.keyed.threading": "conveyor",
        "spark.penstock.flow.keyed.threads": "1000",
        "spark.penstock.tuple.rows": "7",
    }
    with settings(tight, many):
        df = tight.range(0, ROWS, 1, 1).transform(keyed(gate(scene.gates, [])))
        scene.judge(Verdict.of(collected(df), keyed_rows(range(ROWS))))
    scene.nothing_is_left()


def test_state_that_does_not_fit_fails_the_job_with_the_setting_to_change(
    tight: Any, scene: Scene
) -> None:
    # A total for each of very many keys, which takes more than a gigabyte.
    remembers = (
        flow("remembers", "id long").key_by("id").running(total=agg.sum("id"), name="totals")
    )
    error = Job(tight, tight.range(0, 10**8, 1, 1).transform(remembers).where("id < 0")).error()
    assert "operator 'totals'" in error
    assert "memory ran out; this Python worker may use 1,024 MiB of address space" in error
    assert "spark.executor.pyspark.memory" in error
    scene.tally.failed_as_they_should += 1
    scene.nothing_is_left()


def test_a_flow_that_needs_no_disk_runs_on_a_full_one(full: Any, scene: Scene) -> None:
    df = full.range(0, ROWS, 1, 1).transform(region(gate(scene.gates, [])))
    scene.judge(Verdict.of(collected(df), region_rows(range(ROWS))))
    scene.nothing_is_left()


def test_a_flow_that_writes_to_a_full_disk_says_so(full: Any, scene: Scene) -> None:
    moving = {
        "spark.penstock.migration.store": "files",
        "spark.penstock.flow.region.threading": "dynamic",
        "spark.penstock.flow.region.threads": "3",
        "spark.penstock.elastic.period": "10ms",
        "spark.penstock.tuple.rows": "16",
    }
    with settings(full, moving):
        df = full.range(0, 10**7, 1, 1).transform(region(gate(scene.gates, [])))
        error = Job(full, df.where("id < 0")).error()
    assert "flow 'region'" in error
    assert "No space left on device" in error
    assert "spark.penstock.migration.store" in error
    scene.tally.failed_as_they_should += 1
    scene.nothing_is_left()
