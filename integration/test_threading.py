from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from tests.python.library.build import build

import penstock
from integration.checks import (
    every_operator_equals_plain_pyspark,
    the_demo_flow_equals_plain_pyspark,
)
from integration.jobs import workers_that_ran
from integration.oracle import assert_same
from integration.processes import Footprint, eventually
from integration.settings import settings
from integration.test_early_stop import fail_in_a_function, take_a_few
from penstock.threading_model import MODELS

POLICIES = Path(__file__).parents[1] / "tests/python/library/policies.cpp"


def chosen(model: str) -> dict[str, str]:
    return {
        "spark.penstock.flow.*.threading": model,
        "spark.penstock.flow.*.threads": "3",
        "spark.penstock.tuple.rows": "50",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "400",
    }


@pytest.mark.parametrize("model", MODELS)
def test_every_threading_model_equals_plain_pyspark(spark: Any, model: str) -> None:
    with settings(spark, chosen(model)):
        every_operator_equals_plain_pyspark(spark)
        the_demo_flow_equals_plain_pyspark(spark)


@pytest.mark.parametrize("model", MODELS)
def test_no_thread_of_a_model_outlives_its_task(
    spark: Any, model: str, folder: Path, tmp_path: Path
) -> None:
    workers_that_ran(spark)
    before = Footprint.now(folder / "tmp")
    with settings(spark, chosen(model)):
        for stop in (take_a_few, fail_in_a_function):
            stop(spark, tmp_path)
        workers_that_ran(spark)
        eventually(
            lambda: Footprint.now(folder / "tmp").fits_in(before), f"no more than {before} is held"
        )


def evens(policy: str = "") -> penstock.Flow:
    made = penstock.flow("evens", "n long").filter(pc.bit_wise_and(pc.field("n"), 1) == 0)
    made = made.map(squared, "n long, square long", name="squared")
    return made.threading("dynamic", threads=2, policy=policy) if policy else made


def squared(batch: pa.RecordBatch) -> pa.RecordBatch:
    return batch.append_column("square", pc.multiply(batch["n"], batch["n"]))


def numbers(spark: Any) -> tuple[Any, Any]:
    """Some rows, and what the flow makes of them, by Spark alone."""
    given = spark.range(0, 2_000, 1, 2).selectExpr("id AS n")
    return given, given.where("n % 2 = 0").selectExpr("n", "n * n AS square")


@pytest.mark.parametrize("policy", ["leastRecent", "maxQueue", "currentThroughput"])
def test_a_policy_that_is_set_by_name_makes_what_plain_pyspark_makes(
    spark: Any, policy: str
) -> None:
    given, wanted = numbers(spark)
    with settings(spark, chosen("dynamic") | {"spark.penstock.flow.evens.policy": policy}):
        assert_same(given.transform(evens()), wanted)


def test_a_policy_of_a_library_that_spark_shipped_decides_on_executors(
    spark: Any, tmp_path: Path
) -> None:
    own = build(tmp_path / "policies.so", source=POLICIES)
    (tmp_path / "shipped").mkdir()
    spark.sparkContext.addFile(shutil.copy(own, tmp_path / "shipped"))
    earliest, senseless = (evens(f"{own}:{symbol}") for symbol in ("earliest", "senseless"))
    given, wanted = numbers(spark)
    with settings(spark, {"spark.penstock.tuple.rows": "50"}):
        made, bad = given.transform(earliest), given.transform(senseless)
        Path(own).unlink()  # so workers have what Spark shipped or nothing
        assert_same(made, wanted)
        with pytest.raises(Exception, match=r"policy '.*:senseless' picked operator 4711"):
            bad.collect()
