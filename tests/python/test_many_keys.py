"""More keys than anybody wants: ten million, each seen once."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import Flow, agg, flow

KEYS = 10_000_000
ODD = 2_654_435_761  # times this, numbers below 2 ** 32 stay distinct and lose their order


def counted(rows: Flow) -> Flow:
    return rows.key_by("k").running(seen=agg.count(), name="count")


@pytest.mark.parametrize(
    "made",
    [counted, lambda rows: rows.parallel(counted, by="k", channels=4)],
    ids=["in parts", "on channels"],
)
def test_ten_million_keys_are_told_apart(made: Callable[[Flow], Flow]) -> None:
    numbers = pc.bit_wise_and(pc.multiply(pa.array(range(KEYS), pa.int64()), ODD), 2**32 - 1)
    keys = pa.table({"k": numbers})
    run = made(flow("f", "k long")).threading("conveyor", threads=2)
    batches = run.stream(keys.to_batches(max_chunksize=65536))
    most = rows = 0
    for batch in batches:
        most = max(most, pc.max(batch["seen"]).as_py())
        rows += batch.num_rows
    assert (rows, most) == (KEYS, 1)
