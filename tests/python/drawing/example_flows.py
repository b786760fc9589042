"""Flows with everything that a picture has to show."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pyarrow.compute as pc

import penstock
from penstock import Elastic, Flow, agg, flow, windows

ROW = "ts long, n long"


def echo(n: Any, before: Any, out: Any) -> Generator[Any, Any, None]:
    while (yield penstock.wait_all(n=1)):
        before.take()
        out.push(n.take())


def part(rows: Any, out: Any, back: Any) -> Generator[Any, Any, None]:
    while (yield penstock.wait_all(rows=1)):
        batch = rows.take()
        out.push(batch)
        back.push(batch)


def pair(left: Any, right: Any, out: Any) -> Generator[Any, Any, None]:
    while (yield penstock.wait_all(left=1, right=1)):
        right.take(1)
        out.push(left.take(1))


def clicks() -> Flow:
    start = flow("clicks", "user string, url string, ms long").filter(
        pc.field("ms") > 0, name="timed"
    )
    region = start.parallel(
        lambda rows: (
            rows.filter(pc.utf8_length(pc.field("url")) > 3, name="long_url")
            .key_by("user")
            .running(total=agg.sum("ms"))
        ),
        by="user",
        channels=Elastic(1, 8),
        name="per_user",
    )
    counted = region.key_by("url").running(n=agg.count(), name="seen")
    pairs = counted.key_by("url").window(windows.tumbling(rows=2), flush=True)
    return pairs.agg(most=agg.max("ms"), name="slowest").select("url", "most")


def joined() -> Flow:
    trades, quotes = flow("quoted", f"trade boolean, {ROW}").split(pc.field("trade"))
    return trades.select("ts", "n").join_asof(quotes.select("ts", "n"), on="ts", name="quote")


def united() -> Flow:
    start = flow("both", "n long")
    big, rest = start.split(pc.field("n") > 10)
    return big.with_column("n", pc.negate(pc.field("n"))).union(rest, start).select("n")


def parted() -> Flow:
    ports = flow("parted", "n long").loop(
        part, out={"out": "n long", "back": "n long"}, name="part"
    )
    return ports["out"].with_column("n", pc.field("n") + 1).union(ports["back"])


def one_output() -> Flow:
    ports = flow("one", "n long").loop(part, out={"out": "n long", "back": "n long"}, name="part")
    back: Flow = ports["back"]
    return back


def round_about() -> Flow:
    def body(rows: Flow) -> dict[str, Flow]:
        ports = rows.loop(echo, control="before", name="echo").loop(
            part, out={"out": "n long", "back": "n long"}, name="part"
        )
        return {"out": ports["out"], "back": ports["back"].with_column("n", pc.field("n") + 1)}

    return flow("ring", "n long").circle(body, name="ring")


def two_inputs() -> Flow:
    left, right = penstock.inputs("two", left=ROW, right=ROW)
    made: Flow = left.loop(pair, right=right, name="pair")
    return made


def inputs_united() -> Flow:
    trades, quotes = penstock.inputs("feeds", trades=ROW, quotes=f"{ROW}, x string")
    return trades.filter(pc.field("n") > 1).union(quotes.select("ts", "n"))


def two_outputs() -> Flow:
    big, rest = flow("out", "n long").split(pc.field("n") > 10)
    return penstock.outputs(big=big, rest=rest.filter(pc.field("n") > 1)).flow


def long_one(operators: int = 60) -> Flow:
    made = flow("long_one", "n long, host string")
    for number in range(operators):
        made = made.filter(pc.field("n") > number, name=f"step_{number}")
    return made


FLOWS = {
    made.name: made
    for made in (
        flow("empty", "n long"),
        clicks(),
        joined(),
        united(),
        parted(),
        one_output(),
        round_about(),
        two_inputs(),
        inputs_united(),
        two_outputs(),
        long_one(),
    )
}
