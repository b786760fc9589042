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
        os.write(1, b"inside\\n")  # whole, also when two threads are here
        threading.Event().wait()
    return batch

# Whoever started this process may have told it to ignore the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
made = flow("stuck", "n long").map(never_returns).threading(sys.argv[1])
batches = [pa.RecordBatch.from_pydict({"n": [n]}) for n in range(3)]
try:
    made.run(batches, settings={"spark.penstock.cancel.patience": "10ms"})
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(7)
"""


@pytest.mark.parametrize("model", MODELS)
def test_an_interrupt_ends_a_flow_whose_operator_never_returns(model: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, model], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "inside\n"
        child.send_signal(signal.SIGINT)
        rest = child.stdout.read()
        assert "interrupted" in rest
        assert child.wait(60) == 7
