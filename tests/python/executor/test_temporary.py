from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.executor.temporary import remove_leftovers, temporary_folder

LEAVES_ONE = """
import os
from penstock.executor.temporary import temporary_folder
made = temporary_folder("state")
open(os.path.join(made.name, "rows"), "w").close()
print(made.name, flush=True)
os._exit(9)
"""


@pytest.fixture
def executor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path))
    return tmp_path / "penstock"


def test_it_is_in_the_executors_folder_and_nobody_else_can_enter(executor: Path) -> None:
    with temporary_folder("state") as made:
        assert Path(made).parent == executor
        assert stat.S_IMODE(Path(made).stat().st_mode) == 0o700
    assert list(executor.iterdir()) == []


def test_outside_of_spark_it_is_where_temporary_files_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("SPARK_LOCAL_DIRS", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with temporary_folder("state") as made:
        assert Path(made).parent == tmp_path
        assert Path(made).name.startswith("penstock-state-")


def test_what_a_dead_process_left_is_removed_and_nothing_else(executor: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LEAVES_ONE], capture_output=True, text=True, timeout=60, check=False
    )
    left = Path(done.stdout.strip())
    assert (left / "rows").exists(), done.stderr
    (executor / "threads").touch()
    with temporary_folder("state") as ours:
        remove_leftovers()
        assert sorted(executor.iterdir()) == sorted([Path(ours), executor / "threads"])


def test_a_folder_of_a_living_process_stays(executor: Path) -> None:
    with temporary_folder("state") as parents:
        (executor / f"temporary-{os.getppid()}-state-x").mkdir()
        remove_leftovers()
        assert len(list(executor.iterdir())) == 2
        assert Path(parents).exists()
