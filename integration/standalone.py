"""A standalone Spark cluster on loopback, started from the installed PySpark."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyspark

from integration.processes import end, eventually

HOME = Path(pyspark.__file__).parent
HOST = "127.0.0.1"
WORKERS = ("worker-1", "worker-2")
PR_SET_PDEATHSIG = 1


@dataclass
class StandaloneCluster:
    """One master, two workers of one core each, so that an application has an executor on both."""

    url: str
    _processes: list[subprocess.Popen[bytes]]

    @classmethod
    def start(cls, folder: Path, hosts: tuple[str, str] = (HOST, HOST)) -> StandaloneCluster:
        port, ui_port = free_port(), free_port()
        cluster = cls(f"spark://{HOST}:{port}", [])
        address = ["--host", HOST, "--port", str(port), "--webui-port", str(ui_port)]
        try:
            cluster._launch("master.Master", address, folder / "master.log", HOST)
            eventually(lambda: _state(ui_port), f"a Spark master at {cluster.url}")
            size = ["--cores", "1", "--memory", "1g", "--webui-port", "0"]
            for name, host in zip(WORKERS, hosts, strict=True):
                work = ["--host", host, "--work-dir", str(folder / name), cluster.url]
                cluster._launch("worker.Worker", [*size, *work], folder / f"{name}.log", host)
            eventually(
                lambda: _state(ui_port).get("aliveworkers") == len(WORKERS),
                f"{len(WORKERS)} workers of {cluster.url}",
            )
        except BaseException:
            cluster.stop()
            raise
        return cluster

    def stop(self) -> None:
        for process in reversed(self._processes):
            if process.poll() is None:
                end(process.pid)
            process.wait(timeout=30)
        self._processes.clear()

    def _launch(self, role: str, arguments: list[str], log_file: Path, host: str) -> None:
        command = [str(HOME / "bin/spark-class"), f"org.apache.spark.deploy.{role}", *arguments]
        with log_file.open("wb") as log:
            process = subprocess.Popen(
                command,
                env={**os.environ, "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": host},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                # Ends with this process even when that is killed and cannot tidy up.
                preexec_fn=_die_with_parent,  # noqa: PLW1509
            )
        self._processes.append(process)


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _state(ui_port: int) -> dict[str, Any]:
    try:
        with urllib.request.urlopen(f"http://{HOST}:{ui_port}/json/", timeout=10) as answer:
            found: dict[str, Any] = json.load(answer)
            return found
    except (OSError, urllib.error.URLError, json.JSONDecodeError):
        return {}  # not there yet, or only its front page, which answers for everything
