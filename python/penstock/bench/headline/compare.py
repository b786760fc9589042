"""One job, done in all ways in turn, each of which has to make the same rows in the same order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from penstock.bench.headline.in_groups import APPLY_IN_PANDAS, IN_GROUPS, WITH_STATE, missing
from penstock.bench.headline.in_processes import IN_PROCESSES
from penstock.bench.headline.in_tasks import IN_TASKS, ROW_LOOP
from penstock.bench.headline.inputs import Inputs
from penstock.bench.headline.job import Job, Ways, batch_of
from penstock.bench.headline.measured import (
    FLOW,
    LONG_ENOUGH,
    ONE_THREAD,
    SPARK_SQL,
    Measured,
    section_of,
)
from penstock.bench.headline.nothing import NOTHING, nothing
from penstock.bench.interleave import Timing, interleave
from penstock.bench.section import Section, Stage
from penstock.bench.suites import BenchError

WAYS: Ways = {
    FLOW: lambda frame, job: frame.transform(job.flow()),
    ONE_THREAD: lambda frame, job: frame.transform(job.flow().threading("manual")),
    **IN_TASKS,
    **IN_PROCESSES,
    **IN_GROUPS,
    SPARK_SQL: lambda frame, job: frame.sparkSession.sql(job.sql, rows=frame),
}
GOALS = {ROW_LOOP: 20.0, APPLY_IN_PANDAS: 10.0, WITH_STATE: 10.0}
ROUNDS = 3
STEPS = 11  # down to a 32nd of the rows
MARGIN = 1.15  # because that is only an estimate
CLOSE = 1e-9  # by which share two doubles may differ: sines of different libraries do


def compare(stage: Stage, spark: Any, job: Job, *, goals: bool) -> Section:
    """Measure all ways there are, with goals or without."""
    absent = missing(spark.range(1))
    with TemporaryDirectory(prefix="penstock-bench-") as folder:
        inputs = Inputs(spark, job, Path(folder))
        ways = [way for way in WAYS if way not in absent]
        counts = {way: _count_for(stage, inputs, way) for way in ways}
        # The most that anybody has, so that runs of the floor last as long as any.
        counts[NOTHING] = most = max(counts.values())
        stage.tell(f"{job.name}: the sequential program, without Spark, {most} rows")
        wanted = expected(job, inputs.table(most))
        made: dict[str, Any] = {}
        for way in ways:
            stage.tell(f"{job.name}: comparing {counts[way]} rows of {way}")
            made[way] = WAYS[way](inputs.frame(counts[way]), job)
            difference = differs(collected(made[way], job.schema), up_to(wanted, counts[way]))
            if difference:
                raise BenchError(f"{job.name}: {way} {difference}")
        made[NOTHING] = nothing(inputs.frame(most), job, wanted, most)
        found = collected(made[NOTHING], job.schema).num_rows
        if found != len(wanted):
            raise BenchError(f"{job.name}: {NOTHING} made {found} rows, not {len(wanted)}")
        timings = _timed(stage, job, made)
    notes = tuple(f"{job.name}: {way} was not measured: {why}." for way, why in absent.items())
    measured = {
        way: Measured(count, len(up_to(wanted, count)), timings[way])
        for way, count in counts.items()
    }
    return section_of(job.name, measured, GOALS if goals else {}, notes)


def _count_for(stage: Stage, inputs: Inputs, way: str) -> int:
    """How many rows a way has: so many that a run lasts long enough, which is tried with few."""
    job = inputs.job
    if stage.size.quick:
        # Some ways take minutes for what others do in a second; a quick run is one of a minute.
        return max(1, stage.size.rows(job.rows_by_key) // 10)
    if way in IN_GROUPS:
        return stage.size.rows(job.rows_by_key)
    few, *_ = counts = ladder(stage.size.rows(job.rows))
    stage.tell(f"{job.name}: trying {few} rows of {way}")
    # Its first run starts workers, and compiles what is compiled.
    little = _once(inputs, way, few, warm_ups=1)
    more = above(counts, few, few * LONG_ENOUGH / 2 / little)
    return enough(counts, (few, little), (more, _once(inputs, way, more, warm_ups=0)))


def _once(inputs: Inputs, way: str, count: int, warm_ups: int) -> float:
    run = _into_noop(WAYS[way](inputs.frame(count), inputs.job))
    return interleave({way: run}, 1, warm_ups=warm_ups)[way].median


def ladder(most: int) -> list[int]:
    """The numbers of rows that ways may have: every second one is half of the one before."""
    return sorted({max(1, round(most / 2 ** (step / 2))) for step in range(STEPS)})


def above(counts: list[int], few: int, wanted: float) -> int:
    """The first of some numbers that is more than a few, and as many as are wanted."""
    return next((count for count in counts if count > few and count >= wanted), counts[-1])


def enough(counts: list[int], little: tuple[int, float], more: tuple[int, float]) -> int:
    """The first of some numbers of rows that takes long enough; the last if none does.

    Args:
        counts: The numbers, the least first.
        little: Of a short run its rows and seconds, which are mostly those of starting a job.
        more: Of a longer one the same.
    """
    seconds = more[1] - little[1]
    if more[0] <= little[0] or seconds <= 0:
        return counts[-1]
    per_row = seconds / (more[0] - little[0])
    start = max(0.0, little[1] - little[0] * per_row)
    return above(counts, 0, (LONG_ENOUGH * MARGIN - start) / per_row)


def _timed(stage: Stage, job: Job, made: Mapping[str, Any]) -> dict[str, Timing]:
    """All ways in turn."""
    rounds = 1 if stage.size.quick else ROUNDS
    told = iter(f"round {number + 1} of {rounds}" for number in range(rounds) for _ in made)
    return interleave(
        {way: _into_noop(result) for way, result in made.items()},
        rounds,
        warm_ups=0,  # every way has run to be compared
        on_run=lambda way: stage.tell(f"{job.name}: {next(told)}, {way}"),
    )


def expected(job: Job, table: pa.Table) -> pa.Table:
    """What the sequential program makes, without Spark."""
    program, schema = job.program(), job.schema
    batches = [
        batch_of((one for made in map(program.row, *columns) for one in made), schema)
        for batch in table.to_batches(max_chunksize=100_000)
        for columns in [[column.to_pylist() for column in batch.columns]]
    ]
    return pa.Table.from_batches(batches, schema)


def up_to(wanted: pa.Table, count: int) -> pa.Table:
    """What the first rows make: every job names the row of the input first, and keeps their order."""
    return wanted.slice(0, pc.sum(pc.less(wanted["seq"], count)).as_py() or 0)


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


def _into_noop(result: Any) -> Callable[[], None]:
    return lambda: result.write.format("noop").mode("overwrite").save()
