"""A small program for spark-submit: says what a flow made and which package its workers used."""

from __future__ import annotations

import json
import sys

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import SparkSession

import penstock


def whereabouts(batch: pa.RecordBatch) -> pa.RecordBatch:
    files = pa.array([penstock.__file__] * batch.num_rows, pa.string())
    return pa.RecordBatch.from_pydict({"id": batch["id"], "file": files})


flow = (
    penstock.flow("odd", "id long")
    .filter(pc.bit_wise_and(pc.field("id"), 1) == 1)
    .map(whereabouts, "id long, file string", name="whereabouts")
)


def main(remote: str = "", archive: str = "") -> None:
    builder = SparkSession.builder
    spark = (builder.remote(remote) if remote else builder).getOrCreate()
    if archive:
        spark.addArtifacts(archive, archive=True)
    made = spark.range(0, 1_000, 1, 4).transform(flow).collect()
    found = {"ids": [row.id for row in made], "files": sorted({row.file for row in made})}
    sys.stdout.write(json.dumps(found) + "\n")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
