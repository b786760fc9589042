"""Draws the pictures of the documentation: `python docs/pictures/draw.py`.

Two of them show a run. Its numbers are in ran.json, as `python docs/pictures/draw.py --record` found
them on some machine, so that everybody draws the same.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import penstock
from penstock import Elastic, Flow, agg, windows
from penstock.drawing.chart import chart_svg
from penstock.drawing.sheet import flow_svg
from penstock.metrics import Decision, FlowMetrics, LevelChange, OperatorMetrics, WorkerMetrics

FOLDER = Path(__file__).parent
RAN = FOLDER / "ran.json"


def clicks() -> Flow:
    """A flow with a function in Python, a region, and two operators of one key."""
    return (
        penstock.flow("clicks", "user long, page long, ms double")
        .with_column("ms", pc.field("ms") * 0.9 + pc.field("ms") / 7.0, name="smooth")
        .filter(pc.field("ms") > 1.0, name="timed")
        .parallel(
            lambda rows: rows.key_by("user").running(total=agg.sum("ms"), name="total"),
            by="user",
            channels=Elastic(1, 4),
            name="by_user",
        )
        .key_by("page")
        .running(seen=agg.count(), name="seen")
        .key_by("page")
        .window(windows.tumbling(rows=10), flush=True)
        .agg(slowest=agg.max("ms"), name="slowest")
        .map(check, name="check")
        .threading("dynamic", threads=4, elastic=True)
    )


def attempts() -> Flow:
    """Three operators one after another, the last one by key."""
    return (
        penstock.flow("attempts", "line string")
        .parse("line", "{user} from {ip} port {port:int}", name="parse")
        .filter(pc.field("port") > 1023, name="high")
        .key_by("ip")
        .running(tries=agg.count(), name="tries")
    )


def check(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Any function of a batch."""
    return batch


def pair(left: Any, right: Any, out: Any) -> Generator[Any, Any, None]:
    """Put rows of two inputs together."""
    while (yield penstock.wait_all(left=1, right=1)):
        right.take(1)
        out.push(left.take(1))


def sums(tries: Any, before: Any, out: Any) -> Generator[Any, Any, None]:
    """Add to each sum the one before it."""
    while (yield penstock.wait_mark()):
        known = tries.take()["tries"].to_pylist() + before.take()["sum"].to_pylist()
        out.push({"sum": [sum(known)]})


# The same in the pictures, whether this file is run or imported.
for function in (check, pair, sums):
    function.__module__ = "pictures"


def ports() -> Flow:
    """A driver loop with two inputs, and branches behind it."""
    left, right = penstock.inputs("pairs", left="ts long, n long", right="ts long, n long")
    paired: Flow = left.loop(pair, right=right, name="pair")
    big, rest = paired.split(pc.field("n") > 10, name="big")
    return big.with_column("n", pc.negate(pc.field("n")), name="negate").union(rest, name="both")


def circle() -> Flow:
    """A driver loop whose rows come back to it."""
    pairs = penstock.flow("sums", "tries long").punctuate(every=2, name="pairs")
    return pairs.circle(
        lambda rows: rows.loop(sums, "sum long", control="before", name="sums"), name="again"
    )


def record() -> None:
    """Run the flow once and keep what was measured."""
    count = 4_000_000
    table = pa.table(
        {
            "user": [k * k % 997 for k in range(count)],
            "page": [k % 50 for k in range(count)],
            "ms": [float(k % 777) for k in range(count)],
        }
    )
    settings = {
        "spark.penstock.tuple.rows": 2000,
        "spark.penstock.elastic.period": "20ms",
        "spark.penstock.elastic.controller": "utilization",
    }
    metrics = clicks().run(table, settings=settings, progress=True).metrics
    assert metrics is not None
    RAN.write_text(json.dumps(metrics.to_dict(), indent=1) + "\n", encoding="utf-8")


def recorded() -> FlowMetrics:
    """What was measured then."""
    found = json.loads(RAN.read_text(encoding="utf-8"))
    for worker in found["workers"]:
        del worker["utilisation"]
    del found["tuples"], found["utilisation"]
    return FlowMetrics(
        **found
        | {
            "operators": tuple(OperatorMetrics(**one) for one in found["operators"]),
            "workers": tuple(WorkerMetrics(**one) for one in found["workers"]),
            "levels": tuple(LevelChange(**one) for one in found["levels"]),
            "decisions": tuple(Decision(**one) for one in found["decisions"]),
            "pace": tuple((at, rows) for at, rows in found["pace"]),
        }
    )


def pictures() -> dict[str, str]:
    """All of them, by the name of the file."""
    metrics = recorded()
    return {
        "line.svg": attempts().to_svg(),
        "flow.svg": clicks().to_svg(),
        "ports.svg": ports().to_svg(),
        "circle.svg": circle().to_svg(),
        "ran.svg": flow_svg(clicks(), metrics, alone=True),
        "over_time.svg": chart_svg("clicks", metrics, alone=True),
    }


def main() -> None:
    """Draw them all, after a new run if that is asked for."""
    if "--record" in sys.argv[1:]:
        record()
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
