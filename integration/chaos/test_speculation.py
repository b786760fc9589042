"""Spark starts a second attempt of a slow task, takes its result, and ends the first (T6)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from integration.chaos.disturbed import disturbed
from integration.chaos.flows import CASES
from integration.chaos.gate import next_stopped
from integration.chaos.scene import Scene
from integration.processes import descendant, eventually, is_alive
from integration.sessions import Mode, Sessions
from integration.standalone import StandaloneCluster

# A second attempt runs on another host only, and any loopback address passes for one.
HOSTS = ("127.0.0.2", "127.0.0.3")
SPECULATING = {
    "spark.speculation": "true",
    "spark.speculation.interval": "100ms",
    "spark.speculation.quantile": "0.5",
    "spark.speculation.multiplier": "1.1",
    "spark.speculation.minTaskRuntime": "100ms",
    "spark.locality.wait": "0",
}


@pytest.fixture(scope="module")
def spark(sessions: Sessions, folder: Path) -> Iterator[Any]:
    (folder / "speculation").mkdir()
    cluster = StandaloneCluster.start(folder / "speculation", hosts=HOSTS)
    try:
        sessions.close()
        yield sessions.start(Mode(cluster.url, plugin=True), SPECULATING)
        sessions.close()
    finally:
        cluster.stop()


@pytest.mark.parametrize("case", CASES[1:3], ids=lambda case: case.name)
def test_of_two_attempts_one_counts_and_the_other_is_ended(
    spark: Any, case: Any, scene: Scene
) -> None:
    with disturbed(spark, case, scene, partitions=4, stopping=1) as running:
        slow = descendant(next_stopped(scene.gates, set()).pid)
        # The job ends although that attempt never does: so another one was started.
        scene.judge(running.verdict())
        scene.count("speculations")
    eventually(lambda: not is_alive(slow), "the slow attempt is ended", within=10)
    scene.nothing_is_left()
