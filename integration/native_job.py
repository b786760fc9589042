"""A small program for spark-submit: runs an operator of a C++ library beside plain PySpark.

The library is taken away before the job starts, so executors have what Spark shipped or nothing.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession

import penstock
from integration.oracle import assert_same


def number_words(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What the operator `words` of the library does by the column k, for one partition."""
    seen: Counter[Any] = Counter()
    for batch in batches:
        named: list[str | None] = []
        first: list[bool] = []
        for key, word in zip(batch["k"].to_pylist(), batch["word"].to_pylist(), strict=True):
            seen[key] += 1
            for time in range(1, seen[key] % 4 + 1):
                named.append(None if word is None else f"{word}#{time}")
                first.append(time == 1)
        columns = {"named": pa.array(named, pa.string()), "first": pa.array(first, pa.bool_())}
        yield pa.RecordBatch.from_pydict(columns)


def main(library: str) -> None:
    name = Path(library).name

    def loaded(batch: pa.RecordBatch) -> pa.RecordBatch:
        maps = Path("/proc/self/maps").read_text().splitlines()
        [file] = {line.split(maxsplit=5)[-1] for line in maps if line.endswith(f"/{name}")} or {""}
        return batch.append_column("file", pa.array([file] * batch.num_rows, pa.string()))

    flow = penstock.flow("words", "k long, word string").key_by("k").native(f"{library}:words")
    telling = flow.map(loaded, "named string, first boolean, file string", name="tell")
    spark = SparkSession.builder.getOrCreate()
    rows = spark.range(0, 2_000, 1, 4).selectExpr(
        "nullif(id * id % 7, 0) AS k",
        "CASE WHEN id % 11 = 0 THEN NULL ELSE repeat('word ', int(id % 5)) END AS word",
    )
    made = rows.transform(telling)
    Path(library).unlink()
    wanted = rows.mapInArrow(number_words, "named string, first boolean")
    count = assert_same(made.select("named", "first"), wanted)
    files = sorted(row.file for row in made.select("file").distinct().collect())
    sys.stdout.write(json.dumps({"rows": count, "files": files}) + "\n")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
