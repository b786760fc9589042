"""Another user tries every way into what workers of one executor share (F10, G8)."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from tests.security.other_user import NOBODY, as_nobody

from penstock.executor.folder import UnsafeFolder, executor_folder
from penstock.executor.temporary import temporary_folder

TRY = """
import os, sys
path = sys.argv[1]
ways = {
    "list": lambda: os.listdir(path),
    "enter": lambda: os.chdir(path),
    "read": lambda: open(path + "/threads", "rb").read(),
    "write": lambda: open(path + "/threads", "r+b").write(b"x"),
    "create": lambda: open(path + "/planted", "xb"),
    "open up": lambda: os.chmod(path, 0o777),
    "link to": lambda: os.link(path + "/threads", sys.argv[3] + "/linked"),
    "descend": lambda: os.listdir(sys.argv[2]),
    "delete": lambda: os.unlink(path + "/threads"),
    "replace": lambda: os.rename(path, path + "-away"),
}
assert os.getuid() == 65534 and os.getgroups() == []
for name, way in ways.items():
    try:
        way()
    except PermissionError:
        print(name, "refused")
    else:
        print(name, "POSSIBLE")
"""
WAYS = TRY.count("lambda")


@pytest.fixture
def local(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A local folder of Spark's that others may enter, as its parents may be."""
    made = tmp_path_factory.mktemp("local")
    ours = [path for path in made.parents if path.name.startswith(("pytest-", "popen-"))]
    for path in (made, *ours):
        path.chmod(0o755)
    return made


def attempts(local: Path, *paths: Path) -> dict[str, str]:
    loot = local / "loot"  # where everybody may put what they got hold of
    loot.mkdir()
    loot.chmod(0o777)
    done = as_nobody(TRY, *map(str, [*paths, loot]))
    assert done.returncode == 0, done.stderr
    return dict(line.rsplit(" ", 1) for line in done.stdout.splitlines())


@pytest.mark.parametrize("mask", [0o000, 0o022])
def test_another_user_is_refused_on_every_way(
    local: Path, mask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(local))
    before = os.umask(mask)
    try:
        folder = executor_folder()
        assert folder is not None
        (folder / "threads").write_bytes(b"page")
        with temporary_folder("state") as state:
            found = attempts(local, folder, Path(state))
    finally:
        os.umask(before)
    assert len(found) == WAYS
    assert set(found.values()) == {"refused"}
    assert (folder / "threads").read_bytes() == b"page"


def test_the_attempts_succeed_where_the_folder_is_open(local: Path) -> None:
    """Otherwise being refused would prove nothing."""
    open_folder, inside = local / "open", local / "open" / "inside"
    inside.mkdir(parents=True)
    local.chmod(0o777)
    for path in (open_folder, inside):
        path.chmod(0o777)
    (open_folder / "threads").write_bytes(b"page")
    (open_folder / "threads").chmod(0o666)
    found = attempts(local, open_folder, inside)
    possible = {name for name, outcome in found.items() if outcome == "POSSIBLE"}
    assert possible >= {"list", "enter", "read", "write", "create", "descend", "delete", "replace"}


def test_a_folder_that_another_user_made_first_is_refused(local: Path) -> None:
    local.chmod(0o777)
    done = as_nobody("import os, sys; os.mkdir(sys.argv[1], 0o700)", str(local / "penstock"))
    assert done.returncode == 0, done.stderr
    with pytest.raises(UnsafeFolder, match=f"belongs to user {NOBODY}, not to 0"):
        executor_folder({"SPARK_LOCAL_DIRS": str(local)})


def test_temporary_folders_cannot_be_entered_outside_of_spark_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SPARK_LOCAL_DIRS", raising=False)
    before = os.umask(0)
    try:
        with temporary_folder("state") as made:
            assert stat.S_IMODE(Path(made).stat().st_mode) == 0o700
    finally:
        os.umask(before)
