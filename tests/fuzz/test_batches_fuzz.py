"""Batches with wrong offsets from Python code: the full check refuses them (T8, F9).

Buffers of good batches are changed at random. What Arrow's own full validation finds wrong must be
refused with the operator's name, before anything is done to it; what it does not must come through
as it is. Nothing crashes. `make fuzz` does the same to many more.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from tests.fuzz.amount import STREAMS, share
from tests.fuzz.spoiled import DDL, GOOD, SCHEMA, is_valid, spoiled

from penstock import Flow, FlowError, OperatorError, flow, wait_all
from penstock.bodies import body_of
from penstock.c_data import CStruct

ROUNDS = share(0.003)
ARRAY_WORDS = 10
FULL = {"spark.penstock.check.batches": "full", "spark.penstock.error.locateRow": "false"}


# All rows have one key.
GIVEN = GOOD.append_column("one", pa.array([1] * GOOD.num_rows, pa.int64()))


class Makes:
    """Python code of every kind that makes a batch, which is `current`, of all rows."""

    def __init__(self) -> None:
        self.current = GOOD

    def map(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        return self.current if batch.num_rows else GOOD.slice(0, 0)

    def parts(self, batch: pa.RecordBatch) -> Any:
        yield GOOD.slice(0, 0)
        yield self.map(batch)

    def table(self, batch: pa.RecordBatch) -> pa.Table:
        return pa.Table.from_batches([GOOD.slice(0, 0), self.map(batch)])

    def first(self, row: pa.RecordBatch) -> Any:
        return self.parts(row) if row.num_rows and row["n"][0].as_py() == 0 else []

    def group(self, _key: Any, batch: pa.RecordBatch) -> pa.RecordBatch:
        return self.map(batch)

    def loop(self, rows: Any, out: Any) -> Any:
        while (yield wait_all(rows=GOOD.num_rows)):
            out.push(self.map(rows.take()))

    def loop_of_tables(self, rows: Any, out: Any) -> Any:
        while (yield wait_all(rows=GOOD.num_rows)):
            out.push(self.table(rows.take()))


WAYS: dict[str, Callable[[Flow, Makes], Flow]] = {
    "map": lambda rows, makes: rows.map(makes.map, DDL, name="spoils"),
    "flat_map": lambda rows, makes: rows.flat_map(makes.parts, DDL, name="spoils"),
    "flat_map, table": lambda rows, makes: rows.flat_map(makes.table, DDL, name="spoils"),
    "flat_map, by key": lambda rows, makes: rows.parallel(
        lambda part: part.flat_map(makes.first, DDL, name="spoils"), by="one", channels=2
    ),
    "map_groups": lambda rows, makes: rows.key_by("one").map_groups(
        makes.group, out=DDL, name="spoils"
    ),
    "loop": lambda rows, makes: rows.loop(makes.loop, DDL, name="spoils"),
    "loop, table": lambda rows, makes: rows.loop(makes.loop_of_tables, DDL, name="spoils"),
}


@pytest.mark.parametrize("model", ["manual", "conveyor"])
@pytest.mark.parametrize("way", WAYS)
def test_broken_batches_are_refused_by_name_and_whole_ones_pass(way: str, model: str) -> None:
    chance = random.Random(f"batches {way} {model}")
    makes = Makes()
    made = WAYS[way](flow("f", f"{DDL}, one long"), makes).threading(model)  # type: ignore[arg-type]
    seen: Counter[bool] = Counter()
    for _ in range(ROUNDS):
        makes.current = spoiled(chance)
        good = is_valid(makes.current)
        seen[good] += 1
        if good:
            found = made.run([GIVEN], settings=FULL).table
            assert found.combine_chunks().to_batches()[0].equals(makes.current)
        else:
            with pytest.raises(OperatorError, match=r"operator 'spoils'.*returned a broken batch"):
                made.run([GIVEN], settings=FULL)
    assert min(seen[True], seen[False]) > ROUNDS // 20, seen


def test_no_broken_stream_of_very_many_gets_into_the_engine() -> None:
    chance = random.Random("streams")
    makes = Makes()
    body = body_of(flow("f", DDL).map(makes.map, DDL, name="spoils").operators[0], full_check=True)
    given, made = CStruct(ARRAY_WORDS), CStruct(ARRAY_WORDS)
    seen: Counter[bool] = Counter()
    for _ in range(STREAMS):
        makes.current = spoiled(chance)
        GOOD._export_to_c(given.address)
        good = is_valid(makes.current)
        seen[good] += 1
        if good:
            assert body(given.address, made.address) == GOOD.num_rows
            assert pa.RecordBatch._import_from_c(made.address, SCHEMA).equals(makes.current)
        else:
            with pytest.raises(FlowError, match="returned a broken batch"):
                body(given.address, made.address)
    assert min(seen[True], seen[False]) > STREAMS // 20, seen
