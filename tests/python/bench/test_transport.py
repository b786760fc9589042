from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from penstock.bench.suites import BenchError, Size
from penstock.bench.transport import BASE, GOAL, SHAPES, flows, identity, measure


@pytest.mark.parametrize("name", ["flow.select", "flow.map"])
def test_the_measured_flows_pass_every_row_on_unchanged(name: str) -> None:
    batch = pa.record_batch({"id": [1, 2, None], "s": ["a", None, "c"]})
    assert flows(batch.schema)[name].run(batch).table == pa.Table.from_batches([batch])
    assert list(identity(iter([batch]))) == [batch]


def test_without_pyspark_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(BenchError, match=r"pip install 'penstock\[spark\]'"):
        measure(Size(), lambda _: None)


def test_a_run_on_spark_gives_one_document_with_all_points_and_targets(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "penstock", "bench", "transport"]
    command += ["--quick", "--json", "--scale", "0.001"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    document = json.loads(ran.stdout)
    contenders = [BASE, "flow.select", "flow.map"]
    assert [point["name"] for point in document["points"]] == [
        f"{shape.name}/{name}" for shape in SHAPES for name in contenders
    ]
    for point in document["points"]:
        assert point["median_s"] > 0
        assert point["rows_per_s"] == pytest.approx(point["rows"] / point["median_s"])
        assert (point["ratio"] == 1) or not point["name"].endswith(BASE)
    assert len(document["targets"]) == 2 * len(SHAPES)
    for target in document["targets"]:
        assert set(target) == {"name", "value", "goal", "holds"}
        assert target["holds"] is (target["value"] <= GOAL)
    assert document["versions"]["pyspark"]
    assert document["machine"]["cores"] >= 1
