"""A thousand runs, whole, broken off and failed, leave nothing behind."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import psutil
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import OperatorError, flow

RUNS = 1000
BATCHES = [
    pa.RecordBatch.from_pydict({"n": pa.array(range(first, first + 50))}) for first in (0, 50)
]
WHOLE = flow("whole", "n long").filter(pc.field("n") > 3).map(lambda batch: batch).select("n")


def fail(batch: pa.RecordBatch) -> pa.RecordBatch:
    if batch.num_rows:
        raise ValueError("always")
    return batch


def run_whole() -> None:
    assert WHOLE.run(BATCHES).num_rows == 96


def break_off() -> None:
    stream = WHOLE.stream(iter(BATCHES))
    next(stream)


def run_into_an_error() -> None:
    with pytest.raises(OperatorError):
        flow("fails", "n long").map(fail, "n long").run(BATCHES)


def held() -> tuple[int, int, int]:
    gc.collect()
    own = Path("/proc/self")
    threads, files = len(list((own / "task").iterdir())), len(list((own / "fd").iterdir()))
    return threads, files, pa.total_allocated_bytes()


@pytest.mark.parametrize("once", [run_whole, break_off, run_into_an_error])
def test_a_thousand_runs_leave_no_thread_file_or_memory(once: Callable[[], None]) -> None:
    for _ in range(RUNS // 10):  # what is allocated once and kept is allocated now
        once()
    before, memory = held(), psutil.Process().memory_info().rss
    for _ in range(RUNS):
        once()
    assert held() == before
    assert psutil.Process().memory_info().rss - memory < 4 * 1024**2
