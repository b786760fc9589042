from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from integration.checks import (
    every_operator_equals_plain_pyspark,
    the_demo_flow_equals_plain_pyspark,
)
from integration.jobs import workers_that_ran
from integration.processes import Footprint, eventually
from integration.settings import settings
from integration.test_early_stop import fail_in_a_function, take_a_few
from penstock.threading_model import MODELS


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
