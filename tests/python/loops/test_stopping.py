"""Loops that do not come back by themselves."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pyarrow as pa
import pytest
from tests.python.library.build import build
from tests.python.loops.loops import Driver

import penstock
from penstock import wait_all
from penstock.loops.body import ENDED, PAUSED, LoopBody, Terms
from penstock.loops.operator import Loop
from penstock.loops.stopping import Stop, Stopped
from penstock.threading_model import MODELS

LIMIT = 60.0  # seconds
PATIENT = {"spark.penstock.cancel.patience": "1h"}

PROGRAM = """
import os, signal, sys, threading
import pyarrow as pa
from penstock import flow, wait_all

def never_yields(n, out):
    yield wait_all(n=1)
    os.write(1, b"inside\\n")
    while sys.argv[2] == "pushes":
        out.push(n.peek(1))
    threading.Event().wait()

signal.signal(signal.SIGINT, signal.default_int_handler)
made = flow("stuck", "n long").loop(never_yields)
if sys.argv[1] != "manual":
    made = made.threading(sys.argv[1])
batches = [pa.RecordBatch.from_pydict({"n": [n]}) for n in range(3)]
try:
    made.run(batches, settings={"spark.penstock.cancel.patience": sys.argv[3]})
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(7)
"""


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("does", "patience"), [("waits", "10ms"), ("pushes", "1h")])
def test_an_interrupt_ends_a_flow_whose_loop_never_yields(
    model: str, does: str, patience: str
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, model, does, patience], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "inside\n"
        child.send_signal(signal.SIGINT)
        assert "interrupted" in child.stdout.read()
        assert child.wait(60) == 7


ALL_BLOCKED = """
import os, signal, sys, threading
import pyarrow as pa
from penstock import flow, wait_all

def waits(n, out):
    os.write(1, b"began\\n")
    try:
        yield wait_all(n=sys.maxsize)
    finally:
        os.write(1, b"left\\n")

def numbers():
    yield pa.RecordBatch.from_pydict({"n": [1]})
    os.write(1, b"blocked\\n")
    threading.Event().wait()

signal.signal(signal.SIGINT, signal.default_int_handler)
made = flow("blocked", "n long")
for _ in range(3):
    made = made.loop(waits, grow=True)
if sys.argv[1] != "manual":
    made = made.threading(sys.argv[1])
