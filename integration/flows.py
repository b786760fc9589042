"""The flows under test, each beside the same logic as plain Python, row by row.

A module of its own, so that Spark's Python workers import these functions by name as they
would a user's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import penstock

WORDS = "seq long, word string, weight double"
LETTERS = "seq long, letter string, twice double"


def shout(batch: pa.RecordBatch) -> pa.RecordBatch:
    upper = pc.utf8_upper(batch["word"])
    # RecordBatch.set_column is not in the oldest pyarrow that is supported.
    columns = [upper if name == "word" else batch[name] for name in batch.schema.names]
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def letters(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """One batch for each row that has letters, so one tuple makes many batches, or none."""
    schema = pa.schema([("seq", pa.int64()), ("letter", pa.string()), ("twice", pa.float64())])
    for row in batch.to_pylist():
        made = [
            {"seq": row["seq"], "letter": letter, "twice": row["twice"]}
            for letter in row["word"] or ""
        ]
        if made:
            yield pa.RecordBatch.from_pylist(made, schema=schema)


every_operator = (
    penstock.flow("every_operator", WORDS)
    .filter(pc.field("weight") > 0.25, name="heavy")
    .with_column("size", pc.utf8_length(pc.field("word")))
    .select("seq", "word", "size", twice=pc.field("weight") * 2)
    .filter(pc.field("size") < 9, name="short")
    .map(shout, name="shout")
    .flat_map(letters, out=LETTERS, name="letters")
    .select("letter", "seq", "twice")
)


def every_operator_by_row(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    weight, word = row["weight"], row["word"]
    if weight is None or not weight > 0.25 or word is None or not len(word) < 9:
        return
    for letter in word.upper():
        yield {"letter": letter, "seq": row["seq"], "twice": weight * 2}


narrow = (
    penstock.flow("narrow", "word string, seq long")
    .filter(pc.bit_wise_and(pc.field("seq"), 3) == 0)
    .with_column("seq", pc.field("seq") + 1)
)


def narrow_by_row(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if row["seq"] & 3 == 0:
        yield {"word": row["word"], "seq": row["seq"] + 1}


nothing = penstock.flow("nothing", WORDS).filter(pc.field("seq") < 0)


def same(batch: pa.RecordBatch) -> pa.RecordBatch:
    return batch


def identity(schema: Any) -> penstock.Flow:
    """A flow that changes nothing, through an operator of each kind of body."""
    begun = penstock.flow("identity", schema)
    return begun.select(*begun.schema.names).map(same, name="same").filter(pc.scalar(True))


class FailsAt:
    """A function that cannot bear one number."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        if self._number in batch["id"].to_pylist():
            raise LookupError(f"cannot bear {self._number}")
        return batch


class Blocks:
    """A function that says which process it is in and then never returns.

    It waits for a writer of a named pipe, which never comes: busy for Spark, without a sleep.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        if batch.num_rows:
            (self._folder / f"{os.getpid()}.pid").touch()
            (self._folder / "pipe").read_bytes()
        return batch


def blocking(folder: Path) -> penstock.Flow:
    """A flow over `id long` that blocks at its first row; see `blocked_pids`."""
    os.mkfifo(folder / "pipe")
    return penstock.flow("blocking", "id long").map(Blocks(folder), name="blocks")


def blocked_pids(folder: Path) -> list[int]:
    return sorted(int(marker.stem) for marker in folder.glob("*.pid"))


def in_batches_with_rows(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Says so when it is given no rows; its trial where the flow is written has none."""
    if batch.num_rows == 0 and "PYTHON_WORKER_FACTORY_SECRET" in os.environ:
        raise AssertionError("called for a batch without rows")
    return batch


class Touches:
    """Makes a file when it is given rows, so that a test knows that the flow runs."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        if batch.num_rows:
            self._path.touch()
        return batch


def with_pid(batch: pa.RecordBatch) -> pa.RecordBatch:
    return batch.append_column("pid", pa.repeat(pa.scalar(os.getpid()), batch.num_rows))
