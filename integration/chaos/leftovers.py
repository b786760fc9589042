"""What a flow may leave behind, and must not: looked for within ten seconds of each fault (G6)."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

import psutil

from integration.processes import GONE, OURS, eventually, flow_threads, python_workers
from penstock.executor.status_file import NAME

WITHIN = 10.0
STATUS = "status file"
MEMORY = Path("/dev/shm")


@dataclass(frozen=True)
class Held:
    """Names of what exists now, as far as a flow could have made it."""

    names: frozenset[str]

    @classmethod
    def now(cls, folder: Path) -> Held:
        """Look; `folder` is where all of Spark's files are."""
        return cls(
            frozenset(
                [
                    *(f"temporary file {path.name}" for path in (folder / "tmp").iterdir()),
                    *_in_executor_folders(folder),
                    *(f"shared memory {p.name}" for p in MEMORY.iterdir() if OURS in p.name),
                    *(f"thread of {pid}: {name}" for pid, name in _threads()),
                    *_listening(),
                ]
            )
        )

    def left_since(self, before: Held) -> frozenset[str]:
        return self.names - before.names

    def but_status_files(self) -> Held:
        return Held(frozenset(name for name in self.names if not name.startswith(STATUS)))


def nothing_left(folder: Path, before: Held, *, but_status_files: bool = False) -> None:
    """Fail unless all that came since `before` is gone in time.

    Status files are removed by the executor. When that was killed, they are left with Spark's own.
    """

    def left_now() -> frozenset[str]:
        now = Held.now(folder)
        return (now.but_status_files() if but_status_files else now).left_since(before)

    def gone() -> bool:
        return not left_now()

    try:
        eventually(gone, "nothing is left behind", within=WITHIN)
    except AssertionError:
        left = sorted(left_now())
        raise AssertionError(f"left after {WITHIN:g} s: {left}") from None


def _in_executor_folders(folder: Path) -> list[str]:
    """What workers made for a short while; what lives as long as the executor is Spark's."""
    found = []
    # Which passes over what vanishes meanwhile.
    for path, folders, files in os.walk(folder / "local"):
        if Path(path).name == OURS:
            found += [f"folder of the executor {path}/{name}" for name in folders]
            found += [f"{STATUS} {path}/{name}" for name in files if NAME.fullmatch(name)]
            folders.clear()
    return found


def _threads() -> list[tuple[int, str]]:
    """Threads of flows in Spark's Python workers: the engine's, by their names."""
    return [(worker.pid, name) for worker in python_workers() for name in flow_threads(worker.pid)]


def _listening() -> list[str]:
    """Sockets on which a worker waits for others; there are none in this design."""
    found = []
    for worker in python_workers():
        with contextlib.suppress(*GONE, OSError):
            for connection in worker.net_connections(kind="inet"):
                if connection.status == psutil.CONN_LISTEN:
                    found.append(f"socket of {worker.pid}: {connection.laddr}")
            for connection in worker.net_connections(kind="unix"):
                if connection.laddr:
                    found.append(f"socket of {worker.pid}: {connection.laddr}")
    return found
