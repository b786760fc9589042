"""A function that stops at a row and says in which process, so that a fault can hit it just there.

The first attempts stop, later ones pass: what Spark tries again comes to its end. At other rows it
says so, too, and goes on.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from integration.processes import eventually


class Stopped(NamedTuple):
    """An attempt that waits at a gate."""

    row: int
    attempt: int
    pid: int


class Gate:
    """Lets batches pass, but stops at a row of `id` for as many attempts as are asked for.

    It waits for a writer of a named pipe, who never comes: inside an operator, without a sleep,
    and without the GIL, so that the other threads of the flow go on.
    """

    def __init__(
        self, folder: Path, rows: Sequence[int], attempts: int = 1, passing: Sequence[int] = ()
    ) -> None:
        self._folder = folder
        self._rows = tuple(rows)
        self._passing = tuple(passing)
        self._attempts = attempts

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        if batch.num_rows and (self._rows or self._passing):
            here = set(batch["id"].to_pylist())
            for row in here.intersection(self._passing):
                self._announced(row)
            for row in self._rows:
                if row in here and self._announced(row):
                    (self._folder / "pipe").read_bytes()
        return batch

    def _announced(self, row: int) -> bool:
        for attempt in range(self._attempts):
            try:
                with (self._folder / f"{row}.{attempt}").open("x") as marker:
                    marker.write(f"{os.getpid()}\n")
            except FileExistsError:
                continue
            return True
        return False


class LateGate(Gate):
    """Slow until it is told that its first rows were seen; then it stops, wherever it is.

    A flow runs ahead of what its reader has seen, by how much depends on its model and its tuples;
    a gate at a row would stop some flows before anybody saw any.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, ())

    def tell(self) -> None:
        (self._folder / "seen").touch()

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        # So slow that the connection is not full by the time that the first rows were seen.
        time.sleep(batch.num_rows * 50e-6)
        if batch.num_rows and (self._folder / "seen").exists():
            self._rows = (batch["id"][0].as_py(),)
        return super().__call__(batch)


def late_gate(folder: Path) -> LateGate:
    """Make a late gate whose markers are in `folder`, which is made."""
    _make(folder)
    return LateGate(folder)


def gate(folder: Path, rows: Sequence[int], attempts: int = 1, passing: Sequence[int] = ()) -> Gate:
    """Make a gate whose markers are in `folder`, which is made."""
    _make(folder)
    return Gate(folder, rows, attempts, passing)


def _make(folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / "pipe")


def stopped(folder: Path) -> list[Stopped]:
    """Every attempt that came to one of its rows so far."""
    found = []
    for marker in folder.glob("*.*"):
        text = marker.read_text()
        if text.endswith("\n"):  # written whole
            row, attempt = marker.name.split(".")
            found.append(Stopped(int(row), int(attempt), int(text)))
    return sorted(found)


def next_stopped(folder: Path, known: set[Stopped], *, within: float = 120.0) -> Stopped:
    """Wait for an attempt at a gate that is not known, and add it to those."""

    def new() -> list[Stopped]:
        return [each for each in stopped(folder) if each not in known]

    first = eventually(new, "an attempt reaches its gate", within=within)[0]
    known.add(first)
    return first
