"""Where batches are cut when nobody has said how long tuples shall be."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import agg, flow
from penstock.flow import Flow
from penstock.result import Result
from penstock.threading_model import ModelName

ROWS = 50_000
SHARED: tuple[ModelName, ...] = ("conveyor", "dynamic", "automatic")
TABLE = pa.table({"k": [n % 7 for n in range(ROWS)], "v": list(range(ROWS))})


def rows() -> Flow:
    return flow("cut", "k long, v long")


def native() -> Flow:
    kept = rows().filter(pc.field("v") > 10, name="some")
    return kept.key_by("k").running(total=agg.sum("v"), name="totals")


def tuples(made: Result, operator: str) -> int:
    assert made.metrics is not None
    return made.metrics.operator(operator).tuples


@pytest.mark.parametrize("model", SHARED)
def test_threads_share_a_batch_and_what_comes_of_it_is_one_batch_again(model: ModelName) -> None:
    made = native().threading(model, threads=2).run(TABLE)
    assert tuples(made, "totals") > 1
    assert made.table.equals(native().run(TABLE).table)
    assert made.table.column("total").num_chunks == 1


def test_one_thread_takes_whole_batches() -> None:
    assert tuples(native().run(TABLE), "totals") == 1


@pytest.mark.parametrize("model", SHARED)
def test_a_function_of_a_batch_gets_the_batches_that_came(model: ModelName) -> None:
    given: list[int] = []

    def noting(batch: pa.RecordBatch) -> pa.RecordBatch:
        given.append(batch.num_rows)
        return batch

    made = rows().select("k", "v", name="first").map(noting, "k long, v long", name="noting")
    given.clear()  # it was tried where it was written
    made.threading(model, threads=2).run(TABLE)
    assert given == [ROWS]


@pytest.mark.parametrize("model", SHARED)
def test_a_region_is_cut_as_its_operators_are(model: ModelName) -> None:
    def body(part: Flow) -> Flow:
        return part.key_by("k").running(total=agg.sum("v"), name="totals")

    region = rows().parallel(body, by="k", channels=2, name="region")
    made = region.threading(model, threads=2).run(TABLE)
    assert tuples(made, "region") > 1
    assert made.table.equals(body(rows()).run(TABLE).table)


@pytest.mark.parametrize("model", SHARED)
def test_a_region_in_the_order_of_keys_alone_gets_whole_batches(model: ModelName) -> None:
    region = rows().parallel(
        lambda part: part.select("k"), by="k", channels=2, order="key", name="region"
    )
    assert tuples(region.threading(model, threads=2).run(TABLE), "region") == 1
