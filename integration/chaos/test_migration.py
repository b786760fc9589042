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


def test_state_on_its_way_is_neither_lost_nor_left_behind(spark: Any, scene: Scene) -> None:
    with settings(spark, MOVING):
        made = region(gate(scene.gates, []))
        job = Job(spark, spark.range(0, ROWS, 1, 1).transform(made))
        eventually(lambda: killed_while_moving(scene.folder), "a worker moves state", within=120)
        scene.count("worker kills")
        scene.count("kills during migration")
        found = [(row.id, row.value) for row in job.rows()]
    scene.judge(Verdict.of(found, region_rows(range(ROWS))))
    scene.nothing_is_left()
