"""Two DataFrames as the input of one flow, against Spark's own join."""

from __future__ import annotations

from typing import Any

import pyarrow.compute as pc

import penstock

START = penstock.flow("visits", "input string, user long, ts long, page long, price long")
CLICKS, BUYS = START.split(pc.field("input") == "clicks")
BOTH = CLICKS.select("user", "ts", "page").join(
    BUYS.select("user", "ts", "price"), on="user", within=50, on_time="ts"
)


def test_a_join_of_two_dataframes_equals_that_of_spark(spark: Any) -> None:
    clicks = spark.range(0, 3000, 1, 3).selectExpr(
        "id * 7919 % 97 AS user", "id % 1000 AS ts", "id AS page"
    )
    buys = spark.range(0, 500, 1, 2).selectExpr(
        "id AS price", "id * 31 % 113 AS user", "id * 17 % 1000 AS ts"
    )
    given = penstock.together(clicks=clicks, buys=buys, by="user", order_by="ts")
    assert given.columns == ["input", "user", "ts", "page", "price"]
    made = given.transform(BOTH)
    clicks.createOrReplaceTempView("clicks")
    buys.createOrReplaceTempView("buys")
    wanted = spark.sql(
        "SELECT c.user, c.ts, c.page, b.ts, b.price FROM clicks c JOIN buys b "
        "ON c.user = b.user AND abs(c.ts - b.ts) <= 50"
    )
    found = sorted(map(tuple, made.collect()))
    assert found == sorted(map(tuple, wanted.collect()))
    assert len(found) > 100
