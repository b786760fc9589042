"""Jobs that are cancelled: nothing of them runs on (G5)."""

from __future__ import annotations

import time
from typing import Any

import pytest

from integration.chaos.conftest import RETRYING
from integration.chaos.disturbed import chosen_settings, disturbed
from integration.chaos.flows import CASES, Case
from integration.chaos.gate import Stopped, gate, next_stopped, open_gate
from integration.chaos.scene import Scene
from integration.chaos.tally import MOST_CANCEL_SECONDS
from integration.chaos.verdict import Verdict, collected
from integration.jobs import Job
from integration.processes import descendant, eventually, is_alive
from integration.sessions import Sessions
from integration.settings import settings


@pytest.fixture
def spark(sessions: Sessions) -> Any:
    return sessions.of(RETRYING)


@pytest.mark.parametrize("case", CASES[:3], ids=lambda case: case.name)
def test_an_operator_that_never_returns_is_ended_in_time(
    spark: Any, case: Case, scene: Scene
) -> None:
    known: set[Stopped] = set()
    with disturbed(spark, case, scene) as running:
        busy = [descendant(next_stopped(scene.gates, known).pid) for _ in range(2)]
        begun = time.monotonic()
        running.job.cancel()
        eventually(
            lambda: not any(map(is_alive, busy)), "they are gone", within=MOST_CANCEL_SECONDS
        )
    scene.tally.cancel_seconds.append(time.monotonic() - begun)
    scene.count("cancels")
    scene.nothing_is_left()


@pytest.mark.parametrize("case", CASES[3:], ids=lambda case: case.name)
def test_a_flow_at_full_speed_is_ended_in_time(spark: Any, case: Case, scene: Scene) -> None:
    made = case.flow(gate(scene.gates, [40_000]))
    # The second partition has no gate and runs until it is told to stop.
    df = spark.range(0, 10**9, 1, 2).transform(made)
    with settings(spark, chosen_settings(scene.chance, case.name)):
        job = Job(spark, df.where("id < 0"))
        next_stopped(scene.gates, set())
        begun = time.monotonic()
        job.cancel()
        # Where Spark gives the task up at once it does not kill a worker that waits for ever; that
        # is for the test above.
        open_gate(scene.gates)
        scene.nothing_is_left()
    scene.tally.cancel_seconds.append(time.monotonic() - begun)
    scene.count("cancels")


@pytest.mark.parametrize("case", CASES[:3], ids=lambda case: case.name)
def test_a_limit_gives_the_first_rows_and_leaves_nothing(
    spark: Any, case: Case, scene: Scene
) -> None:
    rows = scene.chance.randrange(1, 3_000)
    with settings(spark, chosen_settings(scene.chance, case.name)):
        df = spark.range(0, 10**7, 1, 2).transform(case.flow(gate(scene.gates, [])))
        found = collected(df.limit(rows))
    scene.judge(Verdict.of(found, case.by_one_thread(range(2 * rows + 2))[:rows]))
    scene.count("limits")
    scene.nothing_is_left()
