"""A flow on Spark with gates in it, set up by chance: which model, which sizes, which rows."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from integration.chaos.flows import Case
from integration.chaos.gate import gate
from integration.chaos.scene import Scene
from integration.chaos.verdict import Verdict, range_of, wanted_of
from integration.jobs import Job
from integration.settings import settings
from penstock.threading_model import FIXED, MODELS

MOMENTS = ("the first row", "a row in the middle", "the last row")


@dataclass(frozen=True)
class Disturbed:
    """A job that stops at its gates."""

    case: Case
    rows: int
    partitions: int
    job: Job

    def verdict(self) -> Verdict:
        """Wait for the job, which must succeed, and compare."""
        found = [(row.id, row.value) for row in self.job.rows()]
        return Verdict.of(found, wanted_of(self.case, self.rows, self.partitions))


@contextmanager
def disturbed(
    spark: Any,
    case: Case,
    scene: Scene,
    *,
    partitions: int = 2,
    stopping: int = 2,
    attempts: int = 1,
) -> Iterator[Disturbed]:
    """Start a job whose first partitions stop at a row each.

    Args:
        spark: Where.
        case: What runs.
        scene: Decides on everything else.
        partitions: Of the input.
        stopping: How many of them stop.
        attempts: How many attempts at each of those stop.
    """
    chance = scene.chance
    rows = chance.randrange(3_000, 6_000)
    at = [
        _row(chance, range_of(partition, rows, partitions), MOMENTS[chance.randrange(3)])
        for partition in range(stopping)
    ]
    with settings(spark, chosen_settings(chance, case.name)):
        made = case.flow(gate(scene.gates, at, attempts))
        job = Job(spark, spark.range(0, rows, 1, partitions).transform(made))
        yield Disturbed(case, rows, partitions, job)


def chosen_settings(chance: random.Random, flow: str) -> dict[str, str]:
    model = chance.choice(MODELS)
    chosen = {
        f"spark.penstock.flow.{flow}.threading": model,
        "spark.penstock.tuple.rows": chance.choice(["0", "7", "64"]),
        "spark.penstock.elastic.period": "10ms",
        "spark.sql.execution.arrow.maxRecordsPerBatch": chance.choice(["200", "1000"]),
    }
    if model not in FIXED:
        chosen[f"spark.penstock.flow.{flow}.threads"] = chance.choice(["2", "4"])
    return chosen


def _row(chance: random.Random, rows: range, moment: str) -> int:
    if moment == MOMENTS[0]:
        return rows[0]
    return rows[-1] if moment == MOMENTS[2] else chance.choice(rows)
