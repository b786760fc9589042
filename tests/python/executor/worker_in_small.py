"""A worker as Spark's daemon calls it, with an operator that does as it is told.

Its arguments are the descriptor of a connection, a threading model, and what the operator does.
It tells on standard output what it is at.
"""

from __future__ import annotations

import ctypes
import os
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

import penstock
from penstock.partition import run_partition
from penstock.spec import FlowSpec

GIVEN_UP = 3
STUCK = "stuck"
# Nobody ever writes, so reading it takes for ever.
NEVER, _WRITER = os.pipe()


def tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def wait_without_gil() -> None:
    tell(STUCK)
    os.read(NEVER, 1)


def wait_with_gil() -> None:
    tell(STUCK)
    ctypes.PyDLL(None).pause()


def wait_for_input() -> None:
    tell("waiting")
    sys.stdin.readline()


WAYS: dict[str, Callable[[], None]] = {
    "never returns": wait_without_gil,
    "holds the GIL": wait_with_gil,
    "waits": wait_for_input,
    "returns": lambda: None,
}


def held() -> tuple[int, int]:
    """Threads and descriptors of this process."""
    threads, descriptors = (list(Path("/proc/self", name).iterdir()) for name in ("task", "fd"))
    return len(threads), len(descriptors)


def made(model: str, way: str) -> FlowSpec:
    def guilty(batch: pa.RecordBatch) -> pa.RecordBatch:
        if 5 in batch["id"].to_pylist():
            WAYS[way]()
        return batch

    flow = penstock.flow("given_up", "id long").map(guilty, name="guilty").threading(model)  # type: ignore[arg-type]
    return FlowSpec.of(flow, {"spark.penstock.cancel.patience": "0ms"})


def batches() -> Iterator[pa.RecordBatch]:
    for start in range(0, 100, 10):
        yield pa.RecordBatch.from_pydict({"id": list(range(start, start + 10))})


def main(infile: BinaryIO, outfile: BinaryIO) -> None:
    assert infile is not None
    for _ in range(2):  # what is made once in a process is there after the first
        before = held()
        given = run_partition(made(*sys.argv[2:]), batches())
        outfile.writelines(bytes(batch.num_rows) for batch in given)
        outfile.flush()
    tell(f"left {[now - then for now, then in zip(held(), before, strict=True)]}")


if __name__ == "__main__":
    connection = socket.socket(fileno=int(sys.argv[1]))
    reading = os.fdopen(os.dup(connection.fileno()), "rb")
    writing = os.fdopen(os.dup(connection.fileno()), "wb")
    try:
        main(reading, writing)
    except GeneratorExit as given_up:
        tell(str(given_up))
        os._exit(GIVEN_UP)
