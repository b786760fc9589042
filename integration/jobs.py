"""Spark jobs beside the test: in a thread of their own, to be disturbed and waited for."""

from __future__ import annotations

import threading
import uuid
from typing import Any

import pyarrow.compute as pc
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

import penstock
from integration import flows

WHOLE = penstock.flow("whole", "id long").map(flows.same).filter(pc.field("id") >= 0)


class Job:
    """A job in a thread of its own, whose end is waited for."""

    def __init__(self, spark: Any, df: Any, *, interrupt: bool = False) -> None:
        """Start it; `interrupt` says whether a cancel interrupts the threads of its tasks."""
        self._spark, self._df, self._interrupt = spark, df, interrupt
        self._group = uuid.uuid4().hex
        self._rows: list[Any] | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether it is through, however it ended."""
        return not self._thread.is_alive()

    def rows(self, *, within: float = 180.0) -> list[Any]:
        """Wait for the job, which must succeed."""
        self._join(within)
        if self._error is not None:
            raise self._error
        assert self._rows is not None
        return self._rows

    def error(self, *, within: float = 180.0) -> str:
        """Wait for the job, which must fail; what it says."""
        self._join(within)
        assert self._error is not None, "the job was to fail, and did not"
        return str(self._error)

    def cancel(self) -> None:
        """Cancel the job; it must end as a cancelled one."""
        self._spark.sparkContext.cancelJobGroup(self._group)
        assert "cancelled" in self.error(within=60)

    def _join(self, within: float) -> None:
        self._thread.join(timeout=within)
        assert not self._thread.is_alive(), f"the job goes on after {within:g} s"

    def _run(self) -> None:
        self._spark.sparkContext.setJobGroup(self._group, "beside the test", self._interrupt)
        try:
            self._rows = self._df.collect()
        except (PySparkException, Py4JJavaError) as error:
            self._error = error


def workers_that_ran(spark: Any) -> set[int]:
    """Run a whole flow, see that it is right, and say which worker processes ran it."""
    telling = WHOLE.map(flows.with_pid, name="tell")
    told = spark.range(0, 20_000, 1, 2).transform(telling).collect()
    assert [row.id for row in told] == list(range(20_000))
    return {row.pid for row in told}
