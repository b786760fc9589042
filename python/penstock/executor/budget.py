"""Joining the others: how many threads a flow may use in this task, and its seat among the rest."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from penstock import _native
from penstock.executor.cores import executor_cores, task_cpus
from penstock.executor.folder import executor_folder
from penstock.machine import cores
from penstock.settings import Settings

LEDGER = "threads"
LOG = logging.getLogger("penstock")
_told: set[str] = set()


@dataclass(frozen=True)
class Budget:
    """What a flow has to keep to.

    Attributes:
        most: Threads it may ever have.
        seat: Its place among the flows of the executor; None where it shares nothing.
    """

    most: int
    seat: _native.Seat | None = None

    @property
    def shared(self) -> int | None:
        """Threads that it shares with others; without a seat it has a limit of its own and nothing else."""
        return self.most if self.seat is not None else None

    def threads(self, asked: int) -> int:
        """How many threads to give to a flow that asks for so many; 0 asks for all there are."""
        return min(asked, self.most) if asked else self.most


def join(settings: Settings, session: Mapping[str, str]) -> Budget | None:
    """Take a seat in the executor; None outside of Spark's workers, or if sharing is off.

    A flow that cannot join has the cores of its own task, because it knows nothing of others.
    """
    if not settings.shares_cores:
        return None
    guaranteed = cpus_of_task(session)
    try:
        folder = executor_folder()
        if folder is None:
            return None
        found = executor_cores(settings.executor_cores, session)
        seat = _native.Seat(str(folder / LEDGER), cores=found, guaranteed=guaranteed)
    except (OSError, _native.LedgerError) as error:
        _tell(f"{error}; flows of this executor use {_threads(guaranteed)} for each task")
        return Budget(guaranteed)
    if not seat.seated:
        _tell(
            f"'{folder / LEDGER}' has no free place; until there is one, this flow uses "
            f"{_threads(guaranteed)}"
        )
    return Budget(max(found, guaranteed), seat)


def cpus_of_task(session: Mapping[str, str]) -> int:
    """The cores that Spark gave to this task, also by a resource profile."""
    from pyspark import TaskContext  # noqa: PLC0415 - only in a worker

    context = TaskContext.get()
    if context is None or not hasattr(context, "cpus"):
        return task_cpus(session)
    # More than the machine has would be promised, not had.
    return max(1, min(int(context.cpus()), cores().usable))


def _threads(number: int) -> str:
    return "1 thread" if number == 1 else f"{number} threads"


def _tell(problem: str) -> None:
    if problem not in _told:
        _told.add(problem)
        LOG.warning("the cores of the executor are not shared: %s", problem)
