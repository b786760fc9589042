"""A Spark session of a benchmark's own, stopped at the end."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

CORES = 2


@contextmanager
def local_spark(name: str) -> Iterator[Any]:
    """Start Spark on two local cores, as `penstock conf` advises to set it."""
    from pyspark.sql import SparkSession  # noqa: PLC0415 - its absence is explained

    # Otherwise workers run the python3 of the PATH, which may know nothing of Penstock.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (
        SparkSession.builder.master(f"local[{CORES}]")
        .appName(f"penstock bench {name}")
        # Rows that are compared come to the driver all at once; Spark's own 1g has no room for them.
        .config("spark.driver.memory", "4g")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR")
        .config("spark.sql.execution.arrow.maxBytesPerBatch", "2147483647")
        .getOrCreate()
    )
    try:
        yield spark
    finally:
        spark.stop()
