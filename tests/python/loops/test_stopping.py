"""Loops that do not come back by themselves."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
from collections.abc import Callable
from time import monotonic
from typing import Any

import pyarrow as pa
import pytest
from tests.python.loops.loops import Driver

import penstock
from penstock.loops.body import ENDED, PAUSED, LoopBody, Terms
from penstock.loops.operator import Loop
from penstock.loops.stopping import Stop, Stopped
from penstock.threading_model import MODELS

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
