"""How much longer an application takes to start with the plugin.

Each start is that of a fresh process with a JVM of its own, with and without the plugin in turn.
Spark's UI is on in both, because the plugin adds its tab there.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence

from penstock.bench.report import Grid, Measure, Point, Target
from penstock.bench.section import Section, Stage
from penstock.jar import jar_path

WITHOUT, WITH = "without the plugin", "with the plugin"
GOAL = 0.3

START = """
import json, sys, time
from pyspark.sql import SparkSession
begin = time.perf_counter()
builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "true")
builder = builder.config("spark.ui.port", "0")
builder = builder.config("spark.ui.showConsoleProgress", "false").config("spark.log.level", "ERROR")
builder = builder.config("spark.jars", sys.argv[1])
if sys.argv[2]:
    builder = builder.config("spark.plugins", sys.argv[2])
spark = builder.getOrCreate()
seconds = time.perf_counter() - begin
spark.stop()
print(json.dumps(seconds))
"""
PLUGIN = "io.penstock.spark.PenstockPlugin"


def plugin_start(stage: Stage) -> Section:
    """Measure both in turn; the jar is there in both, only the plugin is not."""
    rounds = 2 if stage.size.quick else 15
    found: dict[str, list[float]] = {WITHOUT: [], WITH: []}
    for number in range(rounds + 1):
        for label, plugin in ((WITHOUT, ""), (WITH, PLUGIN)):
            stage.tell(f"plugin start: {label}")
            seconds = _start(plugin)
            if number:  # the first finds cold files
                found[label].append(seconds)
    return section_of(found)


def section_of(found: Mapping[str, Sequence[float]]) -> Section:
    """What was measured, as points, a goal and a table."""
    medians = {label: statistics.median(each) for label, each in found.items()}
    points = tuple(
        Point(f"plugin start/{label}", {"median_s": medians[label], "runs": len(each)})
        for label, each in found.items()
    )
    rows: dict[str, tuple[Measure, ...]] = {
        label: (f"{seconds:.3g}",) for label, seconds in medians.items()
    }
    # Starts in turn: neighbours saw the same machine.
    more = statistics.median(b - a for a, b in zip(found[WITHOUT], found[WITH], strict=True))
    return Section(
        points,
        (Target("plugin start: seconds more with the plugin", more, GOAL),),
        (Grid("start of an application", ("s",), rows),),
    )


def _start(plugin: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", START, str(jar_path()), plugin],
        env={**os.environ, "PYSPARK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(json.loads(done.stdout.splitlines()[-1]))
