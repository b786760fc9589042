"""Jobs that are cancelled: nothing of them runs on (G5)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa
import pytest

from integration.chaos.conftest import RETRYING
from integration.chaos.disturbed import chosen_settings, disturbed
from integration.chaos.flows import CASES, Case
from integration.chaos.gate import LateGate, Stopped, gate, late_gate, next_stopped, stopped
from integration.chaos.scene import Scene
from integration.chaos.tally import MOST_CANCEL_SECONDS
from integration.chaos.verdict import Verdict, collected
from integration.jobs import Job
from integration.processes import (
    descendant,
    eventually,
    idle_or_gone,
    is_alive,
    process_if_there,
)
from integration.sessions import Sessions
from integration.settings import settings

# Spark sees rows before that one: a worker sends them 64 KiB at a time, of 16 bytes each, and a flow
# runs ahead by some batches, of at most 1,000 rows here. And the rows up to it are no more than the
# connection takes while nobody reads.
STUCK_AT = 40_000
SLEEP = "reflect('java.lang.Thread', 'sleep', bigint(600000)) AS value"


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
        for worker in busy:
            gone(worker, since=begun)
    scene.tally.cancel_seconds.append(time.monotonic() - begun)
    scene.count("cancels")
    scene.nothing_is_left()


@pytest.mark.parametrize("case", CASES[:3], ids=lambda case: case.name)
def test_a_worker_that_spark_does_not_kill_is_gone_in_time(
    spark: Any, case: Case, scene: Scene
) -> None:
    made = case.flow(gate(scene.gates, [STUCK_AT]))
    with settings(spark, chosen_settings(scene.chance, case.name)):
        # The task's own thread sleeps behind the flow, so a cancel finds it there and it gives the
        # task up at once; then Spark does not look after the worker any more.
        df = spark.range(0, 10**6, 1, 1).transform(made).selectExpr("id", SLEEP)
        job = Job(spark, df, interrupt=True)
        busy = descendant(next_stopped(scene.gates, set()).pid)
        begun = time.monotonic()
        job.cancel()
        gone(busy, since=begun)
    scene.tally.cancel_seconds.append(time.monotonic() - begun)
    scene.count("cancels")
    scene.nothing_is_left()


@pytest.mark.parametrize("case", CASES[3:], ids=lambda case: case.name)
def test_a_flow_at_full_speed_is_ended_in_time(spark: Any, case: Case, scene: Scene) -> None:
    # The second partition has no gate and runs until it is told to stop.
    made = case.flow(gate(scene.gates, [40_000], passing=[5 * 10**8 + 40_000]))
    df = spark.range(0, 10**9, 1, 2).transform(made)
    with settings(spark, chosen_settings(scene.chance, case.name)):
        job = Job(spark, df.where("id < 0"))
        known: set[Stopped] = set()
        came = [next_stopped(scene.gates, known) for _ in range(2)]
        at_gate, at_speed = (descendant(one.pid) for one in sorted(came))
        begun = time.monotonic()
        job.cancel()
        idle_or_gone(at_speed, within=MOST_CANCEL_SECONDS)
        gone(at_gate, since=begun)
    scene.tally.cancel_seconds.append(time.monotonic() - begun)
    scene.count("cancels")
    scene.nothing_is_left()


@pytest.mark.parametrize("case", CASES[:3], ids=lambda case: case.name)
def test_a_limit_gives_the_first_rows_and_leaves_nothing(
    spark: Any, case: Case, scene: Scene
) -> None:
    rows = scene.chance.randrange(1, 3_000)
    with settings(spark, chosen_settings(scene.chance, case.name)):
        made = case.flow(gate(scene.gates, [], passing=[0]))
        found = collected(spark.range(0, 10**7, 1, 2).transform(made).limit(rows))
    (ran,) = [one for one in stopped(scene.gates) if one.row == 0]
    worker = process_if_there(ran.pid)
    if worker is not None:
        idle_or_gone(worker, within=MOST_CANCEL_SECONDS)
    scene.judge(Verdict.of(found, case.by_one_thread(range(2 * rows + 2))[:rows]))
    scene.count("limits")
    scene.nothing_is_left()


@pytest.mark.parametrize("case", CASES[:3], ids=lambda case: case.name)
def test_after_a_limit_a_worker_whose_operator_never_returns_is_gone_in_time(
    spark: Any, case: Case, scene: Scene
) -> None:
    late = late_gate(scene.gates)
    with settings(spark, chosen_settings(scene.chance, case.name)):
        first = spark.range(0, 10**6, 1, 1).transform(case.flow(late)).limit(5)
        # The task goes on behind the limit until the operator is stuck.
        found = collected(first.mapInArrow(UntilStuck(late, scene.gates), first.schema))
    ended = time.monotonic()
    worker = process_if_there(next_stopped(scene.gates, set()).pid)
    if worker is not None:
        gone(worker, since=ended)
    scene.judge(Verdict.of(found, case.by_one_thread(range(12))[:5]))
    scene.count("limits")
    scene.nothing_is_left()


def gone(worker: psutil.Process, *, since: float) -> None:
    """Wait for its end: one that waits inside an operator would look as if it were idle."""
    left = MOST_CANCEL_SECONDS - (time.monotonic() - since)
    eventually(lambda: not is_alive(worker), f"worker {worker.pid} is gone", within=left)


class UntilStuck:
    """Gives what it gets once the operator before the limit is stuck."""

    def __init__(self, late: LateGate, gates: Path) -> None:
        self._late = late
        self._gates = gates

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        given = list(batches)
        self._late.tell()
        eventually(lambda: stopped(self._gates), "the operator is stuck")
        yield from given
