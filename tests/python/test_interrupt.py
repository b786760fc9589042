"""Ctrl-C while an operator does not come back, in a process of its own."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from penstock.threading_model import MODELS

PROGRAM = """
import os, signal, sys, threading
import pyarrow as pa
from penstock import flow

def never_returns(batch):
    if batch.num_rows:
        reached.set()
        os.write(1, b"inside\\n")  # whole, also when two threads are here
        threading.Event().wait()
    return batch

# Whoever started this process may have told it to ignore the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
made = flow("stuck", "n long").map(never_returns).threading(sys.argv[1])
reached = threading.Event()

def batches():
    yield pa.RecordBatch.from_pydict({"n": [0]})
    if sys.argv[2] == "input":
        reached.wait()  # the operator has it, and keeps it
        raise KeyboardInterrupt
    yield pa.RecordBatch.from_pydict({"n": [1]})

if sys.argv[2] == "around":  # a signal may come before the first line that could catch it
    from penstock import worker
    caught = worker._Source.__next__

    def next_or_raise(self):
        if reached.wait(0.1):
            raise KeyboardInterrupt
        return caught(self)

    worker._Source.__next__ = next_or_raise

try:
    made.run(batches(), settings={"spark.penstock.cancel.patience": "10ms"})
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(7)
"""


@pytest.mark.parametrize("model", MODELS)
def test_an_interrupt_ends_a_flow_whose_operator_never_returns(model: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, model, "signal"], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "inside\n"
        child.send_signal(signal.SIGINT)
        rest = child.stdout.read()
        assert "interrupted" in rest
        assert child.wait(60) == 7


# Elsewhere it is the feeder that runs Python, and asks for no input meanwhile.
@pytest.mark.parametrize("where", ["input", "around"])
def test_an_interrupt_in_the_input_does_not_wait_for_an_operator(where: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "dedicated", where],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 7, done.stderr
    assert "interrupted" in done.stdout
