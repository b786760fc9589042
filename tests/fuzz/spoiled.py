"""Batches whose buffers were changed at random, as Arrow's reader accepts them."""

from __future__ import annotations

import random

import pyarrow as pa

SCHEMA = pa.schema(
    [("n", pa.int64()), ("s", pa.string()), ("l", pa.list_(pa.int32())), ("y", pa.binary())]
)
DDL = "n long, s string, l array<int>, y binary"
GOOD = pa.RecordBatch.from_pydict(
    {
        "n": list(range(20)),
        "s": [None if i % 7 == 0 else "é" * (i % 5) for i in range(20)],
        "l": [[1] * (i % 4) for i in range(20)],
        "y": [b"\xff" * (i % 3) for i in range(20)],
    },
    schema=SCHEMA,
)


def _sent(batch: pa.RecordBatch) -> bytes:
    with pa.BufferOutputStream() as sink:
        with pa.ipc.new_stream(sink, SCHEMA) as writer:
            writer.write_batch(batch)
        return bytes(sink.getvalue().to_pybytes())


SENT = _sent(GOOD)
# The second half of what is sent is buffers, but for the eight bytes that end it.
BUFFERS = range(len(SENT) // 2, len(SENT) - 8)


def spoiled(chance: random.Random) -> pa.RecordBatch:
    """A batch with a few bytes of its buffers changed."""
    changed = bytearray(SENT)
    for _ in range(chance.randrange(1, 4)):
        changed[chance.choice(BUFFERS)] = chance.randrange(256)
    return pa.ipc.open_stream(pa.py_buffer(bytes(changed))).read_next_batch()


def is_valid(batch: pa.RecordBatch) -> bool:
    """Whether Arrow itself finds nothing wrong with it."""
    try:
        batch.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True
