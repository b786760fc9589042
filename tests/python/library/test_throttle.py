from __future__ import annotations

import math
import signal
import subprocess
import sys
from typing import Any

import pyarrow as pa
import pytest

from penstock import flow
from penstock.errors import FlowError

START = flow("f", "n long")
PROGRAM = """
import signal, sys
import pyarrow as pa
from penstock import flow

def tell(batch):
    if batch.num_rows:
        print("coming", flush=True)
    return batch

signal.signal(signal.SIGINT, signal.default_int_handler)
made = flow("slow", "n long").map(tell).throttle(rows_per_second=0.001).threading(sys.argv[1])
try:
    made.run(pa.table({"n": [1, 2]}), settings={"spark.penstock.cancel.patience": "10ms"})
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(7)
"""


def test_all_rows_pass_in_their_order() -> None:
    rows = pa.table({"n": list(range(100))})
    made = START.throttle(rows_per_second=1e6).run(rows, settings={"spark.penstock.tuple.rows": 7})
    assert made.table["n"].to_pylist() == list(range(100))


@pytest.mark.parametrize("model", ["manual", "conveyor"])
def test_an_interrupt_ends_the_waiting(model: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, model], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "coming\n"
        child.send_signal(signal.SIGINT)
        assert "interrupted" in child.stdout.read()
        assert child.wait(60) == 7


def test_an_explanation_says_how_many_pass() -> None:
    made = START.throttle(rows_per_second=0.5).explanation()
    assert "throttle to 0.5 rows a second" in made
    assert "serial, because 'throttle_1' is stateful" in made


@pytest.mark.parametrize("rate", [0, -1, math.inf, math.nan, "10", True])
def test_what_is_no_rate_is_refused(rate: Any) -> None:
    with pytest.raises(FlowError, match="operator 'throttle_1': rows_per_second= must be a number"):
        START.throttle(rows_per_second=rate)
