"""Operators with several ports, each written as a `while` loop.

Run it with `python examples/driver_loops.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import penstock
from penstock import Flow, wait_all, wait_any

ROW = "ts long, n long"


def barrier(left: Any, right: Any, out: Any) -> Generator[Any, Any, None]:
    """Put the rows of two ports together, the first with the first."""
    while (yield wait_all(left=1, right=1)):
        count = min(len(left), len(right))
        out.push({"left": left.take(count)["n"], "right": right.take(count)["n"]})


def gate(data: Any, lever: Any, out: Any) -> Generator[Any, Any, None]:
    """Let rows pass while the last row of the lever says so: a number above 0 opens it."""
    is_open = True
    while (yield wait_any(data=1, lever=1)):
        if lever:
            is_open = lever.take()["n"][-1].as_py() > 0
        rows = data.take()
        if is_open:
            out.push(rows)


def switch(rows: Any, big: Any, small: Any) -> Generator[Any, Any, None]:
    """Send each row to one of two outputs."""
    while (yield wait_all(rows=1)):
        batch = rows.take()
        is_big = pc.greater(batch["n"], 10)
        big.push(batch.filter(is_big))
        small.push(batch.filter(pc.invert(is_big)))


def merge(left: Any, right: Any, out: Any) -> Generator[Any, Any, None]:
    """Put the rows of both ports out as they arrive."""
    while (yield wait_any(left=1, right=1)):
        out.push(left.take())
        out.push(right.take())


def merge_by_time(left: Any, right: Any, out: Any) -> Generator[Any, Any, None]:
    """Put the rows of both ports out by their time, in which each of them ascends."""
    while (yield wait_all(left=1, right=1)):
        first, other = left.peek(1)["ts"][0].as_py(), right.peek(1)["ts"][0].as_py()
        out.push((left if first <= other else right).take(1))
    out.push(left.take())
    out.push(right.take())


def flows() -> dict[str, Flow]:
    """A flow for each loop, of two inputs: `a` and `b`."""
    a, b = penstock.inputs("loops", a=ROW, b=ROW)
    parts = a.loop(switch, out={"big": ROW, "small": ROW}, wake="tuples", name="switch")
    return {
        "barrier": a.loop(barrier, right=b, out="left long, right long"),
        "gate": a.loop(gate, lever=b),
        "switch, big": parts["big"],
        "switch, small": parts["small"],
        "merge": a.loop(merge, right=b),
        "merge by time": a.loop(merge_by_time, right=b),
    }


def main() -> None:
    """Run each of them on a few rows."""
    a = pa.table({"ts": [1, 4, 5, 9], "n": [5, 20, 7, 30]})
    b = pa.table({"ts": [2, 3, 6], "n": [1, 0, 1]})
    for name, made in flows().items():
        rows = made.run(a=a, b=b, order_by="ts").to_pylist()
        sys.stdout.write(f"{name}: {[tuple(row.values()) for row in rows]}\n")


if __name__ == "__main__":
    main()
