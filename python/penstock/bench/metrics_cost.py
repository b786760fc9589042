"""What it costs that a flow on Spark tells what it does.

The same identity flow with metrics off and on, with an Observation on top, and the identity
`mapInArrow` function that it is measured against, all in turn in one session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from penstock.bench.interleave import Timing, interleave, ratio
from penstock.bench.local_spark import local_spark
from penstock.bench.report import Grid, Measure, Point, Target
from penstock.bench.section import Section, Stage
from penstock.bench.transport import BASE, NARROW, flows, identity

OFF, ON, OBSERVED = "metrics off", "metrics on", "observed"
WAYS: Mapping[str, Mapping[str, str]] = {
    OFF: {"spark.penstock.metrics.enabled": "false"},
    ON: {"spark.penstock.metrics.enabled": "true"},
    OBSERVED: {"spark.penstock.metrics.observe": "true"},
}
COST_GOAL = 1.01
IDENTITY_GOAL = 1.05


def metrics_cost(stage: Stage) -> Section:
    """Measure all of them."""
    rows = stage.size.rows(NARROW.rows)
    with local_spark("metrics cost") as spark:
        timings = interleave(
            _contenders(spark, rows),
            stage.size.rounds,
            patience=stage.size.seconds / 2,
            on_run=lambda name: stage.tell(f"metrics cost: {name}"),
        )
    return section_of(timings, rows)


def section_of(timings: Mapping[str, Timing], rows: int) -> Section:
    """What was measured, as points, goals and a table."""
    ratios = {name: ratio(timing, timings[BASE]) for name, timing in timings.items()}
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
            Target(
                "metrics cost: metrics on / off, time", ratio(timings[ON], timings[OFF]), COST_GOAL
            ),
            Target(f"metrics cost: identity flow / {BASE}, time", ratios[ON], IDENTITY_GOAL),
        ),
        (Grid("an identity flow that tells what it does", ("s", "iqr s", f"/ {BASE}"), table),),
        ("`observed` is spark.penstock.metrics.observe=true, which is off by default.",),
    )


def _contenders(spark: Any, rows: int) -> dict[str, Callable[[], None]]:
    frame = spark.range(0, rows, 1, 2).selectExpr(*NARROW.columns)
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
