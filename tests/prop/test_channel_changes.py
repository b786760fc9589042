"""Channels that come and go while rows are under way, asked for from inside an operator."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from tests.prop.asking import Asking

from penstock import Elastic, Flow, agg, flow
from penstock.threading_model import MODELS

ROWS, ROWS_PER_TUPLE = 4096, 16
TABLE = pa.table({"k": [i * i % 37 for i in range(ROWS)], "n": list(range(ROWS))})


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("model", MODELS)
def test_totals_go_on_whatever_channel_a_key_is_on(model: str, threads: int) -> None:
    asking = Asking()
    channels_of: Counter[int] = Counter()

    def note(batch: pa.RecordBatch) -> pa.RecordBatch:
        if batch.num_rows:  # it is tried without
            channels_of[batch["n"][0].as_py() // ROWS_PER_TUPLE] += 1
        return batch

    def totals(rows: Flow) -> Flow:
        return rows.key_by("k").running(total=agg.sum("n"), rows=agg.count()).map(note)

    made = flow("f", "k long, n long").map(asking)
    made = made.parallel(totals, by="k", channels=Elastic(1, 8), name="r")
    table = asking.run(made, TABLE, model, threads, rows_per_tuple=ROWS_PER_TUPLE)
    sums, counts = Counter[int](), Counter[int]()
    for key, n, total, rows in zip(*(c.to_pylist() for c in table.columns), strict=True):
        sums[key] += n
        counts[key] += 1
        assert (total, rows) == (sums[key], counts[key])
    assert table["n"].to_pylist() == list(range(ROWS))
    assert len(set(channels_of.values())) > 2, "the number of channels has changed"


@pytest.mark.parametrize("controller", ["throughput", "utilization"])
@pytest.mark.parametrize("model", ["conveyor", "dynamic"])
def test_rows_keep_their_order_while_threads_change_as_well(model: str, controller: str) -> None:
    def totals(rows: Flow) -> Flow:
        return rows.key_by("k").running(total=agg.sum("n"))

    asking = Asking()
    start = flow("f", "k long, n long").map(asking)
    wanted = totals(start).run(TABLE).table
    made = start.parallel(totals, by="k", channels=Elastic(1, 8), name="r")
    made = made.parallel(lambda rows: rows.map(lambda batch: batch), channels=Elastic(1, 4))
    table = asking.run(made, TABLE, model, 3, rows_per_tuple=ROWS_PER_TUPLE, controller=controller)
    assert table.to_pylist() == wanted.to_pylist()


@pytest.mark.parametrize("model", ["conveyor", "dynamic"])
def test_joins_and_patterns_go_on_whatever_channel_a_key_is_on(model: str) -> None:
    def joined(rows: Flow) -> Flow:
        odd, even = rows.split(pc.bit_wise_and(pc.field("n"), 1) == 1)
        return odd.join(even, on="k", how="left", within=300, on_time="n")

    def found(rows: Flow) -> Flow:
        odd = pc.bit_wise_and(pc.field("n"), 1) == 1
        return rows.key_by("k").pattern("odd{2,} then even", on="n", within=500, odd=odd, even=~odd)

    for body in (joined, found):
        asking = Asking()
        start = flow("f", "k long, n long").map(asking)
        wanted = body(start).run(TABLE).table
        made = start.parallel(body, by="k", channels=Elastic(1, 8), name="r")
        table = asking.run(made, TABLE, model, 2, rows_per_tuple=ROWS_PER_TUPLE)
        assert table.num_rows > 100
        assert table.to_pylist() == wanted.to_pylist(), "nothing lost, doubled or out of order"
