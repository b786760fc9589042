"""Operators that hold the GIL share one lane: no two of them run at the same time.

Where Python has no GIL there is nothing to hold, and no lane.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import Any

import pyarrow as pa
import pytest

from penstock import _native, flow, state
from penstock.flow import Flow
from penstock.rows import Row
from penstock.threading_model import FIXED, MODELS, ModelName

NUMBERS = pa.table({"n": list(range(400))})
GIL = getattr(sys, "_is_gil_enabled", lambda: True)()
with_a_gil = pytest.mark.skipif(not GIL, reason="this Python has no GIL")
without_a_gil = pytest.mark.skipif(GIL, reason="this Python has a GIL")


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


@with_a_gil
@pytest.mark.parametrize("model", [model for model in MODELS if model != "manual"])
@pytest.mark.parametrize("build", [two_maps, rows_between, channels])
def test_no_two_operators_are_in_python_at_the_same_time(model: ModelName, build: object) -> None:
    watched = Watched()
    made: Flow = build(watched)  # type: ignore[operator]
    asked = made.threading(model) if model == "dedicated" else made.threading(model, threads=3)
    table = asked.run(NUMBERS, settings={"spark.penstock.tuple.rows": 4}).table
    assert table.equals(NUMBERS)
    assert watched.most == 1


@with_a_gil
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


@with_a_gil
def test_python_bodies_are_in_the_lane_and_native_ones_are_not() -> None:
    assert _native.function(body).in_lane
    assert _native.traced_function(traced).in_lane
    assert not _native.select([0]).in_lane


def test_without_a_gil_there_is_no_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
    assert not _native.function(body).in_lane
    assert not _native.traced_function(traced).in_lane


@without_a_gil
@pytest.mark.parametrize("model", ["dedicated", "conveyor"])
@pytest.mark.parametrize("word", ["map", "apply"])
def test_two_threads_are_in_python_at_the_same_time(model: ModelName, word: str) -> None:
    assert not _native.function(body).in_lane, "the engine has not brought the GIL back"
    meeting = threading.Barrier(2, timeout=60)  # one thread alone would wait in vain

    def meet_at(n: int) -> Any:
        def batch(given: pa.RecordBatch) -> pa.RecordBatch:
            if given["n"].to_pylist() == [n]:
                meeting.wait()
            return given

        def row(given: Row) -> list[Row]:
            if given.n == n:
                meeting.wait()
            return [given]

        return batch if word == "map" else row

    made = flow("f", "n long")
    for n in (1, 0):  # the first operator has row 1 while the second has row 0
        made = getattr(made, word)(meet_at(n))
    asked = made.threading(model) if model == "dedicated" else made.threading(model, threads=2)
    result = asked.run(NUMBERS, settings={"spark.penstock.tuple.rows": 1})
    assert result.table.equals(NUMBERS)


@without_a_gil
@pytest.mark.parametrize("model", MODELS)
def test_functions_that_all_threads_call_make_what_one_thread_makes(model: ModelName) -> None:
    class Nth:
        seen = state.Value("long")

        def process(self, row: Row) -> list[tuple[int, int]]:
            self.seen.put((self.seen.get() or 0) + 1)
            return [(row.n, self.seen.get())]

    def halves(batch: pa.RecordBatch) -> pa.RecordBatch:
        return pa.RecordBatch.from_pydict({"n": [n // 2 for n in batch["n"].to_pylist()]})

    made = flow("f", "n long").map(halves, "n long").apply(lambda row: [row] * (row.n % 3))
    made = made.map(halves, "n long").key_by("n").apply(Nth(), "n long, nth long")
    table = pa.table({"n": [n * 7919 % 521 for n in range(4000)]})
    wanted = made.run(table).table
    asked = made.threading(model, threads=None if model in FIXED else 4)
    small = {"spark.penstock.tuple.rows": 8, "spark.penstock.keyed.parts": 4}
    for _ in range(5):
        assert asked.run(table, settings=small).table.equals(wanted)
