from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import functions as F

import penstock
from integration import flows
from integration.oracle import assert_same
from integration.processes import descendant, eventually
from integration.sessions import MODES, Sessions
from integration.settings import settings
from penstock.bench.ledger_watch import LedgerWatch
from penstock.busy_work import with_work
from penstock.executor.folder import executor_folder
from penstock.executor.ledger import places, tasks_running
from penstock.machine import cores
from penstock.metrics import Decision, FlowMetrics
from penstock.spec import FlowSpec

PARTITIONS = 8
HOT_ROWS, OTHER_ROWS = 630_000, 10_000
ROUNDS = 4_000
AUTOMATIC = {
    "spark.master": "local[2]",
    "spark.penstock.flow.*.threading": "automatic",
    "spark.penstock.tuple.rows": "500",
}


def one_hot_partition(spark: Any) -> Any:
    """Nine tenths of the rows in the first of eight partitions."""
    count = F.when(F.col("id") == 0, HOT_ROWS).otherwise(OTHER_ROWS)
    return spark.range(0, PARTITIONS, 1, PARTITIONS).select(
        F.col("id").alias("part"), F.explode(F.sequence(F.lit(1).cast("long"), count)).alias("n")
    )


def working() -> penstock.Flow:
    return with_work(penstock.flow("working", "part long, n long"), "n", ROUNDS)


