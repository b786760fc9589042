"""What runs while things are killed: flows of every kind, each beside its rows by one thread.

All take `id long` and give `id` and `value`, so that lost, double and misplaced rows can be told.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import penstock
from integration.chaos.gate import Gate
from penstock import Elastic, Flow, agg, state
from penstock.rows import Row

KEYS = 37
MADE = "id long, value long"
Rows = list[tuple[int, int]]


def begun(name: str, gate: Gate) -> Flow:
    return penstock.flow(name, "id long").map(gate, name="gate")


def stateless(gate: Gate) -> Flow:
    kept = begun("stateless", gate).filter(pc.bit_wise_and(pc.field("id"), 3) != 0)
    return kept.select("id", value=pc.field("id") * 3)


def stateless_rows(ids: Iterable[int]) -> Rows:
    return [(number, number * 3) for number in ids if number & 3]


def with_key(batch: pa.RecordBatch) -> pa.RecordBatch:
    keys = [number * 7919 % KEYS for number in batch["id"].to_pylist()]
    return batch.append_column("key", pa.array(keys, pa.int64()))


def keyed(gate: Gate) -> Flow:
    rows = begun("keyed", gate).map(with_key, "id long, key long", name="with_key")
    return rows.key_by("key").running(value=agg.sum("id")).select("id", "value")


def keyed_rows(ids: Iterable[int]) -> Rows:
    totals: dict[int, int] = {}
    made = []
    for number in ids:
        key = number * 7919 % KEYS
        totals[key] = totals.get(key, 0) + number
        made.append((number, totals[key]))
    return made


class Differences:
    """By how much a row's number is larger than the one before it of its key."""

    last = state.Value("bigint")

    def process(self, row: Row) -> Iterator[tuple[int, int]]:
        yield row.id, row.id - self.last.get() if self.last.has() else -1
        self.last.put(row.id)


def region(gate: Gate) -> Flow:
    rows = begun("region", gate).map(with_key, "id long, key long", name="with_key")
    return rows.parallel(
        lambda inside: inside.key_by("key").apply(Differences(), MADE, name="differences"),
        by="key",
        channels=Elastic(1, 4),
    )


def region_rows(ids: Iterable[int]) -> Rows:
    last: dict[int, int] = {}
    made = []
    for number in ids:
        key = number * 7919 % KEYS
        made.append((number, number - last[key] if key in last else -1))
        last[key] = number
    return made


@penstock.compiled
def counted(state: Any, row: Any, out: Any) -> None:
    state.seen += 1
    out.emit(row.id, state.seen * 1000 + row.id % 1000)


def compiled(gate: Gate) -> Flow:
    rows = begun("compiled", gate).map(with_key, "id long, key long", name="with_key")
    return rows.key_by("key").process(counted, out=MADE, state="seen long")


def compiled_rows(ids: Iterable[int]) -> Rows:
    seen: dict[int, int] = {}
    made = []
    for number in ids:
        key = number * 7919 % KEYS
        seen[key] = seen.get(key, 0) + 1
        made.append((number, seen[key] * 1000 + number % 1000))
    return made


def pairs(rows: Any, out: Any) -> Generator[Any, Any, None]:
    """Two rows at a time: the sum of both stands in both; one that is left over stands alone."""
    while (yield penstock.wait_all(rows=2)):
        ids = rows.take(2)["id"].to_pylist()
        out.push({"id": ids, "value": [sum(ids)] * 2})
    left = rows.take()
    out.push(left.append_column("value", pa.array([-1] * left.num_rows, pa.int64())))


def loop(gate: Gate) -> Flow:
    return begun("loop", gate).loop(pairs, out=MADE)


def loop_rows(ids: Iterable[int]) -> Rows:
    given = list(ids)
    made = []
    for first, second in zip(given[::2], given[1::2], strict=False):
        made += [(first, first + second), (second, first + second)]
    if len(given) % 2:
        made.append((given[-1], -1))
    return made


@dataclass(frozen=True)
class Case:
    """A flow around a gate, and what it makes of the rows of one partition."""

    flow: Callable[[Gate], Flow]
    by_one_thread: Callable[[Iterable[int]], Rows]

    @property
    def name(self) -> str:
        return self.flow.__name__


CASES = [
    Case(stateless, stateless_rows),
    Case(keyed, keyed_rows),
    Case(region, region_rows),
    Case(compiled, compiled_rows),
    Case(loop, loop_rows),
]
