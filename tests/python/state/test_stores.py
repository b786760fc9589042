"""Stores: what they hold, and how it gets to Arrow and back."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.errors import FlowError
from penstock.state import Stores
from penstock.state.stores import Persistence
from penstock.wiring import channels_of

HOSTS = pa.schema([("host", pa.string())])


def counted(**values: int) -> Stores:
    stores = Stores("count", HOSTS)
    stores.create_store("seen", "bigint")
    for key, value in values.items():
        stores.put("seen", key, value)
    return stores


def test_a_store_is_put_to_looked_into_and_emptied() -> None:
    stores = counted(a=1)
    stores.put("seen", "a", 2)
    stores.put("seen", None, 3)
    assert stores.get("seen", "a") == 2
    assert stores.get("seen", "b") is None
    assert stores.get("seen", "b", 7) == 7
    assert stores.has("seen", None)
    assert not stores.has("seen", "b")
    assert list(stores.iterate("seen")) == [("a", 2), (None, 3)]
    stores.remove("seen", "a")
    stores.remove("seen", "a")
    assert list(stores.iterate("seen")) == [(None, 3)]
    assert len(stores) == 1


def test_a_store_may_change_while_it_is_iterated() -> None:
    stores = counted(a=1, b=2)
    for key, _ in stores.iterate("seen"):
        stores.remove("seen", key)
    assert len(stores) == 0


def test_stores_of_one_operator_are_apart() -> None:
    stores = counted(a=1)
    stores.create_store("last", "string")
    stores.put("last", "b", "x")
    assert not stores.has("last", "a")
    assert len(stores) == 2
    stores.remove_store("seen")
    assert stores.to_arrow().to_pylist() == [{"host": "b", "last": {"value": "x"}}]


def test_in_arrow_no_value_is_not_the_same_as_null() -> None:
    stores = counted(a=1)
    stores.create_store("last", "double")
    stores.put("last", "b", None)
    rows = stores.to_arrow()
    assert rows.schema == stores.schema
    assert rows.to_pylist() == [
        {"host": "a", "seen": {"value": 1}, "last": None},
        {"host": "b", "seen": None, "last": {"value": None}},
    ]
    again = counted()
    again.create_store("last", "double")
    again.from_arrow(rows)
    assert not again.has("last", "a")
    assert again.has("last", "b")
    assert again.to_arrow().equals(rows)


def test_only_what_is_checkpointed_can_be_chosen() -> None:
    stores = counted(a=1)
    stores.create_store("kept", "string", "checkpointed")
    stores.put("kept", "b", "x")
    kept = stores.to_arrow(persistence="checkpointed")
    assert kept.to_pylist() == [{"host": "b", "kept": {"value": "x"}}]
    assert stores.to_arrow(persistence="transient").column_names == ["host", "seen"]


def test_a_table_of_several_batches_and_other_encodings_is_taken() -> None:
    rows = counted(a=1, b=2).to_arrow()
    other = pa.RecordBatch.from_arrays(
        [rows["host"].dictionary_encode(), rows["seen"]], names=["host", "seen"]
    )
    table = pa.Table.from_batches([other.slice(1), other.slice(0, 1)])
    stores = counted(c=3)
    stores.from_arrow(table)
    assert dict(stores.iterate("seen")) == {"a": 1, "b": 2, "c": 3}


VALUES = st.none() | st.integers(-(2**63), 2**63 - 1)
LISTS = st.lists(st.text(max_size=3), max_size=3)
MAPS = st.dictionaries(st.text(max_size=3), st.none() | st.floats(allow_nan=False), max_size=3)
KEYS = st.tuples(st.none() | st.floats(), st.none() | st.text(max_size=2))


@settings(deadline=None)
@given(st.dictionaries(KEYS, st.tuples(VALUES, LISTS, MAPS), max_size=12))
def test_what_was_imported_is_what_was_exported(held: dict[Any, Any]) -> None:
    def empty() -> Stores:
        stores = Stores("f", pa.schema([("x", pa.float64()), ("s", pa.string())]))
        stores.create_store("value", "bigint")
        stores.create_store("list", "array<string>")
        stores.create_store("map", "map<string, double>")
        return stores

    stores = empty()
    for key, (value, items, entries) in held.items():
        stores.put("value", key, value)
        if items:
            stores.put("list", key, items)
        if entries:
            stores.put("map", key, entries)
    again = empty()
    again.from_arrow(stores.to_arrow())
    for store in stores:
        assert again.store(store.name).values == store.values


@settings(deadline=None)
@given(st.sets(st.integers(-(2**63), 2**63 - 1), max_size=60))
def test_channels_that_grow_and_shrink_lose_nothing_and_keep_what_is_theirs(keys: set[int]) -> None:
    def empty() -> Stores:
        stores = Stores("f", pa.schema([("n", pa.int64())]))
        stores.create_store("square", "string")
        return stores

    channels = [empty() for _ in range(8)]
    for key in keys:
        channels[0].put("square", key, str(key * key))
    for width in (1, 4, 2, 3, 8, 1):
        for own, stores in enumerate(channels):
            leaving = stores.donate(width, own, channels_of)
            first = 0
            for channel, rows in leaving.shares:
                channels[channel].from_arrow(leaving.batch.slice(first, rows))
                first += rows
            assert first == leaving.batch.num_rows == len(leaving.keys)
            stores.forget(leaving.keys)
        held = [key for stores in channels[:width] for key, _ in stores.iterate("square")]
        assert sorted(held) == sorted(keys)
        for own, stores in enumerate(channels):
            assert stores.donate(width, own, channels_of).shares == []
    assert dict(channels[0].iterate("square")) == {key: str(key * key) for key in keys}


@pytest.mark.parametrize(
    ("name", "kind", "persistence", "words"),
    [
        ("", "int", "transient", "a store needs a name, got ''"),
        (3, "int", "transient", "a store needs a name, got 3"),
        ("seen", "int", "transient", "'seen' is the name of another store or key column"),
        ("host", "int", "transient", "'host' is the name of another store or key column"),
        ("x", "it", "transient", "store 'x': .*'it'"),
        ("x", "int", "checkpoint", "did you mean 'checkpointed'"),
    ],
)
def test_a_store_that_cannot_be_is_refused(
    name: Any, kind: str, persistence: Persistence, words: str
) -> None:
    with pytest.raises(FlowError, match=words):
        counted().create_store(name, kind, persistence)


def test_mistakes_name_operator_store_and_value() -> None:
    stores = counted(a=1)
    with pytest.raises(FlowError, match="operator 'count': no store 'sen'; did you mean 'seen'"):
        stores.get("sen", "a")
    with pytest.raises(FlowError, match="operator 'count': no store 'x'"):
        stores.remove_store("x")
    with pytest.raises(FlowError, match=r"operator 'count': store 'seen': 'x' does not fit bigint"):
        stores.put("seen", "a", "x")
    with pytest.raises(FlowError, match=r"store 'seen': \[\] cannot be a key of type string"):
        stores.has("seen", [])


def test_a_value_that_no_arrow_array_can_hold_is_named_when_it_is_exported() -> None:
    stores = counted(a=1)
    stores.create_store("name", "string")
    stores.put("name", "b", "\ud800")
    with pytest.raises(FlowError, match=r"store 'name' holds .* for key 'b', which is not string"):
        stores.to_arrow()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ({"host": ["a"], "sen": [None]}, "no store is called 'sen'; did you mean 'seen'"),
        ({"seen": [None], "host": ["a"]}, r"key columns \['host'\] must come first"),
        ({"host": ["a"], "seen": ["x"]}, "column 'seen' must be struct<value: int64>, got string"),
        ({"host": [["a"]], "seen": [None]}, "column 'host' must be string, got list"),
    ],
)
def test_rows_that_are_no_state_of_these_stores_are_refused(
    rows: dict[str, Any], words: str
) -> None:
    with pytest.raises(FlowError, match=words):
        counted().from_arrow(pa.table(rows))
