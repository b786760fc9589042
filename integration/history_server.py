"""Spark's History Server on loopback, started from the installed PySpark."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from integration.processes import end
from integration.standalone import HOME, HOST, free_port
from penstock.jar import jar_path


@contextmanager
def history_server(events: Path, folder: Path) -> Iterator[str]:
    """Its address, while it runs; it knows Penstock's jar the way docs/ui.md says."""
    port = free_port()
    options = {
        "spark.history.fs.logDirectory": events.as_uri(),
        "spark.history.ui.port": str(port),
        "spark.history.store.path": str(folder / "history"),
        "spark.history.fs.update.interval": "1s",
    }
    (folder / "history").mkdir()
    with (folder / "history.log").open("wb") as log:
        process = subprocess.Popen(
            [str(HOME / "bin/spark-class"), "org.apache.spark.deploy.history.HistoryServer"],
            env={
                **os.environ,
                "SPARK_HOME": str(HOME),
                "SPARK_LOCAL_IP": HOST,
                "SPARK_DAEMON_CLASSPATH": str(jar_path()),
                "SPARK_HISTORY_OPTS": " ".join(
                    f"-D{key}={value}" for key, value in options.items()
                ),
            },
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        yield f"http://{HOST}:{port}"
    finally:
        if process.poll() is None:
            end(process.pid)
        process.wait(timeout=30)
