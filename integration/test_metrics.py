"""What flows tell of themselves, compared with what is counted by hand over the same partitions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyspark.errors import PySparkException

import penstock
from integration import flows
from integration.checks import words
from integration.counting import MODES, WHEEL, by_hand, counted, status_files, told
from integration.processes import eventually
from integration.sessions import Mode, Sessions
from integration.settings import settings


@pytest.fixture(scope="module", params=MODES, ids=str)
def mode(request: pytest.FixtureRequest) -> Mode:
    """Of the module, so that pytest runs the tests of one mode after another: each starts a JVM."""
    found: Mode = request.param
    return found


@pytest.fixture
def any_spark(mode: Mode, sessions: Sessions) -> Any:
    return sessions.of(mode)


@pytest.fixture
def wheel(sessions: Sessions) -> Any:
    """Two local cores without the plugin."""
    return sessions.of(WHEEL)


@pytest.mark.parametrize("observe", ["false", "true"])
def test_rows_by_operator_and_task_are_those_counted_by_hand(any_spark: Any, observe: str) -> None:
    df = words(any_spark, 3_000, 5).where("seq % 5 < 4")
    flow = counted()
    with settings(any_spark, {"spark.penstock.metrics.observe": observe}):
        made = df.transform(flow)
    assert (penstock.last_run(made), flow.metrics) == (None, None)
    rows = made.collect()
    run = penstock.last_run(made)
    assert told(run) == by_hand(df)
    assert flow.metrics == run
    assert run is not None
    assert run.rows_out == len(rows)
    assert len({task.task for task in run.tasks}) == 5


def test_without_observing_the_query_is_as_it_would_be_without_metrics(wheel: Any) -> None:
    df = words(wheel, 100, 2)
    with settings(wheel, {"spark.penstock.metrics.enabled": "false"}):
        without = df.transform(counted())
    assert plan_of(df.transform(counted())) == plan_of(without)


def plan_of(df: Any) -> list[str]:
    text = df._jdf.queryExecution().executedPlan().toString()
    return [line.partition("(")[0].strip() for line in text.splitlines()]


def test_what_spark_cached_of_a_flow_is_found_again(wheel: Any) -> None:
    df = words(wheel, 100, 2)
    flow = counted()
    cached = df.transform(flow).cache()
    try:
        assert cached.count() == 0
        assert "InMemoryTableScan" in df.transform(flow)._jdf.queryExecution().toString()
    finally:
        cached.unpersist()


def test_the_last_action_counts_and_a_second_one_is_not_added(wheel: Any) -> None:
    df = words(wheel, 1_000, 2)
    made = df.transform(counted())
    made.collect()
    first = penstock.last_run(made)
    made.write.format("noop").mode("overwrite").save()
    second = penstock.last_run(made)
    assert told(first) == told(second) == by_hand(df)
    assert first is not None
    assert second is not None
    assert {one.task for one in first.tasks}.isdisjoint(one.task for one in second.tasks)


def test_a_flow_tells_of_dataframes_that_were_made_of_its_own(wheel: Any) -> None:
    df = words(wheel, 1_000, 2)
    flow = counted()
    df.transform(flow).groupBy("word").count().collect()
    assert told(flow.metrics) == by_hand(df)


def test_two_flows_in_one_stage_tell_each_of_themselves(wheel: Any) -> None:
    df = words(wheel, 1_000, 2)
    first, second = counted(), penstock.flow("second", "seq long").filter(pc.field("seq") > 200)
    made = df.transform(first).transform(second)
    rows = made.count()
    assert first.metrics is not None
    run = penstock.last_run(made)
    assert run is not None
    assert run.flow == "second"
    assert (run.rows_in, run.rows_out) == (first.metrics.rows_out, rows)


def test_empty_partitions_are_tasks_without_rows(wheel: Any) -> None:
    made = words(wheel, 3, 8).transform(counted())
    made.collect()
    run = penstock.last_run(made)
    assert run is not None
    assert [task.partition for task in run.tasks] == list(range(8))
    assert run.rows_in == 3


class FailsOnce:
    """Fails the first attempt at a partition; a file remembers that there was one."""

    def __init__(self, marker: Path) -> None:
        self._marker = marker

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        if batch.num_rows and 0 in batch["seq"].to_pylist() and not self._marker.exists():
            self._marker.touch()
            raise OSError("the first attempt fails")
        return batch


def test_an_attempt_that_failed_is_not_counted_beside_the_one_that_did_not(
    sessions: Sessions, tmp_path: Path
) -> None:
    spark = sessions.of(Mode("local-cluster[2,1,1024]", plugin=True))
    df = words(spark, 1_000, 2)
    flow = penstock.flow("retried", "seq long").map(FailsOnce(tmp_path / "marker"), name="once")
    made = df.transform(flow)
    assert made.count() == 1_000
    run = penstock.last_run(made)
    assert run is not None
    assert [(task.partition, task.rows_in) for task in run.tasks] == [(0, 500), (1, 500)]
    assert run.tasks[0].attempt == 1


def test_a_task_cut_short_by_limit_leaves_no_file_and_no_wait(wheel: Any, folder: Path) -> None:
    made = words(wheel, 200_000, 2).transform(flows.narrow)
    assert len(made.limit(3).collect()) == 3
    run = flows.narrow.metrics
    assert run is None or run.rows_in < 200_000
    eventually(lambda: not status_files(folder), "no status file is left")


def test_a_dataframe_that_no_flow_returned_is_refused(wheel: Any) -> None:
    with pytest.raises(penstock.FlowError, match="no flow returned"):
        penstock.last_run(wheel.range(3))
    with pytest.raises(penstock.FlowError, match="was given a int"):
        penstock.last_run(3)


def test_nothing_is_told_where_metrics_are_off(wheel: Any, folder: Path) -> None:
    flow = counted()
    with settings(wheel, {"spark.penstock.metrics.enabled": "false"}):
        made = words(wheel, 100, 2).transform(flow)
    made.collect()
    assert penstock.last_run(made) is None
    assert flow.metrics is None
    assert status_files(folder) == []


def test_a_failed_task_fails_with_its_own_error_alone(any_spark: Any, folder: Path) -> None:
    flow = penstock.flow("bad", "id long").map(flows.FailsAt(7), name="bad")
    made = any_spark.range(0, 10, 1, 1).transform(flow)
    with pytest.raises(PySparkException, match="cannot bear 7"):
        made.collect()
    assert penstock.last_run(made) is None
    eventually(lambda: not status_files(folder), "no status file is left")
