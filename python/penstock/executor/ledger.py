"""Reading the ledger of threads of an executor: who has how many.

The page is made and written by the engine (native/penstock/budget/ledger.hpp); what is read here
without its lock is a moment that may be past.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"PSBudget"
VERSION = 1
SLOT_BYTES = 128
# magic, version, slots, tasksRunning, padding, arrivals; then of each slot: pid, guaranteed, start
# time, wanted, in use, arrival, rows. All in the byte order of the machine.
HEADER = struct.Struct("=8sIIi4xQ")
SLOT = struct.Struct("=iiQiiQq")


@dataclass(frozen=True)
class Place:
    """What one flow has written down.

    Attributes:
        pid: The process it runs in.
        guaranteed: Threads it has in any case.
        started: When the process started, as the kernel counts it.
        wanted: Threads it could use.
        in_use: Threads it uses at most.
        arrival: How many flows came before it, and one.
        rows: Rows that came through.
    """

    pid: int
    guaranteed: int
    started: int
    wanted: int
    in_use: int
    arrival: int
    rows: int


def tasks_running(file: Path) -> int:
    """Return how many tasks the executor runs, flows or not; -1 if its JVM does not say.

    Raises:
        ValueError: If the file is no ledger, or one of another version.
    """
    *_, tasks, _ = _header(file.read_bytes(), file)
    return tasks


def places(file: Path) -> list[Place]:
    """Return the flows that are written down, in the order in which they came.

    Raises:
        ValueError: If the file is no ledger, or one of another version.
    """
    page = file.read_bytes()
    _, _, slots, _, _ = _header(page, file)
    found = (Place(*SLOT.unpack_from(page, SLOT_BYTES * (n + 1))) for n in range(slots))
    return sorted((place for place in found if place.pid), key=lambda place: place.arrival)


def _header(page: bytes, file: Path) -> tuple[bytes, int, int, int, int]:
    if len(page) < HEADER.size or not page.startswith(MAGIC):
        raise ValueError(f"'{file}' is no ledger of threads")
    magic, version, slots, tasks, arrivals = HEADER.unpack_from(page)
    if version != VERSION or len(page) < SLOT_BYTES * (slots + 1):
        raise ValueError(f"'{file}' has version {version}, and this Penstock knows {VERSION}")
    return magic, version, slots, tasks, arrivals
