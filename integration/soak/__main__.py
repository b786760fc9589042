"""`make soak`: runs the load for as long as is asked, and exits with 1 if anything grew.

Everything is measured between two jobs, when no flow runs: then nothing is held that should not be.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import Any

import psutil
from pyspark.sql import SparkSession

from integration.counting import status_files
from integration.processes import GONE, eventually, python_workers
from integration.sessions import PLUGIN, base_settings
from integration.soak.flatness import LEAST_POINTS, MOST_MIB_PER_MINUTE, Judged, Point, judged
from integration.soak.load import run_in_process, run_on_spark
from penstock.jar import jar_path

MIB = 1 << 20
Series = dict[str, list[Point]]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--json", type=Path, help="a file for the result")
    parser.add_argument("--wheel-alone", action="store_true", help="leave the plugin out")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = folder
        series, changes = soak(Path(folder), options.seconds, plugin=not options.wheel_alone)
    results = [
        judged(name, points, most_per_minute=MOST_MIB_PER_MINUTE if "MiB" in name else 0)
        for name, points in series.items()
    ]
    report = {
        "seconds": options.seconds,
        "way": "the wheel alone" if options.wheel_alone else "with the plugin",
        "rounds": len(next(iter(series.values()))),
        "channel_changes": changes,
        "enough": all(found.points >= LEAST_POINTS for found in results),
        "flat": all(found.flat for found in results),
        "series": [asdict(found) for found in results],
    }
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    tell(report, results)
    return 0 if report["flat"] and report["enough"] else 1


def soak(folder: Path, seconds: float, *, plugin: bool) -> tuple[Series, int]:
    spark = session(folder, plugin=plugin)
    series: Series = defaultdict(list)
    changes = 0
    begun = time.monotonic()
    try:
        while (at := time.monotonic() - begun) < seconds or len(series["driver threads"]) < 2:
            run_on_spark(spark)
            changes += run_in_process()
            for name, value in measured(folder).items():
                series[name].append((at, value))
        eventually(lambda: not status_files(folder), "no status file is left")
    finally:
        spark.stop()
    return series, changes


def session(folder: Path, *, plugin: bool) -> Any:
    builder = SparkSession.builder.master("local[2]").appName("soak")
    with_plugin = {"spark.plugins": PLUGIN, "spark.jars": str(jar_path())} if plugin else {}
    for key, value in (base_settings(folder) | with_plugin).items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def measured(folder: Path) -> dict[str, float]:
    """Of this process, and of Spark's Python workers together."""
    own = psutil.Process()
    found: dict[str, float] = {
        "driver MiB": own.memory_info().rss / MIB,
        "driver threads": own.num_threads(),
        "driver descriptors": own.num_fds(),
        "workers": 0,
        "workers MiB": 0.0,
        "worker threads": 0,
        "worker descriptors": 0,
        "files": sum(1 for path in folder.iterdir() if path.name.startswith("penstock")),
    }
    for worker in python_workers():
        with contextlib.suppress(*GONE):
            found["workers"] += 1
            found["workers MiB"] += worker.memory_info().rss / MIB
            found["worker threads"] += worker.num_threads()
            found["worker descriptors"] += worker.num_fds()
    return found


def tell(report: dict[str, Any], results: list[Judged]) -> None:
    lines = [
        "soak: {seconds:g} s, {way}, {rounds} rounds, {channel_changes} changes of channels".format(
            **report
        )
    ]
    lines += [
        f"  {found.name:<20} {found.first:10.1f} -> {found.last:10.1f}   "
        f"{found.per_minute:+8.2f} a minute   {'flat' if found.flat else 'GROWS'}"
        for found in results
    ]
    if not report["enough"]:
        lines.append(f"  too short to say: at least {LEAST_POINTS} rounds after the warm-up")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
