from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import Flow, flow
from penstock.executor import watch
from penstock.executor.status import Describer
from penstock.executor.status_file import StatusFile, say_once
from penstock.hidden_column import HIDDEN
from penstock.spec import FlowSpec
from penstock.telling import Telling
from penstock.worker import run_partition


class Sum:
    """What a task sees of an accumulator of Spark."""

    def __init__(self) -> None:
        self.added: list[Any] = []

    def add(self, messages: list[Any]) -> None:
        self.added += messages


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an executor whose plugin collects."""
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path))
    say_once.cache_clear()
    folder = tmp_path / "penstock"
    folder.mkdir(mode=0o700)
    (folder / "collector").touch()
    return folder


def picking() -> Flow:
    return flow("f", "n long").filter(pc.field("n") > 1, name="pick")


def batches(many: int = 3) -> Iterator[pa.RecordBatch]:
    return iter([pa.RecordBatch.from_pydict({"n": [1, 2, 3]})] * many)


def task(made: Flow, telling: Telling | None = None) -> Iterator[pa.RecordBatch]:
    return run_partition(FlowSpec.of(made), batches(), telling)


def left(shared: Path) -> dict[str, Any]:
    (path,) = shared.glob("pe-*")
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def test_the_last_word_of_a_task_says_what_it_did(shared: Path) -> None:
    rows = sum(batch.num_rows for batch in task(picking()))
    made = left(shared)
    assert (made["state"], made["error"]) == ("done", None)
    assert (made["rows_in"], made["rows_out"]) == (9, rows)


def test_a_task_of_which_no_more_rows_are_wanted_has_not_failed(shared: Path) -> None:
    running = task(picking())
    next(running)
    running.close()  # type: ignore[attr-defined]
    made = left(shared)
    assert (made["state"], made["rows_in"]) == ("done", 3)


def failing() -> Flow:
    def fails(batch: pa.RecordBatch) -> pa.RecordBatch:
        if batch.num_rows:
            raise LookupError("no luck\nand more")
        return batch

    return picking().map(fails, name="bad")


def test_a_task_that_failed_says_why_in_one_line(shared: Path) -> None:
    with pytest.raises(Exception, match="no luck"):
        list(task(failing()))
    made = left(shared)
    assert made["state"] == "failed"
    assert "no luck" in made["error"]
    assert "\n" not in made["error"]


def test_only_a_task_that_ended_well_tells_the_driver(shared: Path) -> None:
    adds = Sum()
    telling = Telling("run", "app", adds)
    running = task(picking(), telling)
    next(running)
    running.close()  # type: ignore[attr-defined]
    with pytest.raises(Exception, match="no luck"):
        list(task(failing(), telling))
    assert adds.added == []
    list(task(picking(), telling))
    ((run, *_, text),) = adds.added
    assert (run, json.loads(text)["rows_in"]) == ("run", 9)
    assert len(list(shared.glob("pe-*"))) == 3


def test_a_hidden_column_carries_it_in_one_more_row() -> None:
    plain = [batch.to_pylist() for batch in task(picking())]
    *rows, last = task(picking(), Telling("run", hidden=True))
    assert [batch.drop_columns([HIDDEN]).to_pylist() for batch in rows] == plain
    assert all(batch.column(HIDDEN).null_count == batch.num_rows for batch in rows)
    (carried,) = last.column(HIDDEN).to_pylist()
    assert json.loads(json.loads(carried)[-1])["rows_in"] == 9


def threads() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name.startswith("penstock")]


def test_a_task_that_runs_writes_its_file_and_the_thread_ends_with_it(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "PERIOD", 0.001)
    written = threading.Event()
    write = StatusFile.write

    def noticed(self: StatusFile, document: dict[str, Any]) -> None:
        write(self, document)
        written.set()

    monkeypatch.setattr(StatusFile, "write", noticed)
    running = task(picking())
    next(running)
    assert written.wait(60)
    assert left(shared)["state"] == "running"
    assert threads() == ["penstock-status"]
    list(running)
    assert threads() == []
    assert left(shared)["state"] == "done"


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("what", ["document", "write", "start"])
def test_whatever_goes_wrong_with_metrics_the_rows_come(
    what: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> Any:
        raise RuntimeError("can't start new thread")

    place: dict[str, tuple[Any, str]] = {
        "document": (Describer, "document"),
        "write": (StatusFile, "write"),
        "start": (threading.Thread, "start"),
    }
    monkeypatch.setattr(*place[what], broken)
    assert sum(batch.num_rows for batch in task(picking())) == 6
    assert len(caplog.records) == 1


def test_without_metrics_nothing_is_written(shared: Path) -> None:
    spec = FlowSpec.of(picking(), {"spark.penstock.metrics.enabled": False})
    assert sum(batch.num_rows for batch in run_partition(spec, batches())) == 6
    assert list(shared.glob("pe-*")) == []
