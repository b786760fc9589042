"""The file in which a PE says once a second what it does, for whoever looks at this machine.

It is written under another name and renamed, so that nobody reads half of one. A disk that is full
costs the numbers, never the task.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import logging
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

from penstock.executor.folder import executor_folder

# Made by the plugin, which then collects the last status of each PE and removes it.
COLLECTOR = "collector"
ONLY_ME = 0o600
NAME = re.compile(r"pe-(\d+)-\d+\.json(\.part)?")

_numbers = itertools.count()


class StatusFile:
    """The status file of one PE, in the folder of its executor."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / f"pe-{os.getpid()}-{next(_numbers)}.json"
        self._part = self._path.with_name(self._path.name + ".part")

    @classmethod
    def of_executor(cls) -> StatusFile | None:
        """A file in this executor's folder; None outside of Spark, or where there can be none."""
        try:
            folder = executor_folder()
        except OSError as error:
            say_once(f"flows of this worker do not tell what they do: {error}")
            return None
        if folder is None:
            return None
        remove_left_behind(folder)
        return cls(folder)

    def write(self, document: dict[str, Any]) -> None:
        """Replace what the file says; what goes wrong is logged once and changes nothing."""
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
            with os.fdopen(os.open(self._part, flags, ONLY_ME), "w", encoding="utf-8") as part:
                json.dump(document, part, allow_nan=False, separators=(",", ":"))
            self._part.replace(self._path)
        except (OSError, ValueError) as error:
            say_once(f"'{self._path}' could not be written, so it may be old or missing: {error}")
            with contextlib.suppress(OSError):
                self._part.unlink()

    def end(self, document: dict[str, Any] | None) -> None:
        """Leave the last word for whoever collects it; where nobody does, leave nothing."""
        if document is not None and (self._folder / COLLECTOR).exists():
            self.write(document)
            return
        with contextlib.suppress(OSError):
            self._path.unlink()


def remove_left_behind(folder: Path) -> None:
    """Remove the files of workers that were killed, and of this one before its number was new.

    Where the plugin collects it does so itself, after it has told what the files say. Half of a
    file says nothing, and is left to us.
    """
    collected = (folder / COLLECTOR).exists()
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            of = NAME.fullmatch(path.name)
            if of and (of[2] or not collected) and not _is_alive(int(of[1])):
                with contextlib.suppress(OSError):
                    path.unlink()


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


@cache
def say_once(text: str) -> None:
    """Log a warning, the same one only once in this process."""
    logging.getLogger("penstock").warning("%s", text)
