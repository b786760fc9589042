"""What a flow may leave behind, and must not: looked for within ten seconds of each fault (G6)."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

import psutil

from integration.processes import GONE, eventually, python_workers

WITHIN = 10.0
MEMORY = Path("/dev/shm")
OURS = "penstock"


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
                    *(f"file of the executor {path}" for path in _in_executor_folders(folder)),
                    *(f"shared memory {p.name}" for p in MEMORY.iterdir() if OURS in p.name),
                    *(f"thread of {pid}: {name}" for pid, name in _threads()),
                    *_listening(),
                ]
            )
        )

    def left_since(self, before: Held) -> frozenset[str]:
        return self.names - before.names


def nothing_left(folder: Path, before: Held) -> None:
    """Fail unless all that came since `before` is gone in time."""

    def gone() -> bool:
        return not Held.now(folder).left_since(before)

    try:
        eventually(gone, "nothing is left behind", within=WITHIN)
    except AssertionError:
        left = sorted(Held.now(folder).left_since(before))
        raise AssertionError(f"left after {WITHIN:g} s: {left}") from None


def _in_executor_folders(folder: Path) -> list[str]:
    """Folders that workers made for a short while; what lives as long as the executor is Spark's."""
    found = []
    for path, folders, _ in os.walk(folder / "local"):  # which passes over what vanishes meanwhile
        if Path(path).name == OURS:
            found += [f"{path}/{name}" for name in folders]
            folders.clear()
    return found


def _threads() -> list[tuple[int, str]]:
    """Threads of flows in Spark's Python workers: the engine's, by their names."""
    found = []
    for worker in python_workers():
        with contextlib.suppress(*GONE, OSError):
            for task in Path(f"/proc/{worker.pid}/task").iterdir():
                name = (task / "comm").read_text().strip()
                if name.startswith(OURS):
                    found.append((worker.pid, name))
    return found


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
