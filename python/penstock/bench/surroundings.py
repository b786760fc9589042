"""The machine and the software that a measurement was made on.

>>> sorted(machine())
['cores', 'cpu', 'governor', 'load', 'memory_gib']
"""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path
from typing import Any

import psutil

import penstock
from penstock.checkup import installed
from penstock.doctor import java_version
from penstock.machine import cores
from penstock.worker import build_info

CPU_INFO = Path("/proc/cpuinfo")
GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")


def machine() -> dict[str, Any]:
    """Processor, usable cores, memory, frequency governor and load over the last minute."""
    return {
        "cpu": _cpu(),
        "cores": cores().usable,
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "governor": GOVERNOR.read_text().strip() if GOVERNOR.is_file() else None,
        "load": round(os.getloadavg()[0], 2),
    }


def versions() -> dict[str, str | None]:
    """Versions of everything that takes part."""
    return {
        "penstock": installed("penstock"),
        "python": platform.python_version(),
        "pyspark": installed("pyspark"),
        "pyarrow": installed("pyarrow"),
        "java": java_version(),
        "compiler": build_info().get("compiler"),
    }


def commit(inside: Path | None = None) -> str | None:
    """The commit of Penstock's own checkout, marked when files differ from it.

    Args:
        inside: A folder of the checkout; the one this package lies in when left out. An
            environment inside another project's checkout must not pass for Penstock's.
    """
    folder = Path(penstock.__file__).parent if inside is None else inside
    top = _git(folder, "rev-parse", "--show-toplevel")
    if top is None or not (Path(top) / "python" / "penstock" / "bench").is_dir():
        return None
    return _git(folder, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")


def _git(folder: Path, *arguments: str) -> str | None:
    command = ["git", "-C", str(folder), *arguments]
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return said.stdout.strip() if said.returncode == 0 else None


def _cpu() -> str:
    if CPU_INFO.is_file():
        for line in CPU_INFO.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
