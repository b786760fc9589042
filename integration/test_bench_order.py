"""That benchmarks on Spark notice rows in other places than a sequential program's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from penstock.bench.placed import hashed, sequential, wanted

COUNTS, WORK = (40, 30), 3


def rows_of(spark: Any, swapped: tuple[int, int] | None) -> Any:
    """The rows of the sequential program in their partitions, two of which may be swapped."""
    table = sequential(COUNTS, WORK)
    places = list(range(len(table)))
    if swapped:
        places[swapped[0]], places[swapped[1]] = places[swapped[1]], places[swapped[0]]
    # Workers know nothing of this file.
    rows = table.select(["part", "n", "worked"]).take(places).to_pylist()

    def made(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            [part] = batch.column("id").to_pylist()
            begin, end = (0, COUNTS[0]) if part == 0 else (COUNTS[0], sum(COUNTS))
            yield pa.RecordBatch.from_pylist(rows[begin:end])

    two = spark.range(0, len(COUNTS), 1, len(COUNTS))
    return two.mapInArrow(made, "part long, n long, worked long")


def test_rows_that_change_places_are_noticed(spark: Any, tmp_path: Path) -> None:
    right = wanted(spark, COUNTS, WORK, tmp_path)
    assert right[0] == sum(COUNTS)
    assert hashed(rows_of(spark, None)) == right
    # Neighbours, the first and the last of a partition, and rows of two partitions.
    for swapped in ((4, 5), (0, 39), (39, 40), (3, 60)):
        assert hashed(rows_of(spark, swapped)) != right, swapped
