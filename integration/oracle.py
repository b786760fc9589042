"""The judge: what plain PySpark makes of the same partitions, row for row and in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import Any

import pyarrow as pa
from pyspark.sql import functions as F

ByRow = Callable[[dict[str, Any]], Iterable[dict[str, Any]]]


def by_rows(df: Any, function: ByRow, schema: str) -> Any:
    """Run a row loop over each partition, as a user writes it without Penstock."""

    def loop(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            made = [new for row in batch.to_pylist() for new in function(row)]
            if made:
                yield pa.RecordBatch.from_pylist(made)

    return df.mapInArrow(loop, schema)


def assert_same(found: Any, expected: Any, *, partitions: bool = True) -> int:
    """Fail at the first row or type that differs; return how many rows there are.

    Rows must also be in the same partitions, unless `expected` is data that still has none.
    """
    assert found.dtypes == expected.dtypes
    if partitions:
        found, expected = (
            df.withColumn("partition of it", F.spark_partition_id()) for df in (found, expected)
        )
    count = 0
    for number, (ours, theirs) in enumerate(zip_longest(found.collect(), expected.collect())):
        # The text tells NaN, -0.0 and types apart, where == does not.
        assert repr(ours) == repr(theirs), f"row {number}: {ours!r} instead of {theirs!r}"
        count += 1
    return count
