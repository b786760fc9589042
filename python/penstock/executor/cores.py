"""How many cores the executor has in which this worker runs.

>>> backend = ["java", "org.apache.spark.executor.CoarseGrainedExecutorBackend", "--cores", "4"]
>>> executor_cores(0, {"spark.master": "local[2]"}, [backend], usable=8)
4
>>> executor_cores(0, {"spark.master": "local[2]"}, [], usable=8)
2
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from penstock.machine import cores

# What a task has to know of the session that started it.
MASTER = "spark.master"
EXECUTOR_CORES = "spark.executor.cores"
TASK_CPUS = "spark.task.cpus"
FACTS = (MASTER, EXECUTOR_CORES, TASK_CPUS)

PROCESSES = Path("/proc")
# CoarseGrainedExecutorBackend, and those of YARN and Kubernetes.
BACKEND = "ExecutorBackend"
LOCAL = re.compile(r"local\[(\d+)(?:,\s*\d+)?\]")
# A worker, the daemon that forked it, the JVM; wrappers in between are seen in the field.
GENERATIONS = 8


def executor_cores(
    asked: int,
    session: Mapping[str, str],
    ancestors: Iterable[Sequence[str]] | None = None,
    *,
    usable: int | None = None,
) -> int:
    """Find the cores that the tasks of this executor share.

    The executor's command line knows best: it is the only one that tells what a resource profile
    asked for, or what a standalone cluster had left.

    Args:
        asked: What the settings say; 0 to find out.
        session: What is known of the session, as `FACTS`.
        ancestors: The command lines of the processes above this one; None to look at them.
        usable: Cores this process can use at all; None to ask the kernel.
    """
    most = cores().usable if usable is None else usable
    found = asked or _of_backend(command_lines() if ancestors is None else ancestors)
    found = found or _of_session(session) or most
    return max(1, min(found, most))


def task_cpus(session: Mapping[str, str]) -> int:
    """What each task has of them, by the settings of the session."""
    return _number(session.get(TASK_CPUS, "")) or 1


def command_lines(root: Path = PROCESSES, pid: int | None = None) -> Iterator[list[str]]:
    """Yield the command lines of the processes above one, this one if none is named."""
    above = os.getppid() if pid is None else _parent(root, pid)
    for _ in range(GENERATIONS):
        if above <= 0:
            return
        try:
            line = (root / str(above) / "cmdline").read_bytes()
        except OSError:
            return
        yield os.fsdecode(line).rstrip("\0").split("\0")
        above = _parent(root, above)


def _parent(root: Path, pid: int) -> int:
    try:
        text = (root / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return 0
    # The name of the program is in parentheses, and may have any character itself.
    return int(text.rpartition(")")[2].split()[1])


def _of_backend(ancestors: Iterable[Sequence[str]]) -> int:
    for line in ancestors:
        words = list(line)
        main = next((n for n, word in enumerate(words) if word.endswith(BACKEND)), None)
        if main is None:
            continue
        options = words[main + 1 :]
        for option, value in pairwise(options):
            if option == "--cores":
                return _number(value)
    return 0


def _of_session(session: Mapping[str, str]) -> int:
    master = session.get(MASTER, "")
    if master == "local":
        return 1
    if master.startswith("local["):
        threads = LOCAL.fullmatch(master)
        return int(threads.group(1)) if threads else 0  # local[*] is the machine
    return _number(session.get(EXECUTOR_CORES, ""))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0
