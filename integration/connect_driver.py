"""Runs the checks through Spark Connect and prints what came of each as one JSON document.

A process of its own: classic PySpark and Connect do not share one.

Its argument is what to connect to.
"""

from __future__ import annotations

import json
import sys
import traceback

from pyspark.sql import SparkSession

from integration.checks import CHECKS, sentence


def main(remote: str) -> None:
    spark = SparkSession.builder.remote(remote).getOrCreate()
    outcomes = {"session": type(spark).__module__}
    try:
        for check in CHECKS:
            try:
                check(spark)
                outcomes[sentence(check)] = "ok"
            except Exception:  # noqa: BLE001 - whatever it is, it is what came of the check
                outcomes[sentence(check)] = traceback.format_exc()
    finally:
        spark.stop()
    sys.stdout.write(json.dumps(outcomes) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
