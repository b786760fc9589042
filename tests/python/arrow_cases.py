"""Columns of every type that must pass through a flow unchanged, as batches that are hard to pass.

Each case is a list of arrays of one type: with nulls, without, sliced at odd offsets, long, and
with one array that has no rows. `from_spark` says whether Spark can send the type itself.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

UTC = dt.timezone.utc
LONG = "x" * 70_000  # longer than 64 KiB


@dataclass(frozen=True)
class Case:
    name: str
    type: pa.DataType
    values: tuple[Any, ...]
    from_spark: bool = True

    def arrays(self) -> list[pa.Array]:
        some = pa.array([*self.values, None], self.type)
        many = pa.array(list(self.values) * 7, self.type)
        return [
            some,
            pa.array([], self.type),
            many.slice(3),
            pa.nulls(3, self.type),
            pa.concat_arrays([some, many, some]).slice(1, len(many)),
        ]

    def batches(self) -> list[pa.RecordBatch]:
        """The arrays as column `c`, beside a column that tells every row from the others."""
        made, first = [], 0
        for array in self.arrays():
            rows = pa.array(range(first, first + len(array)), pa.int64())
            made.append(pa.record_batch([rows, array], names=["row", "c"]))
            first += len(array)
        return made

    def schema(self) -> pa.Schema:
        return pa.schema([("row", pa.int64()), ("c", self.type)])


STRUCT = pa.struct([("a", pa.int32()), ("b", pa.struct([("c", pa.string())]))])

CASES = [
    Case("boolean", pa.bool_(), (True, False)),
    Case("tinyint", pa.int8(), (-128, 127)),
    Case("smallint", pa.int16(), (-(2**15), 2**15 - 1)),
    Case("int", pa.int32(), (-(2**31), 2**31 - 1)),
    Case("bigint", pa.int64(), (-(2**63), 2**63 - 1)),
    Case("float", pa.float32(), (0.5, -0.0, float("inf"))),
    Case("double", pa.float64(), (0.1, -0.0, float("-inf"))),
    Case("string", pa.string(), ("", "ä😀", "a\0b")),
    Case("long string", pa.string(), (LONG, "short")),
    Case("binary", pa.binary(), (b"", b"\xff\x00", b"x" * 70_000)),
    Case("date", pa.date32(), (dt.date(1, 1, 1), dt.date(9999, 12, 31))),
    Case(
        "timestamp",
        pa.timestamp("us", tz="UTC"),
        (dt.datetime(1969, 12, 31, 23, 59, 59, 999_999, UTC), dt.datetime(2038, 1, 20, tzinfo=UTC)),
    ),
    Case("timestamp_ntz", pa.timestamp("us"), (dt.datetime(2024, 3, 31, 2, 30, 0, 1),)),
    Case("interval", pa.duration("us"), (dt.timedelta(days=-1, microseconds=1),)),
    Case("decimal", pa.decimal128(38, 18), (Decimal("-12345678901234567890.123456789012345678"),)),
    Case("small decimal", pa.decimal128(5, 2), (Decimal("-999.99"), Decimal("0.01"))),
    Case("void", pa.null(), (None,)),
    Case("array", pa.list_(pa.int32()), ([], [1, None, 3])),
    Case("nested array", pa.list_(pa.list_(pa.string())), ([[], None, ["a", None]],)),
    Case("map", pa.map_(pa.string(), pa.int64()), ([], [("k", 1), ("l", None)])),
    Case("struct", STRUCT, ({"a": 1, "b": {"c": "x"}}, {"a": None, "b": None})),
    Case("array of struct", pa.list_(STRUCT), ([{"a": 1, "b": None}, None],)),
    Case(
        "map of array of struct",
        pa.map_(pa.int32(), pa.list_(STRUCT)),
        ([(1, [{"a": 2, "b": {"c": "y"}}])],),
    ),
    Case("large string", pa.large_string(), ("a", ""), from_spark=False),
    Case("large binary", pa.large_binary(), (b"a",), from_spark=False),
    Case("large list", pa.large_list(pa.int8()), ([1],), from_spark=False),
    Case("fixed list", pa.list_(pa.int8(), 2), ([1, 2],), from_spark=False),
    Case("fixed binary", pa.binary(3), (b"abc",), from_spark=False),
    Case("unsigned", pa.uint64(), (2**64 - 1,), from_spark=False),
    Case("half float", pa.float16(), (np.float16(1.5),), from_spark=False),
    Case("time", pa.time64("us"), (dt.time(23, 59, 59, 999_999),), from_spark=False),
    Case("date64", pa.date64(), (dt.date(2024, 2, 29),), from_spark=False),
    Case("nanoseconds", pa.timestamp("ns", tz="Asia/Kathmandu"), (1,), from_spark=False),
    Case("decimal256", pa.decimal256(50, 2), (Decimal("1.25"),), from_spark=False),
    Case("dictionary", pa.dictionary(pa.int8(), pa.string()), ("a", "b"), from_spark=False),
]


def changing_dictionaries() -> list[pa.RecordBatch]:
    """Batches of one dictionary type, each with a dictionary of its own."""
    columns = [
        pa.DictionaryArray.from_arrays(pa.array([0, 1, None], pa.int32()), ["a", "b"]),
        pa.DictionaryArray.from_arrays(pa.array([1, 0], pa.int32()), ["b", "c"]),
        pa.DictionaryArray.from_arrays(pa.array([2, 2, 0, 1], pa.int32()), ["x", "y", "a"])[1:],
    ]
    return [pa.record_batch([column], names=["c"]) for column in columns]
