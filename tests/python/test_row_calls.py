"""What the engine calls: arrays by address, and state that moves between instances."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from penstock import flow, state
from penstock.c_data import CStruct
from penstock.errors import FlowError
from penstock.row_calls import RowCalls, StateCalls
from penstock.row_operator import RowOperator
from penstock.rows import Row
from penstock.wiring import channels_of

WIDTHS = (1, 4, 2, 3, 8, 1)
GIVEN = pa.schema([("k", pa.int64()), ("n", pa.int64())])
MADE = pa.schema([("k", pa.int64()), ("total", pa.int64()), ("recent", pa.int64())])


class Totals:
    total = state.Value("bigint")
    recent = state.List("bigint")

    def process(self, row: Row) -> Iterator[tuple[int, ...]]:
        if row.n < 0:
            raise ValueError("negative")
        self.total.put(self.total.get(0) + row.n)
        self.recent.append(row.n)
        if row.n % 3:
            yield row.k, self.total.get(), len(self.recent)
        if len(self.recent) == 3:
            self.recent.clear()


def totals() -> RowOperator:
    made = flow("f", GIVEN).key_by("k").apply(Totals(), MADE).operators[0]
    assert isinstance(made, RowOperator)
    return made


class Channel:
    """One instance, reached by addresses alone."""

    def __init__(self) -> None:
        self.rows = RowCalls(totals())
        assert self.rows.body.stores is not None
        self.state = StateCalls(self.rows.body.stores, channels_of)
        self.schema = self.rows.body.stores.schema

    def process(self, batch: pa.RecordBatch) -> tuple[Any, pa.RecordBatch, list[int]]:
        given, made, rows = CStruct(10), CStruct(10), CStruct(10)
        batch._export_to_c(given.address)
        returned = self.rows.process(given.address, made.address, rows.address)
        if not made.is_held(release=8):
            assert not rows.is_held(release=8)
            return returned, batch.slice(0, 0), []
        batch = pa.RecordBatch._import_from_c(made.address, MADE)
        return returned, batch, pa.Array._import_from_c(rows.address, pa.int32()).to_pylist()

    def donate(self, channels: int, own: int) -> list[tuple[int, pa.RecordBatch]]:
        out = CStruct(10)
        shares = self.state.donate(channels, own, out.address)
        if not shares:
            assert not out.is_held(release=8)
            return []
        batch = pa.RecordBatch._import_from_c(out.address, self.schema)
        cuts, first = [], 0
        for channel, rows in shares:
            cuts.append((channel, batch.slice(first, rows)))
            first += rows
        assert first == batch.num_rows
        return cuts

    def collect(self, batch: pa.RecordBatch) -> None:
        given = CStruct(10)
        batch._export_to_c(given.address)
        self.state.collect(given.address)

    def snapshot(self) -> list[dict[str, Any]]:
        out = CStruct(10)
        self.state.snapshot(out.address)
        rows = pa.RecordBatch._import_from_c(out.address, self.schema).to_pylist()
        return sorted(rows, key=lambda row: int(row["k"]))


def batch_of(keys: list[int], values: list[int]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.array(keys), pa.array(values)], schema=GIVEN)


def test_rows_come_with_the_row_that_each_was_made_of() -> None:
    returned, made, rows = Channel().process(batch_of([1, 1, 2, 1], [3, 4, 5, 6]))
    assert returned == 2
    assert made.to_pydict() == {"k": [1, 2], "total": [7, 5], "recent": [2, 1]}
    assert rows == [1, 2]


def test_a_failed_row_comes_back_beside_what_was_made_before_it() -> None:
    count, row, failure = Channel().process(batch_of([1, 1, 1, 1], [1, 2, -1, 4]))[0]
    assert (count, row, str(failure)) == (2, 2, "negative")


def test_channels_that_change_while_rows_flow_are_as_good_as_one() -> None:
    draw = random.Random(9)
    one, channels = Channel(), [Channel() for _ in range(max(WIDTHS))]
    for width in WIDTHS:
        moved = [cut for own, channel in enumerate(channels) for cut in channel.donate(width, own)]
        for to, rows in moved:
            channels[to].collect(rows)
        batch = batch_of([draw.randrange(40) for _ in range(200)], [draw.randrange(9)] * 200)
        _, right, right_rows = one.process(batch)
        places = channels_of(batch.select(["k"]), width)
        made: list[tuple[int, dict[str, Any]]] = []
        for own, channel in enumerate(channels):
            mine = [row for row, place in enumerate(places) if place == own]
            _, rows, origins = channel.process(batch.take(pa.array(mine, pa.int32())))
            if origins:
                made += zip((mine[origin] for origin in origins), rows.to_pylist(), strict=True)
        made.sort(key=lambda each: each[0])
        assert [row for row, _ in made] == right_rows
        assert [values for _, values in made] == (right.to_pylist() if right_rows else [])
        assert sum(channel.state.keys() for channel in channels) == one.state.keys()
    assert channels[0].snapshot() == one.snapshot()


def test_a_donation_that_fails_forgets_nothing() -> None:
    channel = Channel()
    channel.process(batch_of(list(range(20)), [1] * 20))
    before = channel.snapshot()

    def lost(_: pa.RecordBatch, __: int) -> list[int]:
        raise ValueError("no such ring")

    broken = StateCalls(channel.state._stores, lost)
    with pytest.raises(ValueError, match="no such ring"):
        broken.donate(4, 0, CStruct(10).address)
    stores = channel.rows.body.stores
    assert stores is not None
    stores.store("total").values[3] = "x"
    with pytest.raises(FlowError, match=r"store 'total' holds 'x' for key 3"):
        channel.state.donate(4, 0, CStruct(10).address)
    stores.store("total").values[3] = 1
    assert channel.snapshot() == before
