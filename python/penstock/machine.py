"""What this machine gives a process: cores, memory, processes, files.

>>> Cores(affinity=8, quota=2.5).usable
2
>>> readable_size(64 * 1024**2)
'64 MiB'
"""

from __future__ import annotations

import os
import resource
from dataclasses import dataclass
from pathlib import Path

CGROUP = Path("/sys/fs/cgroup")
SHARED_MEMORY = Path("/dev/shm")


@dataclass(frozen=True, slots=True)
class Cores:
    """How many cores threads can run on, by the scheduler's mask and by the cgroup's quota."""

    affinity: int
    quota: float | None

    @property
    def usable(self) -> int:
        """Whole cores that can be kept busy; at least one."""
        return self.affinity if self.quota is None else max(1, min(self.affinity, int(self.quota)))


@dataclass(frozen=True, slots=True)
class Limits:
    """What the process may have at most; None means without limit."""

    address_space: int | None
    processes: int | None
    open_files: int | None
    shared_memory: int


def cores() -> Cores:
    """Ask the kernel which cores this process may use."""
    return Cores(len(os.sched_getaffinity(0)), cpu_quota(CGROUP))


def cpu_quota(root: Path) -> float | None:
    """Read the cores a cgroup (version 2, else 1) allows; None without a limit."""
    try:
        quota, period = (root / "cpu.max").read_text().split()
    except (OSError, ValueError):
        try:
            quota = (root / "cpu/cpu.cfs_quota_us").read_text().strip()
            period = (root / "cpu/cpu.cfs_period_us").read_text().strip()
        except OSError:
            return None
    if quota in {"max", "-1"}:
        return None
    return int(quota) / int(period)


def limits() -> Limits:
    """Ask the kernel for the limits of this process."""
    return Limits(
        address_space=_soft(resource.RLIMIT_AS),
        processes=_soft(resource.RLIMIT_NPROC),
        open_files=_soft(resource.RLIMIT_NOFILE),
        shared_memory=_size(SHARED_MEMORY),
    )


def readable_size(count: int) -> str:
    """Write a number of bytes with the largest unit that leaves a whole number."""
    units = ["B", "KiB", "MiB", "GiB", "TiB"]
    while count >= 1024 and len(units) > 1:
        count //= 1024
        units.pop(0)
    return f"{count} {units[0]}"


def _soft(limit: int) -> int | None:
    soft = resource.getrlimit(limit)[0]
    return None if soft == resource.RLIM_INFINITY else soft


def _size(folder: Path) -> int:
    try:
        found = os.statvfs(folder)
    except OSError:
        return 0
    return found.f_blocks * found.f_frsize
