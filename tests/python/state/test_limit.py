"""The limit of what Python remembers: it is kept, and says who took the memory."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from penstock import flow, state
from penstock.errors import FlowError, OperatorError
from penstock.rows import Row
from penstock.state import Stores
from penstock.state.limit import Limit, bytes_of

LIMIT = "spark.penstock.state.maxBytes"


class Remembers:
    items = state.List("string")

    def process(self, row: Row) -> None:
        self.items.append(row.text)


def remember(keys: int, rows: int, most: int, size: Callable[[int], int] = lambda _: 100) -> None:
    data = pa.table(
        {
            "k": [f"key {n % keys}" for n in range(rows)],
            "text": ["x" * size(n % keys) for n in range(rows)],
        }
    )
    made = flow("f", "k string, text string").key_by("k").apply(Remembers(), name="memory")
    made.run(data, settings={LIMIT: most, "spark.penstock.tuple.rows": 16})


def test_what_stays_below_the_limit_runs() -> None:
    remember(keys=10, rows=1000, most=1_000_000)
    remember(keys=10, rows=1000, most=0)


@pytest.mark.parametrize("keys", [1, 10, 10_000])
def test_more_keys_or_more_for_a_key_reach_the_limit(keys: int) -> None:
    with pytest.raises(OperatorError, match=f"{LIMIT} allows 100000: raise it") as raised:
        remember(keys=keys, rows=10_000, most=100_000)
    assert raised.value.operator == "memory"
    assert raised.value.row < 3000


def test_the_largest_keys_are_named_with_their_size() -> None:
    with pytest.raises(OperatorError, match=r"the largest 'key 7' \(\d+\), 'key \d+' \(\d+\), "):
        remember(keys=50, rows=10_000, most=100_000, size=lambda key: 3000 if key == 7 else 10)


def test_what_is_counted_is_what_python_says() -> None:
    stores = Stores("f", pa.schema([("k", pa.string())]))
    stores.create_store("one", "string")
    stores.create_store("many", "array<string>")
    stores.create_store("named", "map<string, bigint>")
    empty = bytes_of(stores)
    values: list[Any] = ["x" * 1000, ["y" * 50] * 9, {"z" * 20: 5}]
    for name, value in zip(("one", "many", "named"), values, strict=True):
        stores.put(name, "a", value)
    items = 9 * sys.getsizeof("y" * 50) + sys.getsizeof("z" * 20) + sys.getsizeof(5)
    dicts = sum(sys.getsizeof(store.values) for store in stores) - empty
    held = [stores.get(name, "a") for name in ("one", "many", "named")]
    expected = 3 * sys.getsizeof("a") + sum(map(sys.getsizeof, held)) + items
    assert bytes_of(stores) - empty == expected + dicts


def test_keys_are_looked_at_once_for_as_many_rows_as_there_are_keys() -> None:
    stores = Stores("f", pa.schema([("k", pa.int64())]))
    stores.create_store("one", "bigint")
    limit = Limit(stores, 50_000)
    for key in range(100):
        stores.put("one", key, key)
    limit.check(1)
    for key in range(100, 10_000):
        stores.put("one", key, key)
    limit.check(99)
    with pytest.raises(FlowError, match=r"operator 'f': what it remembers takes .* for 10000 keys"):
        limit.check(1)
