"""Folders of one process for a short while, of which none is left even when it is killed (G6).

In Spark's workers they are in the executor's folder. A process that is killed cannot tidy up, so
the next task of the executor does; and Spark removes the executor's folder in the end.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile

from penstock.executor.folder import executor_folder

PREFIX = "temporary"
OF_PROCESS = re.compile(rf"{PREFIX}-([0-9]+)-.+")


def temporary_folder(name: str) -> tempfile.TemporaryDirectory[str]:
    """Make a folder that only this user can enter.

    Args:
        name: What it is for; part of its own name.
    """
    shared = executor_folder()
    prefix = f"{PREFIX}-{os.getpid()}-" if shared else "penstock-"
    return tempfile.TemporaryDirectory(prefix=f"{prefix}{name}-", dir=shared)


def remove_leftovers() -> None:
    """Remove what workers of this executor left behind when they were killed."""
    try:
        shared = executor_folder()
    except OSError:
        return  # whoever needs the folder says what is wrong with it
    for path in shared.iterdir() if shared else ():
        found = OF_PROCESS.fullmatch(path.name)
        if found and not _is_alive(int(found[1])):
            # Another task may be doing the same.
            shutil.rmtree(path, ignore_errors=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's, which has the number now
        return True
    return True
