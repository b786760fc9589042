"""What it costs that a flow on Spark tells what it does.

The same identity flow with metrics off and on, with an Observation on top, and the identity
`mapInArrow` function that it is measured against, all in turn in one session, in rounds that are
compared each by itself. A percent is less than the runs of one of them lie apart, so what metrics
add is measured once more where nothing else is: the processor time of the same partition outside of
Spark, over the time of the whole job.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa

from penstock.bench.interleave import Timing, interleave, middle_ratio
from penstock.bench.local_spark import local_spark
from penstock.bench.report import Grid, Measure, Point, Target
from penstock.bench.section import Section, Stage
from penstock.bench.transport import BASE, NARROW, flows, identity
from penstock.spec import FlowSpec

OFF, ON, OBSERVED = "metrics off", "metrics on", "observed"
WAYS: Mapping[str, Mapping[str, str]] = {
    OFF: {"spark.penstock.metrics.enabled": "false"},
    ON: {"spark.penstock.metrics.enabled": "true"},
    OBSERVED: {"spark.penstock.metrics.observe": "true"},
}
COST_GOAL = 1.01
SHARE_GOAL = 0.01
BATCH = 10_000  # rows, as Spark makes them
PARTITIONS = 2
ROWS = 4 * NARROW.rows  # so many that the start of a job hardly counts
ROUNDS = 21
IDENTITY_GOAL = 1.05
NOTE = (
    "`observed` is spark.penstock.metrics.observe=true, which is off by default. It gives Spark a "
    "column more to read in each row, and a copy of the row without it to make. Here rows have 25 "
    "bytes and nothing else is done with them, so it counts most."
)


def metrics_cost(stage: Stage) -> Section:
    """Measure all of them."""
    rows = stage.size.rows(NARROW.rows if stage.size.quick else ROWS)
    with local_spark("metrics cost") as spark:
        timings = interleave(
            _contenders(spark, rows),
            stage.size.rounds if stage.size.quick else ROUNDS,
            patience=stage.size.seconds,
            on_run=lambda name: stage.tell(f"metrics cost: {name}"),
        )
    return section_of(timings, rows, added_seconds(rows, stage.size.rounds))


def added_seconds(rows: int, rounds: int) -> float:
    """Processor time that metrics add to the tasks of the job, outside of Spark."""
    from penstock.partition import run_partition  # noqa: PLC0415 - it loads the engine

    batch = pa.RecordBatch.from_pydict(
        {"id": range(BATCH), "x": [0.5] * BATCH, "k": [7] * BATCH, "even": [True] * BATCH}
    )
    given = [batch] * max(1, rows // PARTITIONS // BATCH)
    flow = flows(batch.schema)["flow.select"]
    specs = {way: FlowSpec.of(flow, WAYS[way]) for way in (OFF, ON)}

    def run(spec: FlowSpec) -> Callable[[], int]:
        return lambda: sum(made.num_rows for made in run_partition(spec, iter(given)))

    runs = {way: run(spec) for way, spec in specs.items()}
    timings = interleave(runs, rounds, clock=time.process_time)
    return PARTITIONS * (timings[ON].median - timings[OFF].median)


def section_of(timings: Mapping[str, Timing], rows: int, added: float) -> Section:
    """What was measured, as points, goals and a table.

    Args:
        timings: Of each way, on Spark.
        rows: Of each run.
        added: Processor time, in seconds, that metrics add to the tasks of a run.
    """
    share = added / timings[OFF].median
    ratios = {name: middle_ratio(timing, timings[BASE]) for name, timing in timings.items()}
    on_off = middle_ratio(timings[ON], timings[OFF])
    observed_off = middle_ratio(timings[OBSERVED], timings[OFF])
    points = tuple(
        Point(
            f"metrics cost/{name}",
            {
                "rows": rows,
                "runs": len(timing.seconds),
                "median_s": timing.median,
                "iqr_s": timing.spread,
                "ratio": ratios[name],
            },
        )
        for name, timing in timings.items()
    )
    table: dict[str, tuple[Measure, ...]] = {
        name: (f"{timing.median:.3g}", f"{timing.spread:.2g}", f"{ratios[name]:.3f}")
        for name, timing in timings.items()
    }
    return Section(
        points,
        (
            Target("metrics cost: metrics on / off, time", on_off, COST_GOAL),
            Target("metrics cost: processor time added / time", share, SHARE_GOAL),
            Target(f"metrics cost: identity flow / {BASE}, time", ratios[ON], IDENTITY_GOAL),
            Target(
                "metrics cost: observed / off, time",
                observed_off,
                COST_GOAL,
                note="off by default, and Spark's own time",
            ),
        ),
        (Grid("an identity flow that tells what it does", ("s", "iqr s", f"/ {BASE}"), table),),
        (NOTE,),
    )


def _contenders(spark: Any, rows: int) -> dict[str, Callable[[], None]]:
    frame = spark.range(0, rows, 1, PARTITIONS).selectExpr(*NARROW.columns)
    made = {BASE: frame.mapInArrow(identity, frame.schema)}
    for way, settings in WAYS.items():
        for key, value in settings.items():
            spark.conf.set(key, value)
        made[way] = frame.transform(flows(frame.schema)["flow.select"])
        for key in settings:
            spark.conf.unset(key)

    def into_noop(result: Any) -> Callable[[], None]:
        return lambda: result.write.format("noop").mode("overwrite").save()

    return {name: into_noop(result) for name, result in made.items()}
