"""Operators of the library in one flow on Spark: row for row what the flow makes by itself."""

from __future__ import annotations

from typing import Any

import pyarrow.compute as pc

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
