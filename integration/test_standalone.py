"""A standalone cluster with two workers: both do the work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

import penstock
from integration.processes import eventually
from integration.sessions import Mode, Sessions
from integration.standalone import WORKERS


def folder_of_the_executor(batch: pa.RecordBatch) -> pa.RecordBatch:
    folders = pa.array([str(Path.cwd())] * batch.num_rows, pa.string())
    return pa.RecordBatch.from_pydict({"id": batch["id"], "folder": folders})


PLACES = penstock.flow("places", "id long").map(
    folder_of_the_executor, "id long, folder string", name="where"
)


def test_executors_on_both_workers_run_the_flow_and_keep_the_order(sessions: Sessions) -> None:
    spark = sessions.of(Mode("standalone", plugin=True))

    made: list[Any] = []

    def both_were_used() -> bool:
        made[:] = spark.range(0, 4_000, 1, 8).transform(PLACES).collect()
        return {name for name in WORKERS for row in made if f"/{name}/" in row.folder} == set(
            WORKERS
        )

    # The second executor may come up after the first jobs.
    eventually(both_were_used, "executors on both workers")
    assert [row.id for row in made] == list(range(4_000))
    assert {row.folder for row in made[:500]} == {made[0].folder}
