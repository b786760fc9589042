"""Whether partitions have the rows of a sequential program, each in its place.

Counts and sums of rows are the same in any order. Here every row is hashed together with its
partition and its place there, so two rows that change places change the sum.

>>> sequential([2, 1], rounds=1).to_pydict()["worked"]
[6364136223846793006, -5718471626015965605, 6364136223846793006]
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from penstock.busy_work import FACTOR, SIGN, WORD

# What monotonically_increasing_id() says of the first row of a partition, as Spark documents it.
PARTITION = 1 << 33
PLACE = "monotonically_increasing_id() AS place"


def sequential(counts: Sequence[int], rounds: int) -> pa.Table:
    """What one thread makes of numbers from 1 to a count in each partition, one row after another.

    Args:
        counts: Rows of each partition.
        rounds: Multiplications for each row. They are done once for all rows: so many of them
            are one multiplication and one addition, with factors that do not depend on the row.
    """
    times, plus = 1, 0
    for _ in range(rounds):
        times, plus = times * FACTOR % WORD, (plus * FACTOR + 1) % WORD
    rows = [(part, n) for part, count in enumerate(counts) for n in range(1, count + 1)]
    return pa.table(
        {
            "place": pa.array((part * PARTITION + n - 1 for part, n in rows), pa.int64()),
            "part": pa.array((part for part, _ in rows), pa.int64()),
            "n": pa.array((n for _, n in rows), pa.int64()),
            "worked": pa.array(
                ((n * times + plus + SIGN) % WORD - SIGN for _, n in rows), pa.int64()
            ),
        }
    )


def hashed(made: Any) -> list[int]:
    """How many rows a DataFrame has, and the sum of their hashes, each with its place."""
    return _hashed(made.selectExpr(PLACE, "part", "n", "worked"))


def wanted(spark: Any, counts: Sequence[int], rounds: int, folder: Path) -> list[int]:
    """The same of the rows of the sequential program.

    Args:
        spark: The session, whose hashes they are.
        counts: Rows of each partition.
        rounds: Multiplications for each row.
        folder: For a file that Spark reads.
    """
    file = folder / "sequential.parquet"
    pq.write_table(sequential(counts, rounds), file)
    return _hashed(spark.read.parquet(file.as_uri()))


def _hashed(rows: Any) -> list[int]:
    sums = rows.selectExpr("count(1)", "sum(hash(place, part, n, worked))").collect()
    return list(chain.from_iterable(sums))
