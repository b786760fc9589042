"""Keys in Python: equal exactly if the engine takes them for equal."""

from __future__ import annotations

import datetime
import decimal
import math
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock import agg, flow
from penstock.errors import FlowError
from penstock.state.keys import Keys
from penstock.wiring import channels_of

ZONE = "Europe/Berlin"
LONGS = st.integers(-(2**63), 2**63 - 1)
DAYS = st.dates(datetime.date(1900, 1, 1), datetime.date(2100, 1, 1))
INSTANTS = st.integers(-(10**15), 4 * 10**15)
VALUES: dict[pa.DataType, st.SearchStrategy[Any]] = {
    pa.bool_(): st.booleans(),
    pa.int8(): st.integers(-128, 127),
    pa.int64(): LONGS,
    pa.uint64(): st.integers(0, 2**64 - 1),
    pa.float32(): st.floats(width=32),
    pa.float64(): st.floats(),
    pa.string(): st.text(),
    pa.binary(): st.binary(),
    pa.date32(): DAYS,
    pa.time64("us"): st.times(),
    pa.timestamp("us"): st.datetimes(datetime.datetime(1900, 1, 1), datetime.datetime(2100, 1, 1)),
    pa.timestamp("us", ZONE): INSTANTS,
    pa.duration("us"): INSTANTS,
    pa.decimal128(20, 3): st.decimals(allow_nan=False, allow_infinity=False, places=3).filter(
        lambda value: abs(value) < 10**16
    ),
}


def keys_of(*columns: pa.Array) -> tuple[Keys, list[Any]]:
    keys = Keys(pa.schema([(f"k{place}", column.type) for place, column in enumerate(columns)]))
    return keys, keys.of_columns(columns)


@st.composite
def key_columns(draw: st.DrawFn) -> list[pa.Array]:
    rows = draw(st.integers(1, 12))
    kinds = draw(st.lists(st.sampled_from(list(VALUES)), min_size=1, max_size=3))
    return [
        pa.array(draw(st.lists(st.none() | VALUES[kind], min_size=rows, max_size=rows)), type=kind)
        for kind in kinds
    ]


@settings(deadline=None)
@given(key_columns())
def test_keys_are_equal_exactly_if_the_engine_counts_them_as_one(columns: list[pa.Array]) -> None:
    names = [f"k{place}" for place in range(len(columns))]
    batch = pa.RecordBatch.from_arrays(columns, names=names)
    counted = flow("f", batch.schema).key_by(*names).running(seen=agg.count())
    _, keys = keys_of(*columns)
    seen: dict[Any, int] = {}
    mine = []
    for key in keys:
        seen[key] = seen.get(key, 0) + 1
        mine.append(seen[key])
    assert mine == counted.run(batch).table["seen"].to_pylist()


@settings(deadline=None)
@given(key_columns())
def test_keys_that_became_columns_again_are_the_same_keys(columns: list[pa.Array]) -> None:
    keys, remembered = keys_of(*columns)
    again = keys.columns(remembered)
    assert [column.type for column in again] == [column.type for column in columns]
    assert keys.of_columns(again) == remembered


@settings(deadline=None)
@given(key_columns())
def test_a_key_that_a_user_writes_is_found(columns: list[pa.Array]) -> None:
    keys, remembered = keys_of(*columns)
    assert [keys.of_value(shown) for shown in keys.shown(remembered)] == remembered


def test_null_is_a_key_all_nan_are_one_and_minus_zero_is_zero() -> None:
    _, keys = keys_of(pa.array([None, math.nan, -math.nan, -0.0, 0.0, None]))
    assert len(set(keys)) == 3
    assert str(keys[3]) == "0.0"


def test_the_hour_that_a_clock_repeats_is_two_hours() -> None:
    first = int(datetime.datetime(2024, 10, 27, 0, 30, tzinfo=datetime.timezone.utc).timestamp())
    instants = pa.array([first * 10**6, (first + 3600) * 10**6], pa.timestamp("us", ZONE))
    shown = instants.to_pylist()
    assert shown[0].replace(tzinfo=None) == shown[1].replace(tzinfo=None)
    _, keys = keys_of(instants)
    assert len(set(keys)) == 2


def test_a_dictionary_is_not_part_of_the_key() -> None:
    plain = pa.array(["a", "b", "a", None])
    keys, remembered = keys_of(plain.dictionary_encode())
    assert remembered == ["a", "b", "a", None]
    assert keys.schema.types == [pa.string()]


def test_columns_of_a_key_are_not_run_together() -> None:
    _, keys = keys_of(pa.array(["a", "ab"]), pa.array(["bc", "c"]))
    assert len(set(keys)) == 2


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ([1], "cannot be a key of type bigint"),
        ("1", "cannot be a key of type bigint"),
        (1.5, "cannot be a key of type bigint"),
        (2**70, "cannot be a key of type bigint"),
    ],
)
def test_what_is_no_such_key_is_refused(key: Any, words: str) -> None:
    with pytest.raises(FlowError, match=words):
        Keys(pa.schema([("n", pa.int64())])).of_value(key)


def test_a_key_of_several_columns_is_a_tuple() -> None:
    keys = Keys(pa.schema([("a", pa.int64()), ("b", pa.string())]))
    assert keys.of_value((1, "x")) == (1, "x")
    with pytest.raises(FlowError, match=r"a tuple of 2 values, \(a, b\), got 1"):
        keys.of_value(1)


def test_equal_keys_go_to_the_same_channel_whatever_holds_them() -> None:
    values = [decimal.Decimal(n) for n in range(50)]
    narrow = pa.RecordBatch.from_arrays([pa.array(values, pa.decimal128(9, 0))], names=["k"])
    wide = pa.RecordBatch.from_arrays([pa.array(values, pa.decimal128(30, 0))], names=["k"])
    assert channels_of(narrow, 8) == channels_of(wide, 8)
    assert set(channels_of(wide, 8)) == set(range(8))
