"""Input for flows that decide about themselves while they run."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

import pyarrow as pa

PERIOD = {"spark.penstock.elastic.period": "10ms"}
FORTY_PERIODS = 0.4
# Time alone proves nothing on a machine that stood still meanwhile: so many batches take several
# periods of running.
LEAST_BATCHES = 20_000


class Feed:
    """The same batch again and again, long enough for many decisions."""

    def __init__(self, batch: pa.RecordBatch) -> None:
        self.fed = 0
        self._batch = batch

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        end = monotonic() + FORTY_PERIODS
        while monotonic() < end or self.fed < LEAST_BATCHES:
            self.fed += 1
            yield self._batch
