"""Spark's History Server on loopback, started from the installed PySpark."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from integration.processes import end
from integration.standalone import HOME, HOST, free_port
from penstock.jar import jar_path

ROOT = Path(__file__).parents[1]


@contextmanager
def history_server(
    events: Path,
    folder: Path,
    classpath: Sequence[Path] = (jar_path(),),
    settings: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Its address, while it runs; it knows Penstock's jar the way docs/ui.md says.

    Args:
        events: The logs of applications.
        folder: For what it writes.
        classpath: What it has beside Spark's own.
        settings: Of Spark's, for this server.
    """
    port = free_port()
    options = {
        "spark.history.fs.logDirectory": events.as_uri(),
        "spark.history.ui.port": str(port),
        "spark.history.store.path": str(folder / "history"),
        "spark.history.fs.update.interval": "1s",
        **(settings or {}),
    }
    (folder / "history").mkdir(parents=True)
    with (folder / "history.log").open("wb") as log:
        process = subprocess.Popen(
            [str(HOME / "bin/spark-class"), "org.apache.spark.deploy.history.HistoryServer"],
            env={
                **os.environ,
                "SPARK_HOME": str(HOME),
                "SPARK_LOCAL_IP": HOST,
                "SPARK_DAEMON_CLASSPATH": os.pathsep.join(map(str, classpath)),
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


def user_filter(folder: Path) -> tuple[Path, dict[str, str]]:
    """Where a filter is that believes the header `User`, and the settings that ask it for users."""
    name = "io.penstock.spark.ui.UserFilter"
    source = ROOT / f"jvm-shim/src/test/java/{name.replace('.', '/')}.java"
    jars = f"{HOME}/jars/*"
    subprocess.run(["javac", "-cp", jars, "-d", str(folder), str(source)], check=True)
    return folder, {"spark.ui.filters": name}
