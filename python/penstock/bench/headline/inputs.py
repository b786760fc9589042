"""What a job reads: the first rows of its input, as many as a way is given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from penstock.bench.headline.job import Job


class Inputs:
    """The input of a job in files, one for each number of rows that somebody asked for.

    Attributes:
        job: The job.
    """

    def __init__(self, spark: Any, job: Job, folder: Path) -> None:
        self.job = job
        self._spark = spark
        self._folder = folder

    def frame(self, count: int) -> Any:
        """The first rows as one partition, in their order."""
        return self._spark.read.parquet(str(self._file(count).parent)).coalesce(1)

    def table(self, count: int) -> pa.Table:
        """The same without Spark."""
        return pq.read_table(self._file(count))

    def _file(self, count: int) -> Path:
        place = self._folder / str(count)
        if not place.exists():
            names = self.job.flow().input_schema.names
            rows = self._spark.range(0, count, 1, 1).selectExpr(*self.job.data).select(*names)
            rows.write.parquet(str(place))
        [file] = place.glob("*.parquet")
        return file
