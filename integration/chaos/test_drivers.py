"""Drivers are killed with -9 while flows run: their Python process, and their JVM (T6)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from integration.chaos.driver import PARTITIONS
from integration.chaos.flows import CASES
from integration.chaos.gate import next_stopped
from integration.chaos.leftovers import WITHIN
from integration.chaos.scene import Scene
from integration.chaos.verdict import Verdict, wanted_of
from integration.processes import descendant, descendants, end, eventually, is_alive

ROWS = 5_000


def started(folder: Path, names: str, stop: str, here: Path) -> subprocess.Popen[bytes]:
    words = [str(folder), names, str(ROWS), stop, str(here / "gates"), str(here / "result")]
    return subprocess.Popen(
        [sys.executable, "-m", "integration.chaos.driver", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("_turn", [1, 2])
@pytest.mark.parametrize("victim", ["python", "java"])
def test_nothing_of_a_killed_driver_runs_on(
    victim: str, _turn: int, scene: Scene, folder: Path, tmp_path: Path
) -> None:
    stop = str(scene.chance.randrange(ROWS))
    below: list[psutil.Process] = []
    with started(folder, scene.chance.choice(CASES).name, stop, tmp_path) as driver:
        try:
            worker = descendant(next_stopped(scene.gates, set()).pid)
            below = descendants(driver.pid)
            assert worker in below
            jvm = next(process for process in below if process.name() == "java")
            descendant(driver.pid if victim == "python" else jvm.pid).kill()
            scene.count("driver kills")
            assert driver.wait(timeout=60) != 0
            eventually(lambda: not any(map(is_alive, below)), "all of it is gone", within=WITHIN)
        finally:
            end(driver.pid)
            for process in filter(is_alive, below):
                end(process.pid)
    assert not (tmp_path / "result").exists()
    # In local mode the JVM of the driver is that of the executor.
    scene.nothing_is_left(executor_killed=True)


def test_the_driver_that_comes_next_gives_what_one_thread_gives(
    scene: Scene, folder: Path, tmp_path: Path
) -> None:
    names = ",".join(case.name for case in CASES)
    with started(folder, names, "", tmp_path) as driver:
        try:
            assert driver.wait(timeout=240) == 0
        finally:
            end(driver.pid)
    found = json.loads((tmp_path / "result").read_text())
    assert len(found) == len(CASES)
    for case in CASES:
        rows = [(number, value) for number, value in found[case.name]]
        scene.judge(Verdict.of(rows, wanted_of(case, ROWS, PARTITIONS)))
    scene.nothing_is_left()
