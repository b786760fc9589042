from __future__ import annotations

import dataclasses
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import FlowError, OperatorError, flow
from penstock.spec import FlowSpec
from penstock.threading_model import MODELS
from penstock.worker import run

BATCHES = [pa.RecordBatch.from_pydict({"n": [*range(k, k + 10)]}) for k in range(0, 200, 10)]
SMALL = flow("small", "n long").filter(pc.field("n") < 100, name="few").select("n")


def events(path: Path, phase: str = "X") -> list[dict[str, Any]]:
    return [event for event in json.loads(path.read_text()) if event["ph"] == phase]


@pytest.mark.parametrize("model", MODELS)
def test_a_trace_shows_what_each_thread_ran(tmp_path: Path, model: str) -> None:
    path = tmp_path / "trace.json"
    threads = None if model in ("manual", "dedicated") else 2
    made = SMALL.threading(model, threads=threads).run(BATCHES, trace=path)  # type: ignore[arg-type]
    assert made.num_rows == 100
    assert Counter(event["name"] for event in events(path)) == {"few": 20, "select_2": 10}
    assert sum(event["args"]["rows_out"] for event in events(path)) == 200
    named = {event["tid"] for event in events(path, "M") if event["name"] == "thread_name"}
    assert {event["tid"] for event in events(path)} <= named
    assert {event["pid"] for event in events(path)} == {os.getpid()}


def test_a_trace_needs_no_metrics_and_gives_none_when_they_are_off(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    off = {"spark.penstock.metrics.enabled": False}
    assert SMALL.run(BATCHES, settings=off, trace=str(path)).metrics is None
    assert len(events(path)) == 30
    on = SMALL.run(BATCHES, trace=str(path)).metrics
    assert on is not None
    assert on.operator("few").tuples == 20


def test_a_trace_is_complete_after_a_failure_and_after_an_early_end(tmp_path: Path) -> None:
    def fail(batch: pa.RecordBatch) -> pa.RecordBatch:
        if 25 in batch["n"].to_pylist():
            raise ValueError("25")
        return batch

    path = tmp_path / "trace.json"
    picky = flow("picky", "n long").map(fail, name="fail")
    with pytest.raises(OperatorError):
        picky.run(BATCHES, trace=path)
    assert len(events(path)) == 3
    stream = picky.stream(BATCHES, trace=path)
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert len(events(path)) == 1


def test_a_file_that_cannot_be_written_is_an_error_before_anything_runs(tmp_path: Path) -> None:
    called: list[int] = []

    def watch(batch: pa.RecordBatch) -> pa.RecordBatch:
        called.append(batch.num_rows)
        return batch

    made = flow("f", "n long").map(watch)
    called.clear()  # the trial where the flow was written
    nowhere = tmp_path / "no" / "trace.json"
    with pytest.raises(FlowError, match=rf"'{nowhere}' of flow 'f' cannot .*: No such file"):
        made.run(BATCHES, trace=nowhere)
    with pytest.raises(FlowError, match="Is a directory; choose a file in a folder that exists"):
        made.run(BATCHES, trace=tmp_path)
    assert called == []


@pytest.mark.parametrize("trace", ["", 7, "a\0b"])
def test_what_is_no_path_is_refused(trace: Any) -> None:
    with pytest.raises(FlowError, match="flow 'small': trace must be the path of a file, got "):
        SMALL.run(BATCHES, trace=trace)
    with pytest.raises(FlowError, match="trace must be the path"):
        SMALL.stream(BATCHES, trace=trace)


def test_a_full_disk_is_a_warning_and_no_row_is_lost() -> None:
    with pytest.warns(UserWarning, match="'/dev/full' is not complete: No space left on device"):
        made = SMALL.run(BATCHES, trace="/dev/full")
    assert made.num_rows == 100


@pytest.mark.parametrize(
    "name", ['a "quoted" name', "two\nlines\t\x01", "größe 流れ", "back\\slash"]
)
def test_a_name_is_shown_as_it_is(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name[:3].strip()} ü.json"
    spec = FlowSpec.of(SMALL)
    odd = dataclasses.replace(spec.operators[0], name=name)
    spec = dataclasses.replace(spec, operators=(odd, *spec.operators[1:]))
    list(run(spec, iter(BATCHES), trace=str(path)))
    assert {event["name"] for event in events(path)} == {name, "select_2"}
