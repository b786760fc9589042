"""What this machine gives a process: cores, memory, processes, files.

>>> Cores(affinity=8, quota=2.5).usable
2
>>> readable_size(64 * 1024**2)
'64 MiB'
"""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CGROUP = Path("/sys/fs/cgroup")
OWN_GROUPS = Path("/proc/self/cgroup")
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


def cpu_quota(root: Path, own: Path = OWN_GROUPS) -> float | None:
    """Read the cores that the cgroups of this process allow; None without a limit.

    A group has no more than each of those around it, so the least counts. A container may see its
    own group as the root, or a path that is only there outside of it.

    Args:
        root: Where the groups are mounted.
        own: What the kernel says of this process: its group of version 2, and those of version 1.
    """
    quotas = [_quota(folder) for folder in _groups(root, own)]
    return min((quota for quota in quotas if quota is not None), default=None)


def _groups(root: Path, own: Path) -> Iterator[Path]:
    yield root
    yield root / "cpu"
    try:
        lines = own.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        parts = Path(path.lstrip("/")).parts
        if ".." in parts or (controllers and "cpu" not in controllers.split(",")):
            continue
        folder = root / "cpu" if controllers else root
        for part in parts:
            folder /= part
            yield folder


def _quota(folder: Path) -> float | None:
    try:
        limit = folder / "cpu.max"
        if limit.exists():
            quota, period = limit.read_text().split()
        else:
            quota = (folder / "cpu.cfs_quota_us").read_text().strip()
            period = (folder / "cpu.cfs_period_us").read_text().strip()
        return None if quota in {"max", "-1"} else int(quota) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return None


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
