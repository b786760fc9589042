"""Executors of a cluster are killed with -9 while flows run (T6)."""

from __future__ import annotations

from typing import Any

import psutil
import pytest

from integration.chaos.disturbed import disturbed
from integration.chaos.flows import CASES
from integration.chaos.gate import next_stopped
from integration.chaos.scene import Scene
from integration.processes import descendant, eventually, is_alive
from integration.sessions import Mode, Sessions

CLUSTER = Mode("local-cluster[2,1,1024]", plugin=True)


@pytest.fixture
def spark(sessions: Sessions) -> Any:
    return sessions.of(CLUSTER)


def executor_of(worker: psutil.Process) -> psutil.Process:
    """The JVM above a Python worker and its daemon."""
    daemon = worker.parent()
    assert daemon is not None
    executor = daemon.parent()
    assert executor is not None
    assert any("ExecutorBackend" in word for word in executor.cmdline())
    return descendant(executor.pid)


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_a_flow_whose_executor_is_killed_gives_what_one_thread_gives(
    spark: Any, turn: int, scene: Scene
) -> None:
    case = CASES[turn]
    with disturbed(spark, case, scene, stopping=1) as running:
        worker = descendant(next_stopped(scene.gates, set()).pid)
        daemon = worker.parent()
        assert daemon is not None
        executor_of(worker).kill()
        scene.count("executor kills")
        eventually(
            lambda: not is_alive(worker) and not is_alive(daemon),
            "its worker and daemon are gone",
            within=10,
        )
        scene.judge(running.verdict())
    scene.nothing_is_left(executor_killed=True)
