"""A loop over one batch, without an engine: what the operator does, as a function."""

from __future__ import annotations

import pyarrow as pa

from penstock.c_data import CStruct
from penstock.loops.body import ARRAY_WORDS, LoopBody, Terms
from penstock.loops.operator import Loop


class _Collected:
    """Keeps what a loop makes."""

    def __init__(self, schema: pa.Schema) -> None:
        self.schema = schema
        self.batches: list[pa.RecordBatch] = []

    def punctuate(self) -> None:
        """A mark has no place in one batch."""

    def complete(self, _row: int) -> None:
        """Nothing follows."""

    def emit(self, address: int, _row: int) -> None:
        self.batches.append(pa.RecordBatch._import_from_c(address, self.schema))


def process_once(loop: Loop, batch: pa.RecordBatch) -> pa.RecordBatch | None:
    """Run a loop over one batch as if that were the whole input."""
    body = LoopBody(loop, Terms(capacity=batch.num_rows + 1))
    made = _Collected(loop.output)
    given = CStruct(ARRAY_WORDS)
    batch._export_to_c(given.address)
    for told in (body.process(given.address, made), body.finish(made)):
        if isinstance(told, tuple):
            raise told[1]
    if not made.batches:
        return None
    return pa.Table.from_batches(made.batches, loop.output).combine_chunks().to_batches()[0]
