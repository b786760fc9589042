"""Spark starts with the ready settings in conf/, and with what the init script installs."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from integration.environments import ROOT, clean_environment, without
from integration.sessions import PLUGIN, base_settings
from integration.standalone import HOME, StandaloneCluster
from integration.test_connect import connect_server
from penstock.jar import jar_path

DEFAULTS = ROOT / "conf/spark-defaults"
INIT = ROOT / "conf/databricks-init.sh"
JOB = Path(__file__).parent / "plugin_job.py"
CONNECT_JOB = Path(__file__).parent / "shipping_job.py"


def filled_in(name: str, folder: Path, master: str = "") -> Path:
    """A copy of the file with the places that a user fills in, and two cores instead of all."""
    text = (DEFAULTS / f"{name}.conf").read_text()
    for place, value in (
        ("/opt/penstock/penstock-spark.jar", str(jar_path())),
        ("spark://MASTER:7077", master),
        ("local[*]", "local[2]"),
    ):
        text = text.replace(place, value)
    (folder / f"{name}.conf").write_text(text)
    return folder / f"{name}.conf"


def submitted(folder: Path, properties: Path) -> dict[str, Any]:
    command = [str(HOME / "bin/spark-submit"), "--properties-file", str(properties)]
    for key, value in (base_settings(folder) | {"spark.ui.enabled": "true"}).items():
        command += ["--conf", f"{key}={value}"]
    ran = subprocess.run(
        [*command, "--conf", "spark.ui.port=0", str(JOB)],
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


def assert_ran_with_the_plugin(printed: dict[str, Any]) -> None:
    assert printed["found"] == [1, 3, 5, 7, 9]
    assert [key for key in printed["gauges"] if key.endswith(f"{PLUGIN}.version")]


def test_local_conf_starts_spark_with_the_plugin(folder: Path, tmp_path: Path) -> None:
    assert_ran_with_the_plugin(submitted(folder, filled_in("local", tmp_path)))


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[StandaloneCluster]:
    made = StandaloneCluster.start(tmp_path)
    yield made
    made.stop()


def test_standalone_conf_starts_spark_with_the_plugin(
    folder: Path, tmp_path: Path, cluster: StandaloneCluster
) -> None:
    properties = filled_in("standalone", tmp_path, cluster.url)
    assert_ran_with_the_plugin(submitted(folder, properties))


def test_connect_server_conf_starts_a_server_with_the_plugin(folder: Path, tmp_path: Path) -> None:
    log = folder / "connect.log"
    with connect_server(folder, properties=filled_in("connect-server", tmp_path)) as url:
        ran = subprocess.run(
            [os.environ["PYSPARK_PYTHON"], CONNECT_JOB, url],
            capture_output=True,
            text=True,
            timeout=250,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        assert f"Initialized driver component for plugin {PLUGIN}" in log.read_text()
    assert json.loads(ran.stdout.splitlines()[-1])["ids"] == list(range(1, 1_000, 2))


def run_init(**variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", INIT],
        env=clean_environment(**variables),
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )


@pytest.mark.timeout(1200)
def test_the_init_script_installs_wheel_and_jar_and_may_run_again(
    wheel: Path, tmp_path: Path
) -> None:
    python = without("penstock", at=tmp_path / "python")
    (tmp_path / "jars").mkdir()
    layout = {"PENSTOCK_PYTHON": str(python), "PENSTOCK_JARS": str(tmp_path / "jars")}
    for _ in range(2):
        ran = run_init(PENSTOCK_WHEEL=str(wheel), **layout)
        assert ran.returncode == 0, ran.stderr
        assert [path.name for path in (tmp_path / "jars").iterdir()] == ["penstock-spark.jar"]
    asked = subprocess.run(
        [python, "-m", "penstock", "jar"],
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    jar = Path(asked.stdout.strip())
    assert tmp_path in jar.parents
    assert (tmp_path / "jars/penstock-spark.jar").read_bytes() == jar.read_bytes()


def test_the_init_script_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "empty.whl").touch()
    wheel = {"PENSTOCK_WHEEL": str(tmp_path / "empty.whl")}
    python = {"PENSTOCK_PYTHON": os.environ["PYSPARK_PYTHON"]}
    for given, said in (
        ({}, "set PENSTOCK_WHEEL to the path of the wheel"),
        ({"PENSTOCK_WHEEL": "/none.whl"}, "PENSTOCK_WHEEL=/none.whl is not a file"),
        (wheel | {"PENSTOCK_PYTHON": "/none"}, "there is no Python at /none"),
        (wheel | python | {"PENSTOCK_JARS": "/none"}, "there is no folder /none"),
    ):
        ran = run_init(**given)
        assert ran.returncode == 1
        assert said in ran.stderr


@pytest.mark.timeout(1200)
def test_the_init_script_stops_where_the_runtime_does_not_suit(wheel: Path, tmp_path: Path) -> None:
    python = without("penstock", "pyarrow", at=tmp_path / "python")
    (tmp_path / "jars").mkdir()
    ran = run_init(
        PENSTOCK_WHEEL=str(wheel),
        PENSTOCK_PYTHON=str(python),
        PENSTOCK_JARS=str(tmp_path / "jars"),
    )
    assert ran.returncode == 1
    assert "penstock needs pyarrow 15 or newer, and this Python has none" in ran.stderr
    assert list((tmp_path / "jars").iterdir()) == []
