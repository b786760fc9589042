"""Ten thousand short runs in one process, in every threading model, leave nothing behind."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Callable
from pathlib import Path

import psutil
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import Flow, OperatorError, flow
from penstock.threading_model import FIXED, MODELS

RUNS = 10_000
ROUNDS = 4
WARM_UP = 1_500
# What the allocators keep for themselves moves about a little; this is 200 bytes for each run.
MOST_GROWTH = 200 * RUNS // ROUNDS
BATCHES = [pa.RecordBatch.from_pydict({"n": [0, 1, 2]}), pa.RecordBatch.from_pydict({"n": [3, 4]})]


def fail_at_4(batch: pa.RecordBatch) -> pa.RecordBatch:
    if 4 in batch["n"].to_pylist():
        raise ValueError("4 it is")
    return batch


def carried(made: Flow, model: str) -> Flow:
    threads, elastic = (None, None) if model in FIXED else (3, True)
    return made.threading(model, threads=threads, elastic=elastic)  # type: ignore[arg-type]


def whole_run(model: str) -> Callable[[], None]:
    made = carried(flow("whole", "n long").filter(pc.field("n") != 1).map(lambda b: b), model)

    def once() -> None:
        assert made.run(BATCHES).to_pylist() == [{"n": n} for n in (0, 2, 3, 4)]

    return once


def broken_off_run(model: str) -> Callable[[], None]:
    made = carried(flow("broken_off", "n long").flat_map(lambda batch: batch), model)

    def once() -> None:
        stream = made.stream(BATCHES, settings={"spark.penstock.tuple.rows": 1})
        assert next(stream)["n"].to_pylist() == [0, 1, 2]

    return once


def failing_run(model: str) -> Callable[[], None]:
    made = carried(flow("failing", "n long").map(fail_at_4, name="picky"), model)

    def once() -> None:
        with pytest.raises(OperatorError, match="'picky', input row 4 "):
            made.run(BATCHES)

    return once


def held() -> tuple[int, int, int]:
    gc.collect()
    own = Path("/proc/self")
    threads, files = len(list((own / "task").iterdir())), len(list((own / "fd").iterdir()))
    return threads, files, pa.total_allocated_bytes()


def test_ten_thousand_runs_leave_no_thread_file_or_memory() -> None:
    kinds = (whole_run, whole_run, broken_off_run, failing_run)
    runs = itertools.cycle([kind(model) for kind in kinds for model in MODELS])
    for once in itertools.islice(runs, WARM_UP):  # what is allocated once and kept
        once()
    before, memory = held(), [psutil.Process().memory_info().rss]
    for _ in range(ROUNDS):
        for once in itertools.islice(runs, RUNS // ROUNDS):
            once()
        assert held() == before
        memory.append(psutil.Process().memory_info().rss)
    # A leak grows in every round; a heap that other tests have left in pieces may grow in some.
    assert min(later - sooner for sooner, later in itertools.pairwise(memory)) < MOST_GROWTH
