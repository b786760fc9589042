from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyspark
import pytest

from integration.checks import CHECKS, Check, sentence
from integration.environments import ROOT
from integration.processes import end, eventually
from integration.sessions import PLUGIN, base_settings
from integration.standalone import HOME, HOST, free_port
from penstock.jar import jar_path

SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"


@contextlib.contextmanager
def embedded(_: Path) -> Iterator[str]:
    """The server that PySpark starts by itself, which knows nothing of the plugin."""
    yield "local[2]"


@contextlib.contextmanager
def server_with_plugin(folder: Path) -> Iterator[str]:
    with connect_server(folder) as url:
        yield url


@contextlib.contextmanager
def connect_server(
    folder: Path, environment: dict[str, str] | None = None, properties: Path | None = None
) -> Iterator[str]:
    """A server with the plugin, as the file of properties says or else as the tests start Spark."""
    port = free_port()
    plugin = {"spark.plugins": PLUGIN, "spark.jars": str(jar_path()), "spark.master": "local[2]"}
    settings = {
        # It is killed in the end, and what it leaves must not be taken for that of others.
        **base_settings(folder / "connect"),
        **(plugin if properties is None else {}),
        "spark.connect.grpc.binding.address": HOST,
        "spark.connect.grpc.binding.port": str(port),
    }
    command = [str(HOME / "bin/spark-submit"), "--class", SERVER]
    if not any((HOME / "jars").glob("spark-connect_*.jar")):
        # PySpark 3.5 comes without the server, and users get it this way.
        command += ["--packages", f"org.apache.spark:spark-connect_2.12:{pyspark.__version__}"]
        settings["spark.jars.ivy"] = str(ROOT / "build/ivy")
    if properties is not None:
        command += ["--properties-file", str(properties)]
    for key, value in settings.items():
        command += ["--conf", f"{key}={value}"]
    with (folder / "connect.log").open("wb") as log:
        server = subprocess.Popen(
            [*command, "spark-internal"], stdout=log, stderr=log, env=environment
        )
    try:
        eventually(lambda: server.poll() is None and _listens(port), "a Connect server")
        yield f"sc://{HOST}:{port}"
    finally:
        end(server.pid)
        server.wait(timeout=30)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


@pytest.fixture(scope="module", params=[embedded, server_with_plugin], ids=lambda f: f.__name__)
def outcomes(request: pytest.FixtureRequest, folder: Path) -> dict[str, str]:
    with request.param(folder) as remote:
        ran = subprocess.run(
            [sys.executable, "-m", "integration.connect_driver", remote],
            capture_output=True,
            text=True,
            timeout=280,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    found: dict[str, str] = json.loads(ran.stdout.splitlines()[-1])
    return found


def test_the_session_is_one_of_spark_connect(outcomes: dict[str, str]) -> None:
    assert outcomes["session"] == "pyspark.sql.connect.session"


@pytest.mark.parametrize("check", CHECKS, ids=sentence)
def test_through_spark_connect(outcomes: dict[str, str], check: Check) -> None:
    assert outcomes[sentence(check)] == "ok"
