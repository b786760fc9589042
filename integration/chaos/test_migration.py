"""A worker is killed just while what operators remember moves from channel to channel (T6)."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest

from integration.chaos.conftest import RETRYING
from integration.chaos.flows import region, region_rows
from integration.chaos.gate import gate
from integration.chaos.scene import Scene
from integration.chaos.verdict import Verdict
from integration.jobs import Job
from integration.processes import descendant, eventually
from integration.sessions import Sessions
from integration.settings import settings
from penstock.executor.temporary import OF_PROCESS

ROWS = 60_000
JOBS = 20
# State is in files while it moves, so that it can be seen; channels are tried out all the time.
MOVING = {
    "spark.penstock.migration.store": "files",
    "spark.penstock.flow.region.threading": "dynamic",
    "spark.penstock.flow.region.threads": "3",
    "spark.penstock.elastic.period": "10ms",
    "spark.penstock.tuple.rows": "16",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "1000",
}


@pytest.fixture
def spark(sessions: Sessions) -> Any:
    return sessions.of(RETRYING)


def moving(folder: Path) -> list[Path]:
    """Folders of state that moves at this moment, or did when its worker was killed."""
    return list((folder / "local").glob("*/penstock/temporary-*-migration-*"))


def killed_while_moving(folder: Path) -> bool:
    """Kill a worker that moves state, if there is one; whether it was still at it."""
    for path in moving(folder):
        found = OF_PROCESS.fullmatch(path.name)
        assert found is not None
        with contextlib.suppress(AssertionError):  # it has ended
            descendant(int(found[1])).kill()
            # A change that was through would have taken its folder along.
            return path.exists()
    return False


def killed_in(job: Job, folder: Path) -> bool:
    """Wait until a worker of a job is killed while it moves state; False if the job ended before."""
    seen = eventually(
        lambda: "killed" if killed_while_moving(folder) else "ended" if job.ended else "",
        "a worker moves state, or the job ends",
        within=120,
    )
    return seen == "killed"


def test_state_on_its_way_is_neither_lost_nor_left_behind(spark: Any, scene: Scene) -> None:
    # How often channels are changed is the controller's affair, and a change takes a moment only:
    # a job may be through before one is seen. Its rows count all the same.
    made = region(gate(scene.gates, []))
    for _ in range(JOBS):
        with settings(spark, MOVING):
            job = Job(spark, spark.range(0, ROWS, 1, 1).transform(made))
            killed = killed_in(job, scene.folder)
            found = [(row.id, row.value) for row in job.rows()]
        scene.judge(Verdict.of(found, region_rows(range(ROWS))))
        if killed:
            break
    else:
        pytest.fail(f"none of {JOBS} jobs was seen to move state")
    scene.count("worker kills")
    scene.count("kills during migration")
    scene.nothing_is_left()
