from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from penstock.executor.folder import UnsafeFolder, executor_folder


def environment(*paths: Path) -> dict[str, str]:
    return {"SPARK_LOCAL_DIRS": ",".join(map(str, paths))}


def test_it_lies_in_the_first_of_sparks_local_folders(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    assert executor_folder(environment(first, second)) == first / "penstock"
    assert list(second.iterdir()) == []


def test_workers_of_one_executor_get_the_same_one(tmp_path: Path) -> None:
    assert executor_folder(environment(tmp_path)) == executor_folder(environment(tmp_path))


@pytest.mark.parametrize("given", [{}, {"SPARK_LOCAL_DIRS": ""}])
def test_there_is_none_outside_of_a_worker(given: dict[str, str]) -> None:
    assert executor_folder(given) is None


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o777])
def test_others_cannot_enter_it_whatever_the_mask(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        made = executor_folder(environment(tmp_path))
    finally:
        os.umask(before)
    assert made is not None
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


def test_one_that_others_may_enter_is_refused(tmp_path: Path) -> None:
    (tmp_path / "penstock").mkdir()
    (tmp_path / "penstock").chmod(0o755)
    with pytest.raises(UnsafeFolder, match="has mode 755, not 700"):
        executor_folder(environment(tmp_path))


def test_a_link_to_somewhere_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "penstock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafeFolder, match="is not a folder"):
        executor_folder(environment(tmp_path))


def test_one_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executor_folder(environment(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(UnsafeFolder, match="belongs to user"):
        executor_folder(environment(tmp_path))


def test_a_folder_that_cannot_be_made_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        executor_folder(environment(tmp_path / "nowhere"))
