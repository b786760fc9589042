"""One job, done in all ways in turn, each of which has to make the same rows in the same order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from penstock.bench.headline.in_groups import APPLY_IN_PANDAS, IN_GROUPS, WITH_STATE, missing
from penstock.bench.headline.in_processes import IN_PROCESSES
from penstock.bench.headline.in_tasks import IN_TASKS, ROW_LOOP
from penstock.bench.headline.job import Job, Ways
from penstock.bench.headline.nothing import NOTHING, bounds, nothing
from penstock.bench.interleave import Timing, interleave, ratio
from penstock.bench.report import Grid, Measure, Point, Target
from penstock.bench.section import Section, Stage
from penstock.bench.suites import BenchError

FLOW = "penstock"
ONE_THREAD = "penstock, one thread"
SPARK_SQL = "Spark SQL"
WAYS: Ways = {
    FLOW: lambda frame, job: frame.transform(job.flow()),
    ONE_THREAD: lambda frame, job: frame.transform(job.flow().threading("manual")),
    **IN_TASKS,
    **IN_PROCESSES,
    **IN_GROUPS,
    SPARK_SQL: lambda frame, job: frame.sparkSession.sql(job.sql, rows=frame),
}
GOALS = {ROW_LOOP: 20.0, APPLY_IN_PANDAS: 10.0, WITH_STATE: 10.0}
ROUNDS = 2  # of all ways: some take half a minute each time
BRIEF = 3.0  # seconds: ways that take less are told apart by more rounds of their own
BRIEF_ROUNDS = 6
CLOSE = 1e-9  # by which share two doubles may differ: sines of different libraries do


def compare(stage: Stage, spark: Any, job: Job, *, goals: bool) -> Section:
    """Measure all ways there are, with goals or without."""
    # Some ways take minutes for what others do in a second; a quick run is one of a minute.
    rows = stage.size.rows(job.rows) // (10 if stage.size.quick else 1)
    stage.tell(f"{job.name}: making {rows} rows")
    with _input(spark, job, rows) as (frame, table):
        absent = missing(frame)
        made = {way: make(frame, job) for way, make in WAYS.items() if way not in absent}
        wanted = expected(job, table)
        for way, result in made.items():
            stage.tell(f"{job.name}: comparing the rows of {way}")
            difference = differs(collected(result, job.schema), wanted)
            if difference:
                raise BenchError(f"{job.name}: {way} {difference}")
        made[NOTHING] = nothing(frame, job, wanted, rows)
        found = collected(made[NOTHING], job.schema).num_rows
        if found != len(wanted):
            raise BenchError(f"{job.name}: {NOTHING} made {found} rows, not {len(wanted)}")
        timings = _timed(stage, job, made)
    notes = tuple(f"{job.name}: {way} was not measured: {why}." for way, why in absent.items())
    return section_of(job.name, (rows, len(wanted)), timings, GOALS if goals else {}, notes)


def _timed(stage: Stage, job: Job, made: Mapping[str, Any]) -> dict[str, Timing]:
    """All ways in turn, and then those again that take so little that noise tells in them."""

    def rounds(ways: Mapping[str, Any], count: int, patience: float) -> dict[str, Timing]:
        return interleave(
            {way: _into_noop(result) for way, result in ways.items()},
            count,
            warm_ups=0,  # every way has run once to be compared
            patience=patience,
            on_run=lambda way: stage.tell(f"{job.name}: {way}"),
        )

    seconds = stage.size.seconds
    timings = rounds(made, 1 if stage.size.quick else ROUNDS, seconds / 4)
    brief = {way: made[way] for way, timing in timings.items() if timing.median < BRIEF}
    if brief and not stage.size.quick:
        again = rounds(brief, BRIEF_ROUNDS, seconds / 10)
        timings |= {way: Timing(timings[way].seconds + again[way].seconds) for way in brief}
    return timings


@contextmanager
def _input(spark: Any, job: Job, rows: int) -> Iterator[tuple[Any, pa.Table]]:
    """The rows as one partition read from a file, in their order, and as a table."""
    names = job.flow().input_schema.names
    with TemporaryDirectory(prefix="penstock-bench-") as folder:
        made = spark.range(0, rows, 1, 1).selectExpr(*job.data).select(*names)
        made.write.mode("overwrite").parquet(folder)
        [file] = Path(folder).glob("*.parquet")
        yield spark.read.parquet(folder).coalesce(1), pq.read_table(file)


def expected(job: Job, table: pa.Table) -> pa.Table:
    """What the sequential program makes, without Spark."""
    program, schema = job.program(), job.schema
    rows = [
        made
        for batch in table.to_batches()
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)
        for made in program.row(*row)
    ]
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


def collected(result: Any, schema: pa.Schema) -> pa.Table:
    """The rows of a DataFrame in their order."""
    if hasattr(result, "toArrow"):
        return result.toArrow().cast(schema)
    return pa.Table.from_pandas(result.toPandas(), schema, preserve_index=False)


def differs(found: pa.Table, wanted: pa.Table) -> str:
    """What is wrong with rows; empty if nothing is."""
    if len(found) != len(wanted):
        return f"made {len(found)} rows, not {len(wanted)}"
    for name in wanted.column_names:
        mine, right = found[name], wanted[name]
        if pa.types.is_floating(right.type):
            apart = pc.abs(pc.subtract(mine, right))
            wrong = pc.greater(apart, pc.multiply(pc.abs(right), CLOSE))
        else:
            wrong = pc.not_equal(mine, right)
        wrong = pc.or_(pc.fill_null(wrong, False), pc.xor(pc.is_null(mine), pc.is_null(right)))
        first = pc.index(wrong, True).as_py()
        if first >= 0:
            got, right = mine[first].as_py(), right[first].as_py()
            return f"made {got!r} in column '{name}' of row {first}, not {right!r}"
    return ""


def section_of(
    name: str,
    counts: tuple[int, int],
    timings: Mapping[str, Timing],
    goals: Mapping[str, float],
    notes: tuple[str, ...] = (),
) -> Section:
    """What was measured, as points, goals and a table.

    Args:
        name: Of the job.
        counts: Rows of its input, and of what it makes.
        timings: Of each way, and of doing nothing.
        goals: By way, how many times the flow's time it should take at least.
        notes: What was not measured.
    """
    rows, made = counts
    ratios = {way: ratio(timing, timings[FLOW]) for way, timing in timings.items()}
    floors = {way: ratio(timing, timings[NOTHING]) for way, timing in timings.items()}
    points = tuple(
        Point(
            f"{name}/{way}",
            {
                "rows": rows,
                "rows_made": made,
                "runs": len(timing.seconds),
                "median_s": timing.median,
                "iqr_s": timing.spread,
                "rows_per_s": rows / timing.median,
                "time_over_penstock": ratios[way],
                "time_over_nothing": floors[way],
            },
        )
        for way, timing in timings.items()
    )
    table: dict[str, tuple[Measure, ...]] = {
        way: (
            f"{rows / timing.median / 1e6:.3g}",
            f"{timing.median:.3g}",
            f"{ratios[way]:.3g}",
            f"{floors[way]:.3g}",
        )
        for way, timing in timings.items()
    }
    targets = tuple(
        Target(f"{name}: {way} / {FLOW}, time", ratios[way], least=least)
        for way, least in goals.items()
        if way in ratios
    )
    title = f"{name}: {rows} rows to {made}, local[2]"
    grid = Grid(title, ("M rows/s", "s", f"time / {FLOW}", "time / nothing"), table)
    notes = (*bounds(name, FLOW, timings, goals), *notes)
    return Section(points, targets, (grid,), notes)


def _into_noop(result: Any) -> Callable[[], None]:
    return lambda: result.write.format("noop").mode("overwrite").save()
