"""What the tests know of processes: only their own descendants, and waits that end."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import psutil

T = TypeVar("T")
INHERITED = 2  # descriptors of a connection
GONE = (psutil.NoSuchProcess, psutil.ZombieProcess, psutil.AccessDenied)


def eventually(condition: Callable[[], T], what: str, *, within: float = 60.0) -> T:
    """Ask again and again until the answer is true; fail after `within` seconds."""
    deadline = time.monotonic() + within
    while not (answer := condition()):
        assert time.monotonic() < deadline, f"not within {within:g} s: {what}"
        time.sleep(0.02)
    return answer


def descendants(of: int | None = None) -> list[psutil.Process]:
    return list(psutil.Process(of).children(recursive=True))


def descendant(pid: int) -> psutil.Process:
    """The process of that number, which must be one of ours: only such are ever ended."""
    ours = {process.pid: process for process in descendants()}
    assert pid in ours, f"process {pid} is not a descendant of this one"
    return ours[pid]


def is_alive(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except GONE:
        return False


def python_workers() -> list[psutil.Process]:
    """Spark's Python workers among our descendants: the children of its daemons."""
    found = []
    for process in descendants():
        with contextlib.suppress(*GONE):
            parent = process.parent()
            if is_alive(process) and parent is not None and _is_daemon(parent):
                found.append(process)
    return found


def end(pid: int) -> None:
    """End a process of ours and all below it, if it is still there, and wait until they are gone."""
    with contextlib.suppress(*GONE):
        process = psutil.Process(pid)
        victims = [*process.children(recursive=True), process]
        for victim in victims:
            with contextlib.suppress(*GONE):
                victim.kill()
        psutil.wait_procs(victims, timeout=30)


@dataclass(frozen=True)
class Footprint:
    """What the Python workers hold right now: the most threads and the most open files of one."""

    workers: int
    threads: int
    open_files: int
    files: frozenset[str]

    @classmethod
    def now(cls, folder: Path) -> Footprint:
        """Measure; `folder` is where the workers' temporary files would be."""
        held = list(_held())
        return cls(
            workers=len(held),
            threads=max((threads for threads, _ in held), default=0),
            open_files=max((files for _, files in held), default=0),
            files=frozenset(path.name for path in folder.iterdir()),
        )

    def fits_in(self, other: Footprint) -> bool:
        """Whether it is no more than the other, but for what Spark's daemon may bring about.

        It forks another worker when a task comes before the last one has given its worker back, and
        a worker that is forked while another one is begins with that one's connection.
        """
        return (
            self.workers <= other.workers + 1
            and self.threads <= other.threads
            and self.open_files <= other.open_files + INHERITED
            and self.files <= other.files
        )


def _held() -> Iterator[tuple[int, int]]:
    for worker in python_workers():
        with contextlib.suppress(*GONE):
            yield worker.num_threads(), worker.num_fds()


def _is_daemon(process: psutil.Process) -> bool:
    # A worker is forked from the daemon and has its command line, the daemon's parent does not.
    parent = process.parent()
    above = parent.cmdline() if parent is not None else []
    return "pyspark.daemon" in process.cmdline() and "pyspark.daemon" not in above
