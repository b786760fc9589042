from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest
from integration.processes import eventually
from pyarrow import feather

from penstock.cli import main
from penstock.commands import formats
from penstock.errors import FlowError

JOBS = str(Path(__file__).parent / "jobs.py")
ROWS = pa.table({"host": ["a", "b", "c", "d"], "tries": [1, 5, 9, 7], "other": [1, 2, 3, 4]})
BIG = [{"host": "b", "tries": 5}, {"host": "c", "tries": 9}, {"host": "d", "tries": 7}]


@pytest.fixture(autouse=True)
def _restored(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "in.parquet"
    pq.write_table(ROWS, path)
    return path


def penstock(*arguments: object) -> int:
    return main([str(one) for one in arguments])


def write_stream(table: pa.Table, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)


WRITE: dict[str, Callable[[pa.Table, Path], Any]] = {
    "x.parquet": pq.write_table,
    "x.csv": pa_csv.write_csv,
    "x.feather": feather.write_feather,
    "x.arrow": write_stream,
}


READ: dict[str, Callable[[Path], pa.Table]] = {
    "y.parquet": pq.read_table,
    "y.csv": pa_csv.read_csv,
    "y.arrow": feather.read_table,
}


@pytest.mark.parametrize("given", WRITE)
@pytest.mark.parametrize("made", READ)
def test_files_of_every_format_are_read_and_written(tmp_path: Path, given: str, made: str) -> None:
    WRITE[given](ROWS, tmp_path / given)
    code = penstock("run", f"{JOBS}:big", "--input", tmp_path / given, "--output", tmp_path / made)
    assert code == 0
    assert READ[made](tmp_path / made).to_pylist() == BIG
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([given, made])


def test_a_folder_of_files_is_read_in_the_order_of_names(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for place in (1, 0):
        pq.write_table(ROWS.slice(2 * place, 2), folder / f"part-0000{place}.parquet")
    (folder / "_SUCCESS").touch()
    out = tmp_path / "y.parquet"
    assert penstock("run", f"{JOBS}:big", "--input", folder, "--output", out) == 0
    assert pq.read_table(out).to_pylist() == BIG


def test_numbers_in_a_csv_file_are_what_the_flow_wants(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("host,tries\n007,5\n")
    out = tmp_path / "y.parquet"
    assert penstock("run", f"{JOBS}:big", "--input", path, "--output", out) == 0
    assert pq.read_table(out).to_pylist() == [{"host": "007", "tries": 5}]


def test_without_an_output_rows_are_shown(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert penstock("run", f"{JOBS}:big", "--input", rows, "--limit", 2) == 0
    said = capsys.readouterr().out
    assert "host" in said
    assert "5" in said
    assert "d" not in said.replace("─", "")


def test_values_that_would_move_the_cursor_are_written_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"host": ["\x1b[2Jgone"], "tries": [5]}), path)
    assert penstock("run", f"{JOBS}:big", "--input", path) == 0
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "\\x1b[2Jgone" in said


def test_a_limit_ends_the_run_early(tmp_path: Path, rows: Path) -> None:
    out = tmp_path / "y.parquet"
    arguments = ["run", f"{JOBS}:fails", "--input", rows, "--output", out]
    assert penstock(*arguments, "--limit", 2, "--set", "tuple.rows=1") == 0
    assert pq.read_table(out).num_rows == 2


def test_threading_settings_trace_and_progress_reach_the_run(
    tmp_path: Path, rows: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, trace = tmp_path / "y.parquet", tmp_path / "trace.json"
    arguments = ["run", f"{JOBS}:big", "--input", rows, "--output", out, "--trace", trace]
    code = penstock(*arguments, "--threading", "conveyor", "--set", "tuple.rows=1", "--progress")
    assert code == 0
    assert pq.read_table(out).to_pylist() == BIG
    assert "big" in trace.read_text()
    assert "logins: " in capsys.readouterr().err


def test_flows_of_several_inputs_take_a_file_for_each(tmp_path: Path) -> None:
    for name, numbers in (("left", [1, 4]), ("right", [2, 3])):
        pq.write_table(pa.table({"n": numbers}), tmp_path / f"{name}.parquet")
    inputs = [f"--input={name}={tmp_path / name}.parquet" for name in ("left", "right")]
    out = tmp_path / "y.parquet"
    assert penstock("run", f"{JOBS}:both", *inputs, "--order-by", "n", "--output", out) == 0
    assert pq.read_table(out)["n"].to_pylist() == [1, 2, 3, 4]


def failing(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert penstock(*arguments) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("penstock: ")
    assert "Traceback" not in said.err
    return said.err


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("no_such_module:flow", "there is no module 'no_such_module'"),
        ("no/such/file.py:flow", "there is no file 'no/such/file.py'"),
        (f"{JOBS}:bog", "did you mean 'big'?"),
        (f"{JOBS}:no_flow", "is a int, not a flow"),
        ("nothing", "does not name a flow"),
    ],
)
@pytest.mark.parametrize("command", ["explain", "run"])
def test_a_flow_that_is_not_there_is_named(
    command: str, where: str, told: str, rows: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["--input", rows] if command == "run" else []
    assert told in failing(capsys, command, where, *more)


def test_a_module_that_fails_tells_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken_job.py"
    path.write_text("x = 1\nraise RuntimeError('no luck')\n")
    said = failing(capsys, "explain", f"{path}:flow")
    assert "RuntimeError: no luck" in said
    assert f"{path}, line 2" in said


def left(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("flow", "given", "told"),
    [
        ("big", "absent.parquet", "there is no file"),
        ("big", "in.txt", "of no known format"),
        ("big", "bad.parquet", "bad.parquet"),
        ("big", "narrow.parquet", "tries"),
        ("fails", "in.parquet", "operator 'picky', input row 2"),
    ],
)
def test_what_goes_wrong_is_named_and_leaves_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flow: str, given: str, told: str
) -> None:
    pq.write_table(ROWS, tmp_path / "in.parquet")
    (tmp_path / "in.txt").touch()
    (tmp_path / "bad.parquet").write_bytes(b"no parquet at all")
    pq.write_table(ROWS.select(["host"]), tmp_path / "narrow.parquet")
    before = left(tmp_path)
    out = tmp_path / "y.parquet"
    said = failing(capsys, "run", f"{JOBS}:{flow}", "--input", tmp_path / given, "--output", out)
    assert told in said
    assert left(tmp_path) == before


def test_an_output_is_not_replaced_unasked(
    tmp_path: Path, rows: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "y.csv"
    out.write_text("mine")
    arguments = ["run", f"{JOBS}:big", "--input", rows, "--output", out]
    assert "--force" in failing(capsys, *arguments)
    assert out.read_text() == "mine"
    assert penstock(*arguments, "--force") == 0
    assert out.read_text() != "mine"


def test_an_output_that_came_up_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "y.parquet"
    writing = formats.written(out, ROWS.schema, force=False)
    writing.__enter__()(ROWS.to_batches()[0])
    out.write_text("somebody else's")
    with pytest.raises(FlowError, match="exists; --force"):
        writing.__exit__(None, None, None)
    assert out.read_text() == "somebody else's"
    assert left(tmp_path) == ["y.parquet"]


def test_only_some_rows_are_in_memory_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"host": ["a"] * 300_000, "tries": [5] * 300_000}), path)
    read = formats.read(path, pa.schema([("host", pa.string()), ("tries", pa.int64())]))
    assert read.total == 300_000
    assert max(batch.num_rows for batch in read.batches) <= formats.ROWS_PER_BATCH


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_is_ended_leaves_no_file(tmp_path: Path, number: int, code: int) -> None:
    job = tmp_path / "slow_job.py"
    started = tmp_path / "started"
    job.write_text(
        "import time, penstock, pathlib\n"
        "def wait(batch):\n"
        "    if batch.num_rows:\n"
        f"        pathlib.Path({str(started)!r}).touch()\n"
        "        time.sleep(60)\n"
        "    return batch\n"
        "slow = penstock.flow('slow', 'host string, tries long').map(wait)\n"
    )
    pq.write_table(ROWS, tmp_path / "x.parquet")
    program = [sys.executable, "-m", "penstock", "run", f"{job}:slow"]
    files = ["--input", tmp_path / "x.parquet", "--output", tmp_path / "y.parquet"]
    running = subprocess.Popen([*program, *map(str, files)], stderr=subprocess.PIPE)
    try:
        eventually(started.exists, "the flow runs")
        assert [path for path in tmp_path.iterdir() if path.name.endswith(".part")]
        os.kill(running.pid, number)
        _, said = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == code, said
    assert not [path for path in tmp_path.iterdir() if path.name.startswith((".", "y"))]


def test_the_command_runs_in_a_process_of_its_own(tmp_path: Path, rows: Path) -> None:
    out = tmp_path / "y.parquet"
    program = [sys.executable, "-m", "penstock", "run", "jobs:big", "--input", str(rows)]
    ran = subprocess.run(
        [*program, "--output", str(out)],
        cwd=Path(JOBS).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", f"3 rows written to {out}\n")
    assert pq.read_table(out).to_pylist() == BIG
