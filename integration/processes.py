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
OURS = "penstock"
LOOK = 0.2  # seconds in which a process that does nothing uses no time of a core
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


def process_if_there(pid: int) -> psutil.Process | None:
    """The process of ours that has the number; None when it is gone."""
    found = [process for process in descendants() if process.pid == pid]
    return found[0] if found else None


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


def idle_or_gone(process: psutil.Process, *, within: float) -> None:
    """Wait until a worker is gone, or has no thread of a flow and does nothing; fail otherwise."""
    looked, used = time.monotonic(), -1.0

    def is_so() -> bool:
        nonlocal looked, used
        try:
            if not is_alive(process):
                return True
            now, times = time.monotonic(), process.cpu_times()
            if now - looked < LOOK:
                return False
            busy, used = times.user + times.system - used, times.user + times.system
            looked = now
            return busy == 0 and not flow_threads(process.pid)
        except GONE:
            return True

    eventually(is_so, f"worker {process.pid} is idle or gone", within=within)


def flow_threads(pid: int) -> list[str]:
    """Names of a process's threads that are those of a flow."""
    found = []
    with contextlib.suppress(OSError):  # it, or one of them, ends meanwhile
        for task in Path(f"/proc/{pid}/task").iterdir():
            name = (task / "comm").read_text().strip()
            if name.startswith(OURS):
                found.append(name)
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
