"""PEs that run say so in files of their executor's folder."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import penstock
from integration.counting import MODES, status_files
from integration.processes import eventually
from integration.sessions import Mode, Sessions


class Waits:
    """Waits until a file is there, so that a test can look at a flow that runs."""

    def __init__(self, gate: Path) -> None:
        self._gate = gate

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        if batch.num_rows:
            eventually(self._gate.exists, "the test opens the gate")
        return batch


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_pe_that_runs_says_so_in_a_file_that_is_gone_afterwards(
    sessions: Sessions, folder: Path, tmp_path: Path, mode: Mode
) -> None:
    spark = sessions.of(mode)
    gate = tmp_path / "gate"
    flow = penstock.flow("waiting", "id long").map(Waits(gate), name="waits")
    with ThreadPoolExecutor(1) as pool:
        job = pool.submit(spark.range(0, 100, 1, 2).transform(flow).count)
        try:
            documents = eventually(lambda: whole_files(folder, 2), "two status files")
            mode_of_file = {path.stat().st_mode & 0o777 for path in status_files(folder)}
        finally:
            gate.touch()
        assert job.result(timeout=60) == 100
    assert mode_of_file == {0o600}
    assert {one["partition"] for one in documents} == {0, 1}
    for one in documents:
        assert one["version"] == 1
        assert (one["flow"], one["state"], one["error"]) == ("waiting", "running", None)
        assert one["application"] == spark.sparkContext.applicationId
        assert one["rows_in"] == 50
        assert one["seconds"] > 0
        assert [op["name"] for op in one["operators"]] == ["waits"]
        assert [op["gil"] for op in one["operators"]] == [True]
    eventually(lambda: not status_files(folder), "no status file is left")


def whole_files(folder: Path, many: int) -> list[dict[str, Any]]:
    found = []
    for path in status_files(folder):
        if path.suffix == ".json":
            try:
                found.append(json.loads(path.read_text()))
            except FileNotFoundError:
                return []
    return found if len(found) == many else []
