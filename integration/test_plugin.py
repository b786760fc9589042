from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import IllegalArgumentException

from integration.processes import end, eventually
from integration.sessions import LOCAL, PLUGIN, Sessions, base_settings
from integration.standalone import HOME
from penstock.jar import jar_path

JOB = Path(__file__).parent / "plugin_job.py"


def submit(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the job with what `penstock conf --submit` prints, as the README says."""
    conf = subprocess.run(
        [sys.executable, "-m", "penstock", "conf", "--submit"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    command = [str(HOME / "bin/spark-submit"), "--master", "local[2]", *shlex.split(conf.stdout)]
    settings = base_settings(folder) | {"spark.ui.enabled": "true", "spark.ui.port": "0"}
    for key, value in settings.items():
        command += ["--conf", f"{key}={value}"]
    return subprocess.run(
        [*command, *options, str(JOB)], capture_output=True, text=True, timeout=200, check=False
    )


@pytest.fixture(scope="module")
def printed(folder: Path) -> dict[str, Any]:
    ran = submit(folder, "--conf", "spark.penstock.tuple.rows=3")
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


def gauge(printed: dict[str, Any], name: str) -> Any:
    values = [
        value for key, value in printed["gauges"].items() if key.endswith(f".{PLUGIN}.{name}")
    ]
    assert len(values) == 1, f"{name} is not among {sorted(printed['gauges'])}"
    return values[0]


def test_a_submitted_job_runs_its_flow(printed: dict[str, Any]) -> None:
    assert printed["found"] == [1, 3, 5, 7, 9]


def test_gauges_tell_version_settings_and_running_tasks(printed: dict[str, Any]) -> None:
    assert gauge(printed, "version") == version("penstock")
    assert "spark.penstock.tuple.rows=3" in gauge(printed, "settings")
    assert "spark.penstock.check.batches=schema" in gauge(printed, "settings")
    assert gauge(printed, "tasksRunning") == 0


def test_a_job_with_bad_settings_does_not_start_and_says_why(folder: Path) -> None:
    bad = {
        "spark.penstock.tuple.row": "1",
        "spark.penstock.tuple.rows": "-1",
        "spark.penstock.check.batches": "some",
    }
    ran = submit(folder, *(word for pair in bad.items() for word in ("--conf", "=".join(pair))))
    assert ran.returncode != 0
    assert '"found"' not in ran.stdout
    for key, value in bad.items():
        assert f"{key} = '{value}'" in ran.stderr
    assert "1048576" in ran.stderr
    assert "schema" in ran.stderr


def test_executors_without_the_jar_are_told_of_instead_of_waited_for(
    folder: Path, tmp_path: Path
) -> None:
    settings = base_settings(folder) | {
        "spark.plugins": PLUGIN,
        "spark.driver.extraClassPath": str(jar_path()),
    }
    command = [str(HOME / "bin/spark-submit"), "--master", "local-cluster[1,1,1024]"]
    for key, value in settings.items():
        command += ["--conf", f"{key}={value}"]
    log = tmp_path / "log"
    with log.open("wb") as file:
        driver = subprocess.Popen([*command, str(JOB)], stdout=file, stderr=file)
    try:
        said = f"could not load {PLUGIN} and died"
        eventually(lambda: said in log.read_text(), said, within=200)
        assert "Set spark.jars to what `penstock jar` prints" in log.read_text()
    finally:
        end(driver.pid)
        driver.wait(timeout=30)


@pytest.fixture(scope="module")
def without_session(sessions: Sessions) -> Iterator[Sessions]:
    """A JVM that has the jar but runs no session."""
    sessions.of(LOCAL).stop()
    yield sessions
    sessions.close()


@pytest.mark.parametrize(
    ("key", "value", "allowed"),
    [
        ("spark.penstock.tuple.row", "1", "spark.penstock.tuple.rows"),
        ("spark.penstock.tuple.rows", "1048577", "1048576"),
        ("spark.penstock.tuple.rows", "many", "1048576"),
        ("spark.penstock.check.batches", "some", "full"),
        ("spark.penstock.error.locateRow", "maybe", "true"),
    ],
)
def test_a_session_does_not_start_with(
    without_session: Sessions, key: str, value: str, allowed: str
) -> None:
    with pytest.raises(IllegalArgumentException) as raised:
        without_session.start(LOCAL, {key: value})
    message = str(raised.value)
    assert f"{key} = '{value}'" in message
    assert allowed in message
