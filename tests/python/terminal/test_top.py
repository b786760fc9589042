"""`penstock top` against processes that look like Spark's workers: their environment names a folder."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from tests.python.terminal.test_status import GOOD

from penstock.cli import main
from penstock.commands.top import Rates, view
from penstock.terminal.elements import executor_folders, find_elements, read_folders

# Writes its status and waits until its standard input ends, so it cannot outlive the test.
WORKER = """
import json, os, sys
from penstock.executor.folder import executor_folder
status = json.loads(sys.argv[1]) | {"pid": os.getpid()}
path = executor_folder() / f"pe-{os.getpid()}.json"
path.with_suffix(".tmp").write_text(json.dumps(status))
path.with_suffix(".tmp").rename(path)
print("ready", flush=True)
sys.stdin.read()
"""


class Workers:
    """Processes with an executor's local folder in their environment."""

    def __init__(self, folder: Path) -> None:
        self.local = folder / "blockmgr"
        self.local.mkdir()
        self.folder = self.local / "penstock"
        self._running: list[subprocess.Popen[str]] = []

    def start(self, **changes: Any) -> subprocess.Popen[str]:
        worker = subprocess.Popen(
            [sys.executable, "-c", WORKER, json.dumps(GOOD | changes)],
            env={**os.environ, "SPARK_LOCAL_DIRS": f"{self.local},/elsewhere"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._running.append(worker)
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
        return worker

    def end(self, worker: subprocess.Popen[str]) -> None:
        worker.communicate(timeout=60)

    def end_all(self) -> None:
        for worker in self._running:
            if worker.poll() is None:
                self.end(worker)


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[Workers]:
    made = Workers(tmp_path)
    yield made
    made.end_all()


def ours(document: dict[str, Any], worker: subprocess.Popen[str]) -> list[dict[str, Any]]:
    """The host may run other PEs, which are nobody's business here."""
    return [one for one in document["elements"] if one["pid"] == worker.pid]


def as_json(capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    assert main(["top", "--json", *more]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_a_running_worker_is_found_by_its_environment(
    workers: Workers, capsys: pytest.CaptureFixture[str]
) -> None:
    worker = workers.start(flow="clicks")
    (found,) = ours(as_json(capsys), worker)
    assert (found["flow"], found["rows_in"], found["state"]) == ("clicks", 1000, "running")
    assert workers.folder in executor_folders()


def test_once_prints_a_table(workers: Workers, capsys: pytest.CaptureFixture[str]) -> None:
    worker = workers.start(flow="clicks", seconds=2.0, rows_in=1000)
    assert main(["top", "--once"]) == 0
    said = capsys.readouterr().out
    (line,) = [line for line in said.splitlines() if f" {worker.pid} " in line]
    assert line.split()[:3] == ["clicks", "3.1", "running"]
    assert "1.00 k" in line
    assert " 500 " in line  # rows per second
    assert "pick 75 %" in line


def test_what_has_ended_is_shown_on_request(
    workers: Workers, capsys: pytest.CaptureFixture[str]
) -> None:
    worker = workers.start(state="failed", error="ValueError: nine")
    assert ours(as_json(capsys), worker) == []
    (found,) = ours(as_json(capsys, "--all"), worker)
    assert found["error"] == "ValueError: nine"


def test_the_file_of_a_process_that_was_killed_does_not_count(workers: Workers) -> None:
    gone, still = workers.start(), workers.start()
    workers.end(gone)
    found = find_elements()
    pids = [one.pid for one in found.running]
    assert still.pid in pids
    assert gone.pid not in pids
    assert any(f"process {gone.pid} is gone" in note for note in found.notes)


def test_bad_files_are_left_out_with_a_note(workers: Workers) -> None:
    worker = workers.start()
    (workers.folder / "pe-\x1b[2J.json").write_text("no json")
    (workers.folder / "pe-old.json").write_text('{"version": 0}')
    (workers.folder / "other.json").write_text("not a status file")
    found = read_folders({workers.folder: {worker.pid}})
    assert [one.pid for one in found.elements] == [worker.pid]
    assert len(found.notes) == 2
    assert any("version 0, not 1" in note for note in found.notes)
    assert not any("\x1b" in note for note in found.notes)


def test_folders_that_are_links_are_not_followed(tmp_path: Path, workers: Workers) -> None:
    worker = workers.start()
    link = tmp_path / "link"
    link.symlink_to(workers.folder)
    assert read_folders({link: {worker.pid}}).elements == ()


def test_names_cannot_move_the_cursor(workers: Workers) -> None:
    worker = workers.start(flow="evil\x1b[2J\x07[bold]")
    found = read_folders({workers.folder: {worker.pid}})
    file = io.StringIO()
    Console(file=file, width=200, force_terminal=True, color_system=None).print(
        view(found, Rates(), everything=True)
    )
    shown = file.getvalue()
    assert "evil\\x1b[2J\\x07[bold]" in shown
    assert "\x1b[2J" not in shown
    assert "\x07" not in shown


def test_throughput_is_that_between_two_looks(workers: Workers) -> None:
    worker = workers.start(seconds=10.0, rows_in=1000)
    rates = Rates()
    (first,) = read_folders({workers.folder: {worker.pid}}).elements
    assert rates.of(first) == 100
    later = GOOD | {"pid": worker.pid, "seconds": 14.0, "rows_in": 5000}
    (workers.folder / f"pe-{worker.pid}.json").write_text(json.dumps(later))
    (second,) = read_folders({workers.folder: {worker.pid}}).elements
    assert rates.of(second) == 1000
