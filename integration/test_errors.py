from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import functions as F

import penstock
from integration.flows import FailsAt, identity
from integration.settings import settings


def numbers(spark: Any, rows: int = 5_000, partitions: int = 1) -> Any:
    return spark.range(0, rows, 1, partitions)


def fails_at(number: int) -> penstock.Flow:
    return (
        penstock.flow("fragile", "id long")
        .filter(pc.field("id") >= 100, name="late")
        .map(FailsAt(number), name="bear")
    )


def message_of(action: Callable[[], object]) -> str:
    with pytest.raises(PySparkException) as raised:
        action()
    return str(raised.value)


def test_a_function_that_raises_is_named_with_its_row_and_its_traceback(spark: Any) -> None:
    message = message_of(numbers(spark).transform(fails_at(1234)).collect)
    assert "OperatorError: flow 'fragile', operator 'bear', input row 1234 (0-based" in message
    assert "LookupError: cannot bear 1234" in message
    assert 'flows.py", line' in message
    assert "in __call__" in message


def test_the_row_is_counted_within_the_partition_and_over_all_batches(spark: Any) -> None:
    with settings(spark, {"spark.sql.execution.arrow.maxRecordsPerBatch": "300"}):
        second_half = message_of(numbers(spark, partitions=2).transform(fails_at(4_000)).collect)
    assert "operator 'bear', input row 1500 (" in second_half


def test_without_the_search_for_the_row_a_range_is_named(spark: Any) -> None:
    with settings(spark, {"spark.penstock.error.locateRow": "false"}):
        message = message_of(numbers(spark).transform(fails_at(1234)).collect)
    assert "operator 'bear', input rows 0 to 4999 (" in message


def test_rows_before_the_failing_one_are_delivered_first(spark: Any) -> None:
    made = numbers(spark).transform(fails_at(1234))
    assert [row.id for row in made.limit(1134).collect()] == list(range(100, 1234))
    assert "cannot bear 1234" in message_of(made.limit(1135).collect)


def test_a_failure_upstream_fails_the_job_and_commits_nothing(spark: Any, tmp_path: Path) -> None:
    # Spark ends the flow's input as if it were complete when what feeds it has failed.
    broken = F.when(F.col("id") == 240_000, F.raise_error(F.lit("upstream broke")).cast("long"))
    df = numbers(spark, 400_000).select(broken.otherwise(F.col("id")).alias("id"))
    made = df.transform(identity("id long"))
    assert "upstream broke" in message_of(made.collect)
    assert "upstream broke" in message_of(lambda: made.write.parquet(str(tmp_path / "made")))
    assert not list((tmp_path / "made").glob("*.parquet"))


def test_a_bad_setting_of_the_session_is_refused_before_any_job(spark: Any) -> None:
    with (
        settings(spark, {"spark.penstock.tuple.rows": "-1", "spark.penstock.tuple.row": "1"}),
        no_job(spark),
        pytest.raises(penstock.SettingError) as raised,
    ):
        numbers(spark).transform(identity("id long"))
    message = str(raised.value)
    assert "spark.penstock.tuple.rows" in message
    assert "-1" in message
    assert "1048576" in message
    assert "spark.penstock.tuple.row is not a setting" in message


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ("ids long", "flow 'identity': column 'ids' was declared but is missing; did you mean"),
        ("id string", "flow 'identity': column 'id' was declared string but is bigint"),
    ],
)
def test_input_that_does_not_fit_is_refused_before_any_job(
    spark: Any, declared: str, message: str
) -> None:
    with no_job(spark), pytest.raises(penstock.FlowError, match=message):
        numbers(spark).transform(identity(declared))


def test_the_watch_for_jobs_sees_one(spark: Any) -> None:
    with pytest.raises(AssertionError, match="a job ran"), no_job(spark):
        numbers(spark, 10).transform(identity("id long")).collect()


class no_job:
    """Fails when Spark ran a job within the with block."""

    def __init__(self, spark: Any) -> None:
        self._context = spark.sparkContext
        self._group = uuid.uuid4().hex

    def __enter__(self) -> None:
        self._context.setJobGroup(self._group, "watched")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        ran = list(self._context.statusTracker().getJobIdsForGroup(self._group))
        self._context.setLocalProperty("spark.jobGroup.id", None)
        assert not ran, f"a job ran: {ran}"
