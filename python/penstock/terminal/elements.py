"""The PEs on this host: found through the Spark processes of the same user, and their status files."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from penstock.executor.folder import ENVIRONMENT, NAME
from penstock.plain_text import shortened, visible
from penstock.terminal.status import Status, read_status

PATTERN = "pe-*.json"
MOST_FILES = 2000  # of one executor
UNKNOWN = (psutil.NoSuchProcess, psutil.ZombieProcess, psutil.AccessDenied, OSError)


@dataclass(frozen=True)
class Found:
    """What there is on this host.

    Attributes:
        elements: By application, stage and partition.
        notes: Why files were left out.
    """

    elements: tuple[Status, ...]
    notes: tuple[str, ...]

    @property
    def running(self) -> tuple[Status, ...]:
        """Those that run."""
        return tuple(one for one in self.elements if one.state == "running")


def find_elements() -> Found:
    """Look at the processes and the files of this moment."""
    return read_folders(executor_folders())


def executor_folders() -> dict[Path, set[int]]:
    """The folder of each executor, with the processes that have it in their environment."""
    found: dict[Path, set[int]] = {}
    for process in psutil.process_iter():
        try:
            if process.uids().effective != os.geteuid():
                continue
            first = process.environ().get(ENVIRONMENT, "").split(",")[0]
        except UNKNOWN:
            continue
        if first:
            found.setdefault(Path(first) / NAME, set()).add(process.pid)
    return found


def read_folders(folders: dict[Path, set[int]]) -> Found:
    """Read the status files in folders; those of processes that are gone do not count as running."""
    elements: list[Status] = []
    notes: list[str] = []
    for folder, alive in sorted(folders.items()):
        for path in _files(folder, notes):
            try:
                said = read_status(path)
            except FileNotFoundError:
                continue  # its PE ended while we looked
            except (OSError, ValueError) as error:
                notes.append(f"{_shown(path)} is left out: {visible(str(error))}")
                continue
            if said.state == "running" and said.pid not in alive:
                notes.append(f"{_shown(path)} is left out: process {said.pid} is gone")
                continue
            elements.append(said)
    elements.sort(key=lambda one: (one.application, one.stage, one.partition, one.attempt))
    return Found(tuple(elements), tuple(notes))


def _files(folder: Path, notes: list[str]) -> Iterable[Path]:
    try:
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode):
            return ()
        if found.st_uid != os.geteuid():
            notes.append(f"{_shown(folder)} is left out: it belongs to user {found.st_uid}")
            return ()
        return sorted(_first(folder.glob(PATTERN)))
    except OSError:
        return ()  # most executors have none


def _first(paths: Iterator[Path]) -> Iterator[Path]:
    return (path for path, _ in zip(paths, range(MOST_FILES), strict=False))


def _shown(path: Path) -> str:
    return f"'{shortened(visible(str(path)), 200)}'"
