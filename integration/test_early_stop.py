from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest
from pyspark.errors import PySparkException

import penstock
from integration import flows
from integration.jobs import WHOLE, Job, workers_that_ran
from integration.processes import INHERITED, Footprint, eventually, is_alive, python_workers
from integration.settings import settings


def take_a_few(spark: Any, _: Path) -> None:
    assert len(spark.range(0, 10**9, 1, 2).transform(WHOLE).limit(5).collect()) == 5


def take_from_the_middle(spark: Any, _: Path) -> None:
    late = WHOLE.filter(pc.field("id") >= 50_000)
    assert spark.range(0, 10**9, 1, 1).transform(late).take(1)[0].id == 50_000


def run_over_nothing(spark: Any, _: Path) -> None:
    assert spark.range(0, 1, 1, 8).where("id > 5").transform(WHOLE).collect() == []


def fail_in_a_function(spark: Any, _: Path) -> None:
    failing = WHOLE.map(flows.FailsAt(7_000), name="fails")
    with pytest.raises(PySparkException, match="cannot bear 7000"):
        spark.range(0, 20_000, 1, 2).transform(failing).collect()


def cancel_a_flow_that_reads_for_ever(spark: Any, folder: Path) -> None:
    begun = folder / "begun"
    endless = penstock.flow("endless", "id long").map(flows.Touches(begun)).filter(pc.scalar(False))
    job = Job(spark, spark.range(0, 10**12, 1, 2).transform(endless))
    eventually(begun.exists, "the flow reads")
    job.cancel()


def cancel_a_function_that_never_returns(spark: Any, folder: Path) -> None:
    job = Job(spark, spark.range(0, 10, 1, 2).transform(flows.blocking(folder)))
    eventually(lambda: len(flows.blocked_pids(folder)) == 2, "both tasks are busy")
    busy = [w for w in python_workers() if w.pid in flows.blocked_pids(folder)]
    assert len(busy) == 2
    job.cancel()
    eventually(lambda: not any(is_alive(worker) for worker in busy), "the workers are gone")


# More than a worker may hold for other reasons: whatever each attempt leaves behind shows.
ATTEMPTS = INHERITED + 2

STOPS: list[Callable[[Any, Path], None]] = [
    take_a_few,
    take_from_the_middle,
    run_over_nothing,
    fail_in_a_function,
    cancel_a_flow_that_reads_for_ever,
    cancel_a_function_that_never_returns,
]


@pytest.mark.parametrize("stop", STOPS, ids=lambda stop: stop.__name__.replace("_", " "))
def test_nothing_is_left_and_workers_go_on_after(
    spark: Any, stop: Callable[[Any, Path], None], folder: Path, tmp_path: Path
) -> None:
    workers_that_ran(spark)
    before = Footprint.now(folder / "tmp")
    for attempt in range(1 if "cancel" in stop.__name__ else ATTEMPTS):
        place = tmp_path / str(attempt)
        place.mkdir()
        stop(spark, place)

    def nothing_is_left() -> None:
        eventually(
            lambda: Footprint.now(folder / "tmp").fits_in(before),
            f"no more than {before} is held",
        )

    nothing_is_left()
    # Not always both: tasks are so short that one worker may do them one after the other, and of
    # several that wait Spark takes the one that has waited longest.
    again = workers_that_ran(spark)
    eventually(lambda: workers_that_ran(spark) & again, "a worker that ran before runs again")
    # Not at once: a job may be over for the driver while its workers still close their files.
    nothing_is_left()


def test_an_operator_is_not_called_when_the_one_before_kept_no_rows(spark: Any) -> None:
    picky = WHOLE.filter(pc.field("id") >= 15).map(flows.in_batches_with_rows, name="picky")
    with settings(spark, {"spark.sql.execution.arrow.maxRecordsPerBatch": "5"}):
        found = spark.range(0, 20, 1, 1).transform(picky).collect()
    assert [row.id for row in found] == list(range(15, 20))
