"""What must hold in every mode of Spark: each check is a sentence and takes a session.

They are plain functions, so that a process which speaks Spark Connect can run them as well.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import break_ins
import pyarrow.compute as pc
import sshd_log
from pyspark.sql import functions as F

import penstock
from integration import flows
from integration.counting import OBSERVE, by_hand, counted, told
from integration.oracle import assert_same, by_rows
from integration.settings import settings

Check = Callable[[Any], None]
NARROW = "word string, seq long"
MADE = "letter string, seq long, twice double"


def words(spark: Any, rows: int, partitions: int) -> Any:
    """Rows of `flows.WORDS` with nulls, empty strings, short and long words."""
    seq = F.col("id")
    word = F.when(seq % 7 != 3, F.expr("repeat(string(id), int(id % 5))"))
    weight = F.when(seq % 11 != 5, (seq % 13) / 13)
    return spark.range(0, rows, 1, partitions).select(
        seq.alias("seq"), word.alias("word"), weight.alias("weight")
    )


def the_demo_flow_equals_plain_pyspark(spark: Any) -> None:
    folder = Path(os.environ["TMPDIR"]) / "log"
    sshd_log.write(folder, lines=10_000, seed=5)
    lines = spark.read.parquet(f"{folder}/*.parquet")
    # Spark's own regular expressions are Java's, which spell a named group without the P.
    pattern = break_ins.ATTEMPT.replace("(?P<", "(?<")
    attempts = lines.where(F.regexp("line", F.lit(pattern)))
    time, event, user, rhost = (F.regexp_extract("line", pattern, n) for n in range(1, 5))
    stamp = F.concat(F.lit(f"{sshd_log.YEAR} "), F.regexp_replace(time, " +", " "))
    with settings(spark, {"spark.sql.session.timeZone": "UTC"}):
        plain = attempts.select(
            "seq",
            F.to_timestamp(stamp, "yyyy MMM d HH:mm:ss").alias("time"),
            rhost.alias("rhost"),
            user.alias("user"),
            F.when(event == "Failed", "failure").otherwise("login").alias("event"),
        )
        assert assert_same(lines.transform(break_ins.flow), plain) > 1_000


def every_operator_equals_plain_pyspark(spark: Any) -> None:
    df = words(spark, 6_000, 3)
    plain = by_rows(df, flows.every_operator_by_row, MADE)
    assert assert_same(df.transform(flows.every_operator), plain) > 3_000


def small_tuples_and_small_batches_change_nothing(spark: Any) -> None:
    df = words(spark, 500, 2)
    plain = by_rows(df, flows.every_operator_by_row, MADE)
    smaller = {
        "spark.sql.execution.arrow.maxRecordsPerBatch": "100",
        "spark.penstock.tuple.rows": "7",
        "spark.penstock.check.batches": "full",
    }
    with settings(spark, smaller):
        assert assert_same(df.transform(flows.every_operator), plain) > 200


def empty_partitions_and_an_empty_dataframe_give_what_is_there(spark: Any) -> None:
    few = words(spark, 3, 8)
    plain = by_rows(few.select("word", "seq"), flows.narrow_by_row, NARROW)
    assert assert_same(few.transform(flows.narrow), plain) == 1
    assert few.transform(flows.nothing).collect() == []
    assert few.limit(0).transform(flows.narrow).collect() == []


def many_partitions_keep_their_order(spark: Any) -> None:
    df = words(spark, 4_000, 16)
    plain = by_rows(df.select("word", "seq"), flows.narrow_by_row, NARROW)
    assert assert_same(df.transform(flows.narrow), plain) == 1000


def columns_are_found_by_name_and_others_are_not_read(spark: Any) -> None:
    df = words(spark, 1_000, 2).withColumn("not for Arrow", F.expr("make_interval(1, 2, 3)"))
    plain = by_rows(df.select("word", "seq"), flows.narrow_by_row, NARROW)
    assert assert_same(df.transform(flows.narrow), plain) == 250


def a_flow_after_a_shuffle_and_another_flow_equals_plain_pyspark(spark: Any) -> None:
    shuffled = words(spark, 3_000, 3).repartition(2, "seq").sortWithinPartitions("seq")
    once = by_rows(shuffled.select("word", "seq"), flows.narrow_by_row, NARROW)
    again = penstock.flow("again", NARROW).filter(pc.field("seq") > 100)
    ours = shuffled.transform(flows.narrow).transform(again)
    assert assert_same(ours, once.where("seq > 100")) > 700


def several_inputs_and_outputs_equal_joins_of_spark(spark: Any) -> None:
    def last_quote(trades: Any, quotes: Any, priced: Any, unknown: Any) -> Any:
        last: dict[str, int] = {}
        while (yield penstock.wait_any(trades=1, quotes=1)):
            for row in quotes.take().to_pylist():
                last[row["ticker"]] = row["price"]
            for row in trades.take().to_pylist():
                if row["ticker"] in last:
                    priced.push([{"seq": row["seq"], "price": last[row["ticker"]]}])
                else:
                    unknown.push([{"seq": row["seq"], "price": "none"}])

    quotes_in, trades_in = penstock.inputs(
        "quoted",
        quotes="ticker string, ts long, price long",
        trades="ticker string, ts long, seq long",
    )
    parts = trades_in.loop(
        last_quote,
        quotes=quotes_in,
        out={"priced": "seq long, price long", "unknown": "seq long, price string"},
    )
    trades = spark.range(0, 3000, 1, 3).selectExpr(
        "string(id % 97) AS ticker", "id * 7919 % 5000 AS ts", "id AS seq"
    )
    quotes = spark.range(0, 1000, 1, 2).selectExpr(
        "string(id * 31 % 113) AS ticker", "id * 5 AS ts", "id AS price"
    )
    made = penstock.outputs(**parts)(trades=trades, quotes=quotes, order_by="ts", key="ticker")
    joined = trades.alias("t").join(
        quotes.alias("q"), F.expr("t.ticker = q.ticker AND q.ts <= t.ts"), "left"
    )
    plain = joined.groupBy("seq").agg(F.expr("max_by(q.price, q.ts)").alias("price"))
    wanted = {row["seq"]: row["price"] for row in plain.collect()}
    found = {row["seq"]: row["price"] for row in made["priced"].collect()}
    assert found == {seq: price for seq, price in wanted.items() if price is not None}
    assert len(found) > 1_000
    unknown = sorted(map(tuple, made["unknown"].collect()))
    assert unknown == [(seq, "none") for seq, price in sorted(wanted.items()) if price is None]
    assert unknown
    whole = made.whole.collect()
    assert len(whole) == 3000
    alone = parts["priced"](trades=trades, quotes=quotes, order_by="ts", key="ticker")
    assert {row["seq"]: row["price"] for row in alone.collect()} == found


def observed_metrics_are_those_counted_by_hand(spark: Any) -> None:
    df = words(spark, 3_000, 5).where("seq % 5 < 4")
    flow = counted()
    with settings(spark, OBSERVE):
        made = df.transform(flow)
        assert penstock.last_run(made) is None
        rows = made.count()
    assert told(penstock.last_run(made)) == by_hand(df)
    assert flow.metrics == penstock.last_run(made)
    assert flow.metrics is not None
    assert flow.metrics.rows_out == rows
    plain = df.transform(flow)
    assert made.schema == plain.schema
    with settings(spark, OBSERVE):
        assert assert_same(df.transform(flow), plain) == rows


def a_stream_tells_of_each_micro_batch(spark: Any) -> None:
    folder = Path(tempfile.mkdtemp(dir=os.environ["TMPDIR"]))
    words(spark, 1_000, 4).select("seq").write.parquet(f"{folder}/given")
    source = spark.readStream.schema("seq long").option("maxFilesPerTrigger", 2)
    flow = penstock.flow("streamed", "seq long").filter(pc.field("seq") < 900, name="most")
    with settings(spark, OBSERVE):
        made = source.parquet(f"{folder}/given").transform(flow)
        query = (
            made.writeStream.format("noop")
            .option("checkpointLocation", f"{folder}/checkpoint")
            .trigger(availableNow=True)
            .start()
        )
    assert query.awaitTermination(120)
    # On Spark Connect a stream has nothing but its progress to tell by.
    connect = type(spark).__module__.startswith("pyspark.sql.connect")
    for last in (penstock.last_run(made), flow.metrics):
        assert (last is None) == connect
    batches = [penstock.observed_metrics(one)["streamed"] for one in query.recentProgress]
    assert [one.batch for one in batches] == [0, 1]
    assert sum(one.operator("most").rows_in for one in batches) == 1_000
    assert sum(one.rows_out for one in batches) == 900


CHECKS: list[Check] = [
    the_demo_flow_equals_plain_pyspark,
    every_operator_equals_plain_pyspark,
    small_tuples_and_small_batches_change_nothing,
    empty_partitions_and_an_empty_dataframe_give_what_is_there,
    many_partitions_keep_their_order,
    columns_are_found_by_name_and_others_are_not_read,
    a_flow_after_a_shuffle_and_another_flow_equals_plain_pyspark,
    several_inputs_and_outputs_equal_joins_of_spark,
    observed_metrics_are_those_counted_by_hand,
    a_stream_tells_of_each_micro_batch,
]


def sentence(check: Check) -> str:
    return check.__name__.replace("_", " ")
