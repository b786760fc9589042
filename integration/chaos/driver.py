"""A driver that is to be killed, or that comes after one which was.

Its arguments are Spark's folder, the name of a case, how many rows, the row of a gate or none, the
folder of the gate, and a file for the result.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from integration.chaos.flows import CASES
from integration.chaos.gate import gate
from integration.chaos.verdict import collected
from integration.sessions import base_settings

PARTITIONS = 2


def main() -> None:
    spark_folder, names, rows, stop, gates, result = sys.argv[1:]
    builder = SparkSession.builder.master("local[2]")
    for key, value in base_settings(Path(spark_folder)).items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    made_gate = gate(Path(gates), [int(stop)] if stop else [])
    found = {}
    for case in CASES:
        if case.name in names.split(","):
            flow = case.flow(made_gate).threading("conveyor", threads=2)
            found[case.name] = collected(spark.range(0, int(rows), 1, PARTITIONS).transform(flow))
    Path(result).write_text(json.dumps(found))


if __name__ == "__main__":
    main()
