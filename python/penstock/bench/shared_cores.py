"""What sharing the cores of an executor gains where one partition is hot, and costs where none is.

The operator is native and the same in all contenders, and it is the bottleneck: a row costs many
times what Spark takes to bring it. `one thread` is Spark as it is: a task has one core, also the
last one that runs. `shared` is the model automatic with the thread budget. In every run the rows
are compared with those of a sequential program, each in its place.
"""

from __future__ import annotations

import json
import math
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

import penstock
from penstock.bench.busy import rounds_per_us
from penstock.bench.interleave import Timing, interleave, ratio
from penstock.bench.ledger_watch import LedgerWatch
from penstock.bench.local_spark import CORES
from penstock.bench.placed import hashed, wanted
from penstock.bench.report import Grid, Measure, Point, Target
from penstock.bench.section import Section, Stage
from penstock.bench.suites import BenchError
from penstock.busy_work import with_work
from penstock.executor.folder import executor_folder
from penstock.metrics import Decision, FlowMetrics
from penstock.spec import FlowSpec

PARTITIONS = 8
# Spark takes about half a microsecond for a row, on a core that threads of the flow could use.
ROWS = 600_000
US_PER_ROW = 20.0
HOT = 0.9
ROUNDS = 5
LEAST_OF_PLAIN = 0.95
MS_PER_SECOND = 1000
SCHEMA = "part bigint, n bigint, worked bigint"
ONE, SHARED = "one thread", "shared"
SESSION = {"spark.master": f"local[{CORES}]"}
CONTENDERS = {
    ONE: {"spark.penstock.executor.share": "false"},
    SHARED: {"spark.penstock.flow.*.threading": "automatic"},
}


def hot_partition(stage: Stage, spark: Any, *, least: float = 1.0, rounds: int = ROUNDS) -> Section:
    """Measure eight partitions of which the first holds nine tenths of the rows.

    Args:
        stage: What to measure with.
        spark: The session.
        least: How many times faster it should be than with one thread for each task.
        rounds: Of both contenders, in a full run.
    """
    rows = stage.size.rows(ROWS)
    hot = round(rows * HOT)
    others = (rows - hot) // (PARTITIONS - 1)
    counts = [hot, *[others] * (PARTITIONS - 1)]
    found = _measured(stage, spark, counts, "hot partition", rounds)
    timings = found.timings
    targets = (
        Target("hot partition: one thread / shared, time", _gain(timings), least=least),
        _reaction_target(found.reactions, _period()),
        _budget_target("hot partition", found),
    )
    note = (
        f"The operator multiplies for {US_PER_ROW:g} us a row and is native, the same in both. Of a "
        f"hot partition with {HOT:.0%} of the rows, two cores can gain {HOT * CORES:.2g} times at "
        "most: the work of all rows over two cores, instead of its own over one."
    )
    grid = _grid(f"hot partition: {HOT:.0%} of {rows} rows in one of {PARTITIONS}", rows, timings)
    points = _points("hot partition", rows, timings)
    return Section(points, targets, (grid,), (note,))


