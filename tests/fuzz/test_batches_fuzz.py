"""Batches with wrong offsets from a Python function: the full check refuses them (T8, F9).

Buffers of good batches are changed at random. What Arrow's own full validation finds wrong must be
refused with the operator's name; what it does not must come through as it is. Nothing crashes.
"""

from __future__ import annotations

import random
from collections import Counter

import pyarrow as pa
import pytest

from penstock import OperatorError, flow

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
ROUNDS = 2_000
FULL = {"spark.penstock.check.batches": "full", "spark.penstock.error.locateRow": "false"}


def sent(batch: pa.RecordBatch) -> bytes:
    with pa.BufferOutputStream() as sink:
        with pa.ipc.new_stream(sink, SCHEMA) as writer:
            writer.write_batch(batch)
        return bytes(sink.getvalue().to_pybytes())


SENT = sent(GOOD)
# The second half of what is sent is buffers, but for the eight bytes that end it.
BUFFERS = range(len(SENT) // 2, len(SENT) - 8)


def spoiled(chance: random.Random) -> pa.RecordBatch:
    """A batch that Arrow's reader accepts, with a few bytes of its buffers changed."""
    changed = bytearray(SENT)
    for _ in range(chance.randrange(1, 4)):
        changed[chance.choice(BUFFERS)] = chance.randrange(256)
    return pa.ipc.open_stream(pa.py_buffer(bytes(changed))).read_next_batch()


def is_valid(batch: pa.RecordBatch) -> bool:
    try:
        batch.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


@pytest.mark.parametrize("model", ["manual", "conveyor"])
def test_broken_batches_are_refused_by_name_and_whole_ones_pass(model: str) -> None:
    chance = random.Random(f"batches {model}")
    made = flow("f", DDL).map(lambda batch: current if batch.num_rows else batch, name="spoils")
    made = made.threading(model)  # type: ignore[arg-type]
    seen: Counter[bool] = Counter()
    for _ in range(ROUNDS):
        current = spoiled(chance)
        good = is_valid(current)
        seen[good] += 1
        if good:
            found = made.run([GOOD], settings=FULL).table
            assert found.to_batches()[0].equals(current)
        else:
            with pytest.raises(OperatorError, match=r"operator 'spoils'.*returned a broken batch"):
                made.run([GOOD], settings=FULL)
    assert min(seen[True], seen[False]) > ROUNDS // 20, seen
