"""Classic Spark sessions, one at a time, each in a JVM of its own that is ended for sure."""

from __future__ import annotations

import contextlib
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

from integration.standalone import StandaloneCluster
from penstock.jar import jar_path

PLUGIN = "io.penstock.spark.PenstockPlugin"


@dataclass(frozen=True)
class Mode:
    """A way to run Spark: a master, with Penstock's plugin or with the wheel alone."""

    master: str
    plugin: bool

    def __str__(self) -> str:
        return f"{self.master.partition('[')[0]}-{'plugin' if self.plugin else 'wheel alone'}"


LOCAL = Mode("local[2]", plugin=True)
MODES = [
    Mode("local[2]", plugin=False),
    LOCAL,
    Mode("local-cluster[2,1,1024]", plugin=True),
    Mode("standalone", plugin=True),
]


@dataclass
class Sessions:
    """Hands out the session of a mode; asking for another mode ends the one before.

    A JVM of its own for each mode, because jars named in the settings reach the driver's
    class path only when its JVM starts.
    """

    folder: Path
    _mode: Mode | None = None
    _session: Any = None
    _cluster: StandaloneCluster | None = field(default=None)

    def of(self, mode: Mode) -> Any:
        if self._mode != mode:
            self.close()
            self._session = self.start(mode)
            self._mode = mode
        return self._session

    def start(self, mode: Mode, settings: dict[str, str] | None = None) -> Any:
        conf = SparkConf()
        master = self._standalone().url if mode.master == "standalone" else mode.master
        conf.setMaster(master).setAppName("penstock integration")
        for key, value in base_settings(self.folder).items():
            conf.set(key, value)
        if mode.plugin:
            conf.set("spark.plugins", PLUGIN).set("spark.jars", str(jar_path()))
        for key, value in (settings or {}).items():
            conf.set(key, value)
        return SparkSession.builder.config(conf=conf).getOrCreate()

    def close(self) -> None:
        """End the session and its JVM, also one that another test left behind."""
        self._mode = self._session = None
        if SparkContext._active_spark_context is not None:
            SparkSession.builder.getOrCreate().stop()
        end_jvm()

    def close_all(self) -> None:
        try:
            self.close()
        finally:
            if self._cluster is not None:
                self._cluster.stop()

    def _standalone(self) -> StandaloneCluster:
        if self._cluster is None:
            folder = self.folder / "standalone"
            folder.mkdir()
            self._cluster = StandaloneCluster.start(folder)
        return self._cluster


def base_settings(folder: Path) -> dict[str, str]:
    """What every session here is started with: loopback only, and no file outside `folder`."""
    return {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "1g",
        "spark.local.dir": str(folder / "local"),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }


def end_jvm() -> None:
    """End the JVM behind classic PySpark in this process, so that the next one starts fresh."""
    gateway, SparkContext._gateway, SparkContext._jvm = SparkContext._gateway, None, None
    if gateway is None:
        return
    with contextlib.suppress(Exception):  # it may be dead already
        gateway.shutdown()
    gateway.proc.stdin.close()
    try:
        gateway.proc.wait(timeout=30)
    except subprocess.TimeoutExpired:
        gateway.proc.kill()
        gateway.proc.wait(timeout=30)
