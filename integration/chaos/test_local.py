"""Python workers and Spark's daemon are killed with -9 while flows run (T6)."""

from __future__ import annotations

from typing import Any

import pytest

from integration.chaos.conftest import RETRYING
from integration.chaos.disturbed import disturbed
from integration.chaos.flows import CASES
from integration.chaos.gate import Stopped, next_stopped
from integration.chaos.scene import Scene
from integration.jobs import workers_that_ran
from integration.processes import descendant, eventually, is_alive
from integration.sessions import Sessions


@pytest.fixture
def spark(sessions: Sessions) -> Any:
    return sessions.of(RETRYING)


@pytest.mark.parametrize("_turn", [1, 2])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_flow_whose_workers_are_killed_gives_what_one_thread_gives(
    spark: Any, case: Any, _turn: int, scene: Scene
) -> None:
    known: set[Stopped] = set()
    with disturbed(spark, case, scene) as running:
        for _ in range(2):
            descendant(next_stopped(scene.gates, known).pid).kill()
            scene.count("worker kills")
        scene.judge(running.verdict())
    scene.nothing_is_left()


@pytest.mark.parametrize("_turn", [1, 2, 3])
def test_a_flow_whose_daemon_is_killed_gives_what_one_thread_gives(
    spark: Any, _turn: int, scene: Scene
) -> None:
    known: set[Stopped] = set()
    with disturbed(spark, scene.chance.choice(CASES), scene) as running:
        busy = [descendant(next_stopped(scene.gates, known).pid) for _ in range(2)]
        daemon = busy[0].parent()
        assert daemon is not None
        descendant(daemon.pid).kill()
        scene.count("daemon kills")
        eventually(lambda: not any(map(is_alive, busy)), "its workers are gone", within=10)
        scene.judge(running.verdict())
    scene.nothing_is_left()


def test_a_task_whose_workers_are_always_killed_fails_the_job_and_says_so(
    spark: Any, scene: Scene
) -> None:
    known: set[Stopped] = set()
    made = disturbed(spark, CASES[1], scene, stopping=1, attempts=99)
    with made as running:
        for _ in range(6):
            descendant(next_stopped(scene.gates, known).pid).kill()
            scene.count("worker kills")
        error = running.job.error()
    assert "Task 0 in stage" in error
    assert "failed 6 times" in error
    assert "Python worker exited unexpectedly (crashed)" in error
    scene.tally.failed_as_they_should += 1
    scene.nothing_is_left()


def test_workers_are_used_again_after_all_that(spark: Any) -> None:
    # Spark gives up a worker for each that died; the ones that are left go on.
    eventually(lambda: workers_that_ran(spark) == workers_that_ran(spark), "the same workers")
