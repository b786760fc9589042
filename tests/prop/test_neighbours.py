"""Operators of one key, with filters and new columns between them, as an interpreter has them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.prop.comparison import EXAMPLES
from tests.prop.library_runs import RUNS, Run, in_two_runs
from tests.prop.region_cases import tables

from penstock import Flow, agg, flow, windows
from penstock.parallel import Region
from penstock.regions import joined

Row = dict[str, Any]


def key(row: Row) -> str:
    """A key as keys are compared: NaN is itself, and -0.0 is 0.0."""
    return repr(row["k"] + 0.0 if isinstance(row["k"], float) else row["k"])


def first_three(rows: Iterator[Row]) -> Iterator[Row]:
    seen = Counter[str]()
    for row in rows:
        seen[key(row)] += 1
        if seen[key(row)] <= 3:
            yield row


def best_of_two(rows: Iterator[Row]) -> Iterator[Row]:
    waiting: dict[str, Row] = {}
    for row in rows:
        if key(row) in waiting:
            before = waiting.pop(key(row))
            last = before["j"] if row["j"] is None else row["j"]
            yield {"k": row["k"], "j": last, "n": max(before["n"], row["n"])}
        else:
            waiting[key(row)] = row


def sums(rows: Iterator[Row]) -> Iterator[Row]:
    known: dict[str, int] = defaultdict(int)
    for row in rows:
        known[key(row)] += row["n"]
        yield {**row, "n": known[key(row)]}


def upwards(rows: Iterator[Row]) -> Iterator[Row]:
    return ({**row, "n": row["n"] + 1} for row in rows)


def small(rows: Iterator[Row]) -> Iterator[Row]:
    return (row for row in rows if row["n"] < 1500)


def above_one(rows: Iterator[Row]) -> Iterator[Row]:
    return (row for row in rows if row["j"] is not None and row["j"] > 1)


def _paired(made: Flow) -> Flow:
    pairs = made.key_by("k").window(windows.tumbling(rows=2), flush=False)
    return pairs.agg(n=agg.max("n"), j=agg.last("j")).select("k", "j", "n")


def _summed(made: Flow) -> Flow:
    return made.key_by("k").running(s=agg.sum("n")).select("k", "j", n=pc.field("s"))


# What is in a region in any case, what divides itself, and what remembers nothing.
Step = tuple[Callable[[Flow], Flow], Callable[[Iterator[Row]], Iterator[Row]]]
IN_REGIONS: dict[str, Step] = {
    "first three": (lambda made: made.key_by("k").take(3), first_three),
    "best of two": (_paired, best_of_two),
}
DIVIDED: dict[str, Step] = {"sum": (_summed, sums)}
BETWEEN: dict[str, Step] = {
    "small": (lambda made: made.filter(pc.field("n") < 1500), small),
    "above one": (lambda made: made.filter(pc.field("j") > 1), above_one),
    "up": (lambda made: made.with_column("n", pc.field("n") + 1), upwards),
    "turn": (lambda made: made.select(*reversed(made.schema.names)), lambda rows: rows),
}
STEPS = IN_REGIONS | DIVIDED | BETWEEN


def comparable(rows: Iterable[Row]) -> list[tuple[str, ...]]:
    return [(key(row), repr(row["j"]), repr(row["n"])) for row in rows]


@settings(
    max_examples=4 * EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(
    table=tables(),
    head=st.sampled_from(sorted(IN_REGIONS)),
    words=st.lists(st.sampled_from(sorted(STEPS)), max_size=5),
    tail=st.sampled_from(sorted(IN_REGIONS | DIVIDED)),
    run=RUNS,
)
def test_neighbours_of_one_key_share_a_region_and_make_what_one_thread_makes(
    table: pa.Table, head: str, words: list[str], tail: str, run: Run
) -> None:
    made, rows = flow("f", table.schema), iter(table.to_pylist())
    for add, by_hand in (STEPS[word] for word in (head, *words, tail)):
        made, rows = add(made), by_hand(rows)
    # What follows the last operator with a key is not in it.
    region, *behind = joined(made.operators, 4)
    assert isinstance(region, Region)
    assert all(operator.kind == "stateless" for operator in behind)
    wanted = comparable(rows)
    assert comparable(run.of(made, table).to_pylist()) == wanted
    assert comparable(in_two_runs(made, table, len(table) // 2)) == wanted
