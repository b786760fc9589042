from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.executor.status_file import StatusFile, remove_left_behind, say_once


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an executor, as its workers find it."""
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path))
    say_once.cache_clear()
    return tmp_path / "penstock"


def opened() -> StatusFile:
    made = StatusFile.of_executor()
    assert made is not None
    return made


def test_outside_of_spark_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPARK_LOCAL_DIRS", raising=False)
    assert StatusFile.of_executor() is None


@pytest.mark.parametrize("mask", [0o000, 0o022])
def test_it_is_for_this_user_alone_and_whole(shared: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        opened().write({"version": 1})
    finally:
        os.umask(before)
    (path,) = shared.iterdir()
    assert path.name.startswith(f"pe-{os.getpid()}-")
    assert path.suffix == ".json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert json.loads(path.read_text()) == {"version": 1}


def test_two_pes_of_one_worker_have_two_files(shared: Path) -> None:
    opened().write({})
    opened().write({})
    assert len(list(shared.iterdir())) == 2


def test_where_nobody_collects_nothing_is_left(shared: Path) -> None:
    file = opened()
    file.write({})
    file.end({"state": "done"})
    assert list(shared.iterdir()) == []


def test_the_last_word_is_left_for_whoever_collects(shared: Path) -> None:
    file = opened()
    (shared / "collector").touch()
    file.write({"state": "running"})
    file.end({"state": "done"})
    (path,) = shared.glob("pe-*")
    assert json.loads(path.read_text()) == {"state": "done"}


def test_a_pe_that_never_began_leaves_nothing(shared: Path) -> None:
    file = opened()
    (shared / "collector").touch()
    file.end(None)
    assert list(shared.glob("pe-*")) == []


@pytest.mark.usefixtures("shared")
def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    file = opened()
    target = tmp_path / "target"
    target.write_text("keep")
    file._part.symlink_to(target)
    file.write({"version": 1})
    assert target.read_text() == "keep"


def test_a_full_disk_is_told_once_and_raises_nothing(
    shared: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = opened()
    file.write({"state": "before"})
    least, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4, most))
    try:
        file.write({"state": "running"})
        file.write({"state": "running"})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (least, most))
    assert len(caplog.records) == 1
    assert "could not be written" in caplog.text
    (path,) = shared.iterdir()
    assert json.loads(path.read_text()) == {"state": "before"}


def test_what_is_no_json_is_told_and_leaves_no_half_file(
    shared: Path, caplog: pytest.LogCaptureFixture
) -> None:
    opened().write({"seconds": float("nan")})
    assert list(shared.iterdir()) == []
    assert "could not be written" in caplog.text


def test_a_folder_that_is_not_safe_is_told_and_not_used(
    shared: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shared.mkdir(mode=0o755)
    shared.chmod(0o755)
    assert StatusFile.of_executor() is None
    assert "has mode 755" in caplog.text


def test_files_of_workers_that_were_killed_are_removed(shared: Path) -> None:
    killed = subprocess.Popen([sys.executable, "-c", ""])
    killed.wait()
    opened().write({})
    for name in (f"pe-{killed.pid}-0.json", f"pe-{killed.pid}-1.json.part"):
        (shared / name).touch()
    (shared / "threads").touch()
    remove_left_behind(shared)
    left = sorted(path.name for path in shared.iterdir())
    assert [name.partition("-")[0] for name in left] == ["pe", "threads"]
    assert left[0].startswith(f"pe-{os.getpid()}-")


def test_where_somebody_collects_they_are_left_to_be_told_of(shared: Path) -> None:
    killed = subprocess.Popen([sys.executable, "-c", ""])
    killed.wait()
    opened()
    (shared / "collector").touch()
    (shared / f"pe-{killed.pid}-0.json").touch()
    (shared / f"pe-{killed.pid}-1.json.part").touch()
    remove_left_behind(shared)
    assert (shared / f"pe-{killed.pid}-0.json").exists()
    assert not (shared / f"pe-{killed.pid}-1.json.part").exists(), "half of one tells nothing"