def uniform_partitions(stage: Stage, spark: Any, *, rounds: int = ROUNDS) -> Section:
    """Measure eight partitions of the same size, where there is nothing to gain."""
    rows = stage.size.rows(ROWS)
    counts = [rows // PARTITIONS] * PARTITIONS
    found = _measured(stage, spark, counts, "uniform partitions", rounds)
    timings = found.timings
    gain = Target(
        "uniform partitions: one thread / shared, time", _gain(timings), least=LEAST_OF_PLAIN
    )
    targets = (gain, _budget_target("uniform partitions", found))
    grid = _grid(f"uniform partitions: {PARTITIONS}, {rows} rows in all", rows, timings)
    return Section(_points("uniform partitions", rows, timings), targets, (grid,))


@dataclass(frozen=True)
class _Measured:
    """One job by both contenders.

    Attributes:
        timings: Their times.
        reactions: How soon the last task had all cores, in each round of `shared`.
        above: The longest time in which more than the cores and one thread were in use, in a round
            of its own.
    """

    timings: dict[str, Timing]
    reactions: list[float]
    above: float


def _reaction_target(reactions: Sequence[float], period: float) -> Target:
    name = "hot partition: periods until it has both cores"
    if not reactions:
        # A goal of which nothing was seen is missed: left out, nobody would ask for it.
        return Target(name, math.inf, most=1.0, note="no round showed it")
    return Target(name, statistics.median(reactions) / period, most=1.0)


def _budget_target(what: str, found: _Measured) -> Target:
    periods = found.above / _period()
    return Target(f"{what}: periods with more than cores + 1 threads in use", periods, most=1.0)


def _period() -> float:
    return FlowSpec.of(_flow(), {}).settings.elastic_period_ms / MS_PER_SECOND


def _rounds() -> int:
    return round(US_PER_ROW * rounds_per_us())


def _flow() -> penstock.Flow:
    return with_work(penstock.flow("working", "part bigint, n bigint"), "n", _rounds())


def _frame(spark: Any, counts: Sequence[int]) -> Any:
    """Partitions of so many rows, all but the first of which have as many as the last."""
    count = f"IF(id = 0, {counts[0]}L, {counts[-1]}L)"
    numbers = spark.range(0, PARTITIONS, 1, PARTITIONS)
    return numbers.selectExpr("id AS part", f"explode(sequence(1L, {count})) AS n")


def _measured(stage: Stage, spark: Any, counts: Sequence[int], what: str, rounds: int) -> _Measured:
    flow = _flow()  # one for all, so that none gets an easier calibration
    reactions: list[float] = []
    period = _period()
    with tempfile.TemporaryDirectory(prefix="penstock-bench-") as name:
        folder = Path(name) / "told"
        folder.mkdir()
        frame = _frame(spark, counts)
        stage.tell(f"{what}: the sequential program")
        right = wanted(spark, counts, _rounds(), Path(name))

        def run(contender: str, settings: Mapping[str, str]) -> Callable[[], None]:
            spec = FlowSpec.of(flow, SESSION | dict(settings))

            def once() -> None:
                for file in folder.iterdir():
                    file.unlink()
                # Made anew each time: of a DataFrame that ran before, Spark keeps what it shuffled
                # and runs no task of the flow again.
                made = frame.mapInArrow(_task(spec, folder), SCHEMA)
                found = hashed(made)
                ran = len(list(folder.iterdir()))
                if ran != PARTITIONS:
                    raise BenchError(f"{what}: {contender} ran {ran} tasks, not {PARTITIONS}")
                if found != right:
                    raise BenchError(
                        f"{what}: {contender} gave other rows than a sequential program, or in "
                        f"another order: {found} rows and sum of hashes, not {right}"
                    )
                reaction = _reaction(folder, period)
                if contender == SHARED and reaction is not None:
                    reactions.append(reaction)

            return once

        timings = interleave(
            {contender: run(contender, settings) for contender, settings in CONTENDERS.items()},
            3 if stage.size.quick else rounds,
            patience=stage.size.seconds / 4,
            on_run=lambda contender: stage.tell(f"{what}: {contender}"),
        )
        # A run of its own, because looking takes time from those that are measured.
        stage.tell(f"{what}: threads in use")
        with LedgerWatch(Path(_told(folder)[0]["ledger"])) as watch:
            run(SHARED, CONTENDERS[SHARED])()
        above = watch.above(CORES + 1)
    return _Measured(timings, reactions, above.seconds)


def _task(
    spec: FlowSpec, folder: Path
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext  # noqa: PLC0415 - only in the worker

        from penstock.executor.budget import LEDGER  # noqa: PLC0415 - only in the worker
        from penstock.partition import run_partition  # noqa: PLC0415 - only in the worker

        context = TaskContext.get()
        shared = executor_folder()
        ledger = str(shared / LEDGER) if shared else ""
        file = folder / f"{context.partitionId() if context else 0}.json"
        begun = time.time()

        def report(_: FlowMetrics | None, decisions: tuple[Decision, ...]) -> None:
            turned = (made for made in decisions if made.lever == "threads")
            levels = [(begun + made.seconds, made.chosen) for made in turned]
            told = {"ended": time.time(), "levels": levels, "ledger": ledger}
            file.write_text(json.dumps(told))

        return run_partition(spec, batches, report=report)

    return task


def _told(folder: Path) -> dict[int, dict[str, Any]]:
    return {int(file.stem): json.loads(file.read_text()) for file in folder.glob("*.json")}


def _reaction(folder: Path, period: float) -> float | None:
    """Seconds from the end of the other tasks until the first one has all cores.

    None where it was not alone for longer than `period`, so that nothing can be said. Where it never
    got them, all the time that it was alone: as little as it can have been.
    """
    told = _told(folder)
    hot = told[0]
    others = max(each["ended"] for part, each in told.items() if part != 0)
    before = [threads for at, threads in hot["levels"] if at < others]
    if others < hot["ended"] and before and before[-1] == CORES:
        return 0.0
    later = [at for at, threads in hot["levels"] if threads == CORES and at >= others]
    if later:
        return float(later[0] - others)
    alone = float(hot["ended"] - others)
    return alone if alone > period else None


def _gain(timings: Mapping[str, Timing]) -> float:
    return ratio(timings[ONE], timings[SHARED])


def _grid(title: str, rows: int, timings: Mapping[str, Timing]) -> Grid:
    table: dict[str, tuple[Measure, ...]] = {
        name: (rows / timing.median, f"{timing.median:.3g}", f"{timing.spread:.2g}")
        for name, timing in timings.items()
    }
    return Grid(title, ("rows/s", "s", "iqr s"), table)


def _points(what: str, rows: int, timings: Mapping[str, Timing]) -> tuple[Point, ...]:
    return tuple(
        Point(
            f"{what}/{name}",
            {
                "rows": rows,
                "runs": len(timing.seconds),
                "median_s": timing.median,
                "iqr_s": timing.spread,
                "rows_per_s": rows / timing.median,
                "ratio": ratio(timing, timings[ONE]),
            },
        )
        for name, timing in timings.items()
    )
