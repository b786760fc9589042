from __future__ import annotations

import subprocess
from pathlib import Path

import pyarrow as pa

from penstock.bench.surroundings import commit, machine, versions

GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@example.net", "-c", "commit.gpgsign=false")


def git(folder: Path, *arguments: str) -> str:
    command = [*GIT, "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def checkout(folder: Path, *inside: str) -> str:
    """Make a repository with one commit of a file in each folder; return the commit."""
    for each in inside:
        (folder / each).mkdir(parents=True)
        (folder / each / "file").write_text("text")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "all")
    return git(folder, "rev-parse", "HEAD")


def test_the_commit_of_penstocks_checkout_is_told_in_full(tmp_path: Path) -> None:
    head = checkout(tmp_path, "python/penstock/bench", ".venv")
    assert len(head) == 40
    assert commit(tmp_path / ".venv") == head


def test_changes_that_are_not_committed_are_told(tmp_path: Path) -> None:
    head = checkout(tmp_path, "python/penstock/bench")
    (tmp_path / "python/penstock/bench/file").write_text("other text")
    assert commit(tmp_path) == f"{head}-dirty"


def test_another_projects_commit_does_not_pass_for_penstocks(tmp_path: Path) -> None:
    checkout(tmp_path, "venv")
    assert commit(tmp_path / "venv") is None


def test_outside_of_a_checkout_there_is_no_commit(tmp_path: Path) -> None:
    assert commit(tmp_path) is None


def test_the_machine_is_described_by_what_decides_speed() -> None:
    found = machine()
    assert found["cores"] >= 1
    assert found["memory_gib"] > 0
    assert found["cpu"]
    assert found["load"] >= 0


def test_versions_name_everything_that_takes_part() -> None:
    found = versions()
    assert found["pyarrow"] == pa.__version__
    assert set(found) == {"penstock", "python", "pyspark", "pyarrow", "java", "compiler"}
    assert found["compiler"]
