"""Operators that hold the GIL share one lane: no two of them run at the same time."""

from __future__ import annotations

import os
import sys
import threading

import pyarrow as pa
import pytest

from penstock import _native, flow
from penstock.flow import Flow
from penstock.rows import Row
from penstock.threading_model import MODELS, ModelName

NUMBERS = pa.table({"n": list(range(400))})


class Watched:
    """Functions that notice when they run at the same time, and let others run meanwhile."""

    def __init__(self) -> None:
        self.inside = 0
        self.most = 0
        self.threads: set[int] = set()

    def batch(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.threads.add(threading.get_ident())
        for _ in range(10):
            os.sched_yield()  # without the GIL
        self.inside -= 1
        return batch

    def row(self, row: Row) -> list[Row]:
        self.batch(pa.RecordBatch.from_pydict({"n": [0]}))
        return [row]


def two_maps(watched: Watched) -> Flow:
    return flow("f", "n long").map(watched.batch).select("n").map(watched.batch)


def rows_between(watched: Watched) -> Flow:
    return flow("f", "n long").map(watched.batch).select("n").apply(watched.row)


def channels(watched: Watched) -> Flow:
    return flow("f", "n long").parallel(
        lambda rows: rows.map(watched.batch).select("n"), by="n", channels=3
    )


@pytest.mark.parametrize("model", [model for model in MODELS if model != "manual"])
@pytest.mark.parametrize("build", [two_maps, rows_between, channels])
def test_no_two_operators_are_in_python_at_the_same_time(model: ModelName, build: object) -> None:
    watched = Watched()
    made: Flow = build(watched)  # type: ignore[operator]
    asked = made.threading(model) if model == "dedicated" else made.threading(model, threads=3)
    table = asked.run(NUMBERS, settings={"spark.penstock.tuple.rows": 4}).table
    assert table.equals(NUMBERS)
    assert watched.most == 1


@pytest.mark.parametrize("model", ["dynamic", "conveyor"])
def test_the_thread_that_reads_the_result_runs_what_holds_the_gil(model: ModelName) -> None:
    watched = Watched()
    two_maps(watched).threading(model, threads=3).run(
        NUMBERS, settings={"spark.penstock.tuple.rows": 4}
    )
    assert watched.threads == {threading.get_ident()}


def body(_given: int, _made: int) -> int:
    return 0


def traced(_given: int, _made: int, _rows: int) -> int:
    return 0


def test_python_bodies_are_in_the_lane_and_native_ones_are_not() -> None:
    assert _native.function(body).in_lane
    assert _native.traced_function(traced).in_lane
    assert not _native.select([0]).in_lane


def test_without_a_gil_there_is_no_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
    assert not _native.function(body).in_lane
    assert not _native.traced_function(traced).in_lane
