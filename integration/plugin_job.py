"""A small program for spark-submit: runs a flow and prints it with the gauges Spark shows.

The test submits it with what `penstock conf --submit` prints.
"""

from __future__ import annotations

import json
import sys
import urllib.request

import pyarrow.compute as pc
from pyspark.sql import SparkSession

import penstock

flow = penstock.flow("odd", "id long").filter(pc.bit_wise_and(pc.field("id"), 1) == 1)


def main() -> None:
    spark = SparkSession.builder.getOrCreate()
    found = [row.id for row in spark.range(0, 10, 1, 2).transform(flow).collect()]
    with urllib.request.urlopen(f"{spark.sparkContext.uiWebUrl}/metrics/json/") as answer:
        gauges = json.load(answer)["gauges"]
    ours = {key: gauge["value"] for key, gauge in gauges.items() if "penstock" in key}
    sys.stdout.write(json.dumps({"found": found, "gauges": ours}) + "\n")
    spark.stop()


if __name__ == "__main__":
    main()
