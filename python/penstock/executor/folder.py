"""The folder that the Python workers of one executor share with each other and with its JVM.

Spark gives each executor local folders of its own and removes them with it, so whatever is left
here by a worker that was killed is removed as well.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

NAME = "penstock"
ENVIRONMENT = "SPARK_LOCAL_DIRS"
ONLY_ME = 0o700


class UnsafeFolder(OSError):
    """The folder is not safe to use: another user could read it, or put something else there."""


def executor_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the folder of this executor, made if need be; None outside of Spark's workers.

    Raises:
        UnsafeFolder: If it belongs to somebody else, or others may enter it.
        OSError: If it cannot be made, for instance because the disk is full.
    """
    first = environment.get(ENVIRONMENT, "").split(",")[0]
    if not first:
        return None
    folder = Path(first) / NAME
    try:
        folder.mkdir(mode=ONLY_ME)
        # The mask of the process may have taken more away than others' rights.
        folder.chmod(ONLY_ME)
    except FileExistsError:
        pass
    _check(folder)
    return folder


def _check(folder: Path) -> None:
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise UnsafeFolder(f"'{folder}' is not a folder")
    if found.st_uid != os.geteuid():
        raise UnsafeFolder(f"'{folder}' belongs to user {found.st_uid}, not to {os.geteuid()}")
    if stat.S_IMODE(found.st_mode) != ONLY_ME:
        raise UnsafeFolder(f"'{folder}' has mode {stat.S_IMODE(found.st_mode):o}, not {ONLY_ME:o}")
