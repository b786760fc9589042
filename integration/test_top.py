"""`penstock top` sees the PEs of a real Spark application while they run."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa

from integration.processes import eventually
from penstock import flow


def top(*more: str) -> list[dict[str, Any]]:
    ran = subprocess.run(
        [sys.executable, "-m", "penstock", "top", "--json", *more],
        capture_output=True,
        check=True,
        text=True,
    )
    elements: list[dict[str, Any]] = json.loads(ran.stdout)["elements"]
    return [one for one in elements if one["flow"] == "seen_by_top"]


def test_a_running_task_is_seen_with_its_rows_and_is_gone_afterwards(
    spark: Any, tmp_path: Path
) -> None:
    go_on = tmp_path / "go_on"

    def wait(batch: pa.RecordBatch) -> pa.RecordBatch:
        if batch.num_rows and 0 in batch["id"].to_pylist():
            eventually(go_on.exists, "the test has seen the task")
        return batch

    made = flow("seen_by_top", "id long").map(wait, name="wait").select("id", name="pick")
    frame = spark.range(0, 1000, 1, 2).transform(made)
    counted: list[int] = []
    job = threading.Thread(target=lambda: counted.append(frame.count()))
    job.start()
    try:
        running = eventually(top, "top sees the task that waits")
        (found,) = [one for one in running if one["partition"] == 0]
        assert found["state"] == "running"
        assert [one["name"] for one in found["operators"]] == ["wait", "pick"]
        assert found["operators"][0]["gil"] is True
    finally:
        go_on.touch()
        job.join(120)
    assert counted == [1000]
    eventually(lambda: not top(), "top forgets the task")
