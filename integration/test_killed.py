from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import psutil
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from integration import flows
from integration.processes import descendant, descendants, end, eventually, is_alive


def busy_workers(folder: Path) -> list[psutil.Process]:
    """Wait for two workers that are stuck in a function; see `flows.Blocks`."""
    eventually(lambda: len(flows.blocked_pids(folder)) == 2, "both tasks are busy")
    return [descendant(pid) for pid in flows.blocked_pids(folder)]


def works(spark: Any) -> bool:
    try:
        found = spark.range(0, 10, 1, 2).transform(flows.identity("id long")).collect()
    except (PySparkException, Py4JJavaError):
        # Spark fails a task for every idle worker that the dead daemon had.
        return False
    return [row.id for row in found] == list(range(10))


def test_busy_workers_die_with_sparks_daemon_and_the_session_goes_on(
    spark: Any, tmp_path: Path
) -> None:
    errors: list[str] = []

    def run() -> None:
        try:
            spark.range(0, 10, 1, 2).transform(flows.blocking(tmp_path)).collect()
        except (PySparkException, Py4JJavaError) as error:
            errors.append(str(error))

    job = threading.Thread(target=run)
    job.start()
    workers = busy_workers(tmp_path)
    daemon = workers[0].parent()
    assert daemon is not None
    assert [worker.ppid() for worker in workers] == [daemon.pid, daemon.pid]
    descendant(daemon.pid).kill()
    try:
        eventually(lambda: not any(map(is_alive, workers)), "the daemon's workers are gone")
    finally:
        for worker in filter(is_alive, workers):
            end(worker.pid)
    job.join(timeout=60)
    assert not job.is_alive()
    assert len(errors) == 1
    eventually(lambda: works(spark), "the session runs flows again")


def test_busy_workers_and_the_daemon_die_with_the_jvm(folder: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "integration.busy_driver", str(folder), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver:
        try:
            workers = busy_workers(tmp_path)
            daemon = workers[0].parent()
            assert daemon is not None
            jvm = daemon.parent()
            assert jvm is not None
            assert jvm.name() == "java"
            assert jvm in descendants(driver.pid)
            jvm.kill()
            eventually(
                lambda: not any(map(is_alive, [*workers, daemon])), "workers and daemon are gone"
            )
            assert driver.wait(timeout=60) != 0
        finally:
            end(driver.pid)