def telling(
    spec: FlowSpec, folder: Path
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What a task runs, and then writes down what was decided in it."""

    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext  # noqa: PLC0415 - only in the worker

        from penstock.partition import run_partition  # noqa: PLC0415 - only in the worker

        context = TaskContext.get()
        assert context is not None
        file = folder / f"{context.partitionId()}.json"

        def report(_: FlowMetrics | None, decisions: tuple[Decision, ...]) -> None:
            told = [(made.previous, made.chosen, made.reason, made.text) for made in decisions]
            file.write_text(json.dumps(told))

        return run_partition(spec, batches, report=report)

    return task


@pytest.mark.skipif(cores().usable < 2, reason="one core cannot be shared")
def test_a_straggler_gets_the_cores_of_the_tasks_that_ended(spark: Any, tmp_path: Path) -> None:
    flow = working()
    made = one_hot_partition(spark).mapInArrow(
        telling(FlowSpec.of(flow, AUTOMATIC), tmp_path), "part long, n long, worked long"
    )
    # The same on one thread, which shares nothing.
    expected = one_hot_partition(spark).transform(flow)
    sums = [F.count("*"), F.sum("n"), F.sum(F.hash("n", "worked").cast("long"))]
    assert made.groupBy("part").agg(*sums).orderBy("part").collect() == (
        expected.groupBy("part").agg(*sums).orderBy("part").collect()
    )
    told = {int(file.stem): json.loads(file.read_text()) for file in tmp_path.glob("*.json")}
    assert sorted(told) == list(range(PARTITIONS))
    given = [text for _, chosen, reason, text in told[0] if reason == "budget" and chosen == 2]
    assert given, told[0]
    assert given[-1].endswith("-> 2 threads: 1 task has 2 cores")


def with_ledger(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Say which ledger the flow is in, and how many are."""
    folder = executor_folder()
    if folder is None or not (folder / "threads").exists():
        return batch.append_column("ledger", pa.nulls(batch.num_rows, pa.string()))
    mine = [place for place in places(folder / "threads") if place.pid == os.getpid()]
    told = f"{folder / 'threads'} {len(mine)}"
    return batch.append_column("ledger", pa.repeat(pa.scalar(told), batch.num_rows))


# A look may read the page just while a thread changes hands, and count it twice.
UNLUCKY = 2


def page_of(spark: Any) -> Path:
    """The ledger of the only executor."""
    flow = penstock.flow("ledger", "id long").map(with_ledger, out="id long, ledger string")
    [row] = spark.range(1).transform(flow).collect()
    return Path(row.ledger.rpartition(" ")[0])


def run_hot(spark: Any, flow: penstock.Flow, threading: dict[str, str], *, most: int) -> None:
    """The hot job, so that threads change hands: two tasks at once, and then one alone."""
    with settings(spark, threading):
        made = one_hot_partition(spark).where(F.col("n") <= most).transform(flow)
        made.write.format("noop").mode("overwrite").save()


@pytest.mark.skipif(cores().usable < 2, reason="one core cannot be shared")
def test_never_more_than_one_thread_above_the_cores(spark: Any) -> None:
    """Each of two tasks has one thread in any case, and only a core that is free is lent."""
    with LedgerWatch(page_of(spark)) as watch:
        automatic = {key: value for key, value in AUTOMATIC.items() if "penstock" in key}
        run_hot(spark, working(), automatic, most=200_000)
    seen = watch.above(most=2 + 1)
    assert seen.highest >= 2, "the watch has seen a thread that was lent, or two tasks"
    assert seen.looks <= UNLUCKY, seen


def test_who_insists_on_threads_is_seen_to_have_more(spark: Any) -> None:
    """The exception, and the proof that the watch sees what is above."""
    flow = working().select("part", "n", "worked").select("n").select("n")
    dedicated = {"spark.penstock.flow.*.threading": "dedicated"}
    with LedgerWatch(page_of(spark)) as watch:
        run_hot(spark, flow, dedicated, most=20_000)
    seen = watch.above(most=2 + 1)
    assert seen.highest > 3, seen
    assert seen.looks > UNLUCKY, seen


def test_each_executor_has_a_ledger_of_its_own(sessions: Sessions) -> None:
    [cluster] = [mode for mode in MODES if mode.master.startswith("local-cluster")]
    spark = sessions.of(cluster)
    flow = penstock.flow("ledger", "id long").map(with_ledger, out="id long, ledger string")
    found = spark.range(0, 400, 1, 16).transform(flow).select("ledger").distinct().collect()
    assert len(found) == 2, found
    assert all(row.ledger.endswith(" 1") for row in found), "one seat for each task"


def ledgers(folder: Path) -> list[Path]:
    return list((folder / "local").rglob("penstock/threads"))


def test_the_seat_of_a_worker_that_was_killed_is_taken_back(
    spark: Any, folder: Path, tmp_path: Path
) -> None:
    def run() -> None:
        with contextlib.suppress(PySparkException, Py4JJavaError):
            spark.range(0, 10, 1, 2).transform(flows.blocking(tmp_path)).collect()

    job = threading.Thread(target=run)
    job.start()
    eventually(lambda: len(flows.blocked_pids(tmp_path)) == 2, "both tasks are busy")
    pids = set(flows.blocked_pids(tmp_path))
    [file] = [page for page in ledgers(folder) if {p.pid for p in places(page)} == pids]
    for pid in pids:
        descendant(pid).kill()
    job.join(timeout=60)
    assert not job.is_alive()
    plain = spark.range(0, 10, 1, 2)
    assert assert_same(plain.transform(flows.identity("id long")), plain) == 10
    eventually(lambda: places(file) == [], "no seat is left")


def test_flows_are_told_of_tasks_that_are_none_of_theirs(
    spark: Any, folder: Path, tmp_path: Path
) -> None:
    """The plugin writes how many tasks run into the page that flows share."""
    going_on = tmp_path / "go on"

    def waits(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import time  # noqa: PLC0415 - only in the worker

        while not going_on.exists():
            time.sleep(0.01)
        yield from batches

    # A flow makes the page, and the plugin finds it with the next task.
    plain = spark.range(0, 10, 1, 2)
    assert assert_same(plain.transform(flows.identity("id long")), plain) == 10
    job = threading.Thread(target=plain.mapInArrow(waits, "id long").collect)
    job.start()
    try:
        eventually(lambda: 2 in map(tasks_running, ledgers(folder)), "both tasks are counted")
    finally:
        going_on.touch()
        job.join(timeout=60)
    assert not job.is_alive()
    eventually(lambda: 2 not in map(tasks_running, ledgers(folder)), "their end is told, too")
