"""A program that crashes inside an operator, as a Spark worker would run it.

Its arguments are the way to crash, the place of the operator and the threading model.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Generator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from penstock import Flow, flow, wait_all
from penstock.partition import run_partition
from penstock.spec import FlowSpec

BATCHES = 20
ROWS = 10
BAD = 137  # in the batch of rows 130 to 139


def too_deep(number: int) -> int:
    """Use up the stack, from native code back into Python and so on, without Python's limit."""
    sys.setrecursionlimit(10**9)
    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)

    def again(depth: int) -> int:
        return int(call(again)(depth + 1)) + 1

    return int(call(again)(number))


WAYS: dict[str, Callable[[], Any]] = {
    "null pointer": lambda: ctypes.string_at(0),
    "abort": os.abort,
    "bus error": lambda: os.kill(os.getpid(), signal.SIGBUS),
    "stack overflow": lambda: too_deep(0),
    "exit": lambda: os._exit(3),
    "raise": lambda: 1 / 0,
}
way = WAYS[sys.argv[1]] if __name__ == "__main__" else WAYS["raise"]


def crash(batch: pa.RecordBatch) -> pa.RecordBatch:
    if BAD in batch["n"].to_pylist():
        way()
    return batch


def crash_in_loop(rows: Any, out: Any) -> Generator[Any, Any, None]:
    while (yield wait_all(rows=1)):
        out.push(crash(rows.take()))


def alone(begun: Flow) -> Flow:
    return begun.map(crash, name="guilty")


def in_turn(begun: Flow) -> Flow:
    return begun.parallel(lambda rows: rows.map(crash, name="guilty"), channels=2)


def by_key(begun: Flow) -> Flow:
    return begun.parallel(lambda rows: rows.map(crash, name="guilty"), by="n", channels=2)


def loop(begun: Flow) -> Flow:
    return begun.loop(crash_in_loop, out="n long", name="guilty")


PLACES = {"alone": alone, "in turn": in_turn, "by key": by_key, "loop": loop}


def main(place: str, model: str) -> None:
    begun = flow("crashing", "n long").filter(pc.field("n") >= 0, name="innocent")
    made = PLACES[place](begun).filter(pc.field("n") >= 0, name="behind").threading(model)  # type: ignore[arg-type]
    batches = (
        pa.RecordBatch.from_pydict({"n": list(range(first, first + ROWS))})
        for first in range(0, BATCHES * ROWS, ROWS)
    )
    for _ in run_partition(FlowSpec.of(made), batches):
        pass


if __name__ == "__main__":
    main(sys.argv[2], sys.argv[3])