try:
    made.run(numbers())
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(7)
"""


@pytest.mark.parametrize("model", MODELS)
def test_an_interrupt_ends_a_flow_in_which_everybody_waits(model: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ALL_BLOCKED, model], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        told = []
        while "blocked\n" not in told:
            told.append(child.stdout.readline())
            assert told[-1], "it ended by itself"
        child.send_signal(signal.SIGINT)
        told += child.stdout.readlines()
        assert "interrupted\n" in told
        # Where the feeder runs Python, it may have asked for input before it came to the loop.
        assert told.count("left\n") == told.count("began\n")
        assert child.wait(60) == 7


def stopped(function: Any) -> tuple[Stop, Callable[[], object]]:
    """A loop that runs without an engine, and what tells it to stop."""
    stop = Stop()
    loop = penstock.flow("f", "n long").loop(function).operators[0]
    assert isinstance(loop, Loop)
    clock = itertools.count()
    body = LoopBody(loop, Terms(capacity=9, quantum=3, stop=stop), lambda: float(next(clock)))
    return stop, lambda: body.finish(Nowhere())


class Nowhere:
    def emit(self, address: int, row: int) -> None:
        """Take nothing: no row is made."""

    def punctuate(self) -> None:
        """Take no mark either."""

    def complete(self, row: int) -> None:
        """Learn that it ended."""


def test_a_loop_that_only_yields_looks_up_after_its_quantum() -> None:
    yields = 0

    def idle(n: Any, out: Any) -> Driver:  # noqa: ARG001
        nonlocal yields
        while True:
            yields += 1
            if yields == 2:
                stop.set()
            yield

    stop, run = stopped(idle)
    with pytest.raises(Stopped):
        run()
    assert yields == 3


def test_a_push_of_a_stopped_flow_leaves_the_loop_through_its_last_lines() -> None:
    told: list[str] = []

    def busy(n: Any, out: Any) -> Driver:  # noqa: ARG001
        try:
            stop.set()
            out.push({"n": [1]})
            yield
        except Exception:  # noqa: BLE001
            told.append("caught")
        finally:
            told.append("finally")

    stop, run = stopped(busy)
    with pytest.raises(Stopped):
        run()
    assert told == ["finally"]


def interrupted(
    rows: list[dict[str, list[Any]]], is_inside: Callable[[], bool]
) -> Iterator[pa.RecordBatch]:
    """Give rows, and be interrupted in waiting for more, once the loop is where it asks."""
    for row in rows:
        yield pa.RecordBatch.from_pydict(row)
    until = monotonic() + LIMIT
    while not is_inside() and monotonic() < until:
        pass
    raise KeyboardInterrupt


def test_a_loop_that_neither_yields_nor_pushes_can_ask_whether_it_was_stopped() -> None:
    asked: list[bool] = []
    inside = threading.Event()

    def busy(n: Any, out: Any) -> Driver:  # noqa: ARG001
        yield wait_all(n=1)
        inside.set()
        until = monotonic() + LIMIT
        while not out.stopped and monotonic() < until:
            pass
        asked.append(out.stopped)

    made = penstock.flow("f", "n long").loop(busy).threading("dedicated")
    with pytest.raises(KeyboardInterrupt):
        made.run(interrupted([{"n": [1]}], inside.is_set), settings=PATIENT)
    assert asked == [True]


def test_a_loop_of_a_library_can_ask_too(tmp_path: Path) -> None:
    library = build(tmp_path / "asks.so", "-std=c++20", source=Path(__file__).with_name("asks.cpp"))
    made = penstock.flow("f", "path string").loop(f"{library}:asks").threading("dedicated")
    inside, left = tmp_path / "inside", tmp_path / "left"
    rows = [{"path": [str(path)]} for path in (inside, left)]
    with pytest.raises(KeyboardInterrupt):
        made.run(interrupted(rows, inside.exists), settings=PATIENT)
    assert inside.exists()
    assert left.read_text() == "stopped"


def test_a_loop_pauses_after_its_quantum_and_goes_on_where_it_was() -> None:
    def polite(n: Any, out: Any) -> Driver:  # noqa: ARG001
        for _ in range(5):
            yield

    loop = penstock.flow("f", "n long").loop(polite).operators[0]
    assert isinstance(loop, Loop)
    clock = itertools.count()
    terms = Terms(capacity=9, quantum=3, pauses=True)
    body = LoopBody(loop, terms, lambda: float(next(clock)))
    stands = [body.finish(Nowhere())]
    while stands[-1] == PAUSED:
        stands.append(body.resume(Nowhere()))
    assert stands == [PAUSED, ENDED]


@pytest.mark.parametrize("model", MODELS)
def test_the_engine_takes_up_a_loop_that_paused(model: Any, monkeypatch: Any) -> None:
    calls = {"process": 0, "resume": 0}

    def counted(name: str) -> Any:
        called = getattr(LoopBody, name)

        def call(self: LoopBody, *arguments: Any) -> Any:
            calls[name] += 1
            return called(self, *arguments)

        return call

    monkeypatch.setattr(LoopBody, "process", counted("process"))
    monkeypatch.setattr(LoopBody, "resume", counted("resume"))

    def slow(n: Any, out: Any) -> Driver:
        while (yield penstock.wait_all(n=1)):
            out.push(n.take(1))
            began = monotonic()
            while monotonic() - began < 0.002:
                yield

    made = penstock.flow("f", "n long").loop(slow)
    if model != "manual":
        made = made.threading(model)
    rows = made.run(pa.table({"n": [1, 2, 3]}), settings={"spark.penstock.loop.quantum": "1ms"})
    assert rows.table["n"].to_pylist() == [1, 2, 3]
    # Each process() and finish() resumes once by itself; what is more was asked by the engine.
    assert calls["resume"] > calls["process"] + 1


def test_a_loop_that_fails_in_its_last_lines_keeps_no_other_from_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[BaseException] = []
    monkeypatch.setattr(sys, "excepthook", lambda _type, error, _trace: told.append(error))
    stop, closed = Stop(), []

    def fails() -> None:
        raise SystemExit(3)

    stop.on_end(fails)
    stop.on_end(lambda: closed.append("second"))
    stop.end()
    assert closed == ["second"]
    assert [type(error) for error in told] == [SystemExit]
