"""Operators of the library in one flow on Spark: row for row what the flow makes by itself."""

from __future__ import annotations

from collections import Counter
from typing import Any

import page_rank
import pyarrow.compute as pc
from tests.kernels import oracles
from tests.kernels import page_rank as kernel

import penstock
from integration.settings import settings
from penstock import agg, windows
from penstock.rows import Row

LINES = 6_000
LEAST = 3


@penstock.compiled
def changed(state: Any, row: Row, out: Any) -> None:
    if state.known == 0 or abs(row.value - state.stored) > LEAST:
        state.known = 1
        state.stored = row.value
        out.keep()


def trades() -> penstock.Flow:
    """Lines of text, some of them twice and some broken, to the longest rises of each symbol."""
    parsed = penstock.flow("trades", "line string, ts long").parse(
        "line", "{side} {symbol} {value:int}", on_mismatch="drop"
    )
    known = parsed.dedup("side", "symbol", "ts").key_by("symbol", "side")
    moved = known.process(changed, state="known long, stored long")
    bids, asks = moved.split(pc.field("side") == "bid")
    priced = bids.select("symbol", "ts", bid=pc.field("value")).join_asof(
        asks.select("symbol", "ts", ask=pc.field("value")), on="ts", by="symbol"
    )
    whole = priced.filter(pc.field("ask").is_valid()).key_by("symbol")
    fours = whole.window(windows.tumbling(rows=4), flush=True).agg(
        bid=agg.mean("bid"), ask=agg.max("ask"), ts=agg.last("ts")
    )
    high = pc.field("bid") > 50
    found = fours.key_by("symbol").pattern("low then high+", on="ts", high=high, low=~high)
    made: penstock.Flow = found.key_by("symbol").top_k(3, by="rows")
    return made


def test_operators_of_the_library_make_on_spark_what_they_make_without(spark: Any) -> None:
    flow = trades()
    side = "CASE WHEN id % 3 = 0 THEN 'ask' ELSE 'bid' END"
    symbol = "CASE WHEN id % 29 = 0 THEN 'é' ELSE concat('s', id * 7919 % 11) END"
    line = f"concat({side}, ' ', {symbol}, ' ', id * id % 101)"
    lines = spark.range(0, LINES, 1, 1).selectExpr(
        f"CASE WHEN id % 41 = 0 THEN NULL WHEN id % 43 = 0 THEN 'torn' ELSE {line} END AS line",
        "id div 2 AS ts",
    )
    with settings(spark, {"spark.sql.execution.arrow.maxRecordsPerBatch": "700"}):
        found = [tuple(row) for row in lines.transform(flow).collect()]
    wanted = flow.run(lines.toArrow()).to_pylist()
    assert found == [tuple(row.values()) for row in wanted]
    assert len(found) > 20


EDGES = [(source, target) for source in range(12) for target in range(source, 12, source + 1)]
STEPS = 10


def test_ranks_that_go_round_on_spark_are_exactly_those_of_the_kernel(spark: Any) -> None:
    rows = [
        (step, source, target, at == len(EDGES) - 1)
        for step in range(STEPS)
        for at, (source, target) in enumerate(EDGES)
    ]
    edges = spark.createDataFrame(rows, kernel.INPUT).coalesce(1)
    made = edges.sortWithinPartitions("step", "last").transform(kernel.page_rank)
    assert [row.asDict() for row in made.collect()] == oracles.page_rank(EDGES, STEPS)


def test_the_example_ranks_pages_on_spark_as_a_plain_loop_does(spark: Any) -> None:
    links = [(f"p{source:02}", f"p{target:02}") for source, target in EDGES]
    degree = Counter(source for source, _ in links)
    ranks = dict.fromkeys(degree, 1.0)
    for _ in range(STEPS):
        sums = dict.fromkeys(degree, 0.0)
        for source, target in links:  # added up in the order in which the flow does
            sums[target] += ranks[source] / degree[source]
        ranks = {page: 0.15 + 0.85 * total for page, total in sums.items()}
    made = page_rank.ranked(spark, links, STEPS).collect()
    assert [(row.page, row.rank) for row in made] == sorted(ranks.items())
