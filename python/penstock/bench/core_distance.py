"""How far apart two cores are, looked at now and then while something else is measured.

Virtual cores move about on the host's: a cache line takes some dozens of nanoseconds from one to
the other at one time and some hundreds a minute later. Whatever hands work from thread to thread
follows, so results with two threads say little without it.
"""

from __future__ import annotations

import statistics
from contextlib import AbstractContextManager
from typing import Any

from penstock.bench.programs import Program, own_program


class CoreDistance(AbstractContextManager["CoreDistance"]):
    """Looks when it is told to; use it in a `with` statement."""

    def __init__(self) -> None:
        self._program = Program(own_program(), lists=False)
        self._found: list[float] = []

    def __exit__(self, *_: object) -> None:
        self._program.__exit__()

    def look(self) -> None:
        """Look once, which takes a few milliseconds."""
        answer: dict[str, Any] = self._program.ask(kind="distance")
        if answer["one_way_ns"] > 0:  # there are two cores
            self._found.append(answer["one_way_ns"])

    def notes(self) -> tuple[str, ...]:
        """What was found, for the report."""
        return note_of(self._found)


def note_of(found: list[float]) -> tuple[str, ...]:
    """What was found, in words; nothing if nobody looked.

    >>> note_of([60.0, 270.0, 50.0])[0][:75]
    'A cache line took 60 ns from one core to the other (50 to 270 ns in 3 looks'
    """
    if not found:
        return ()
    near, far, middle = min(found), max(found), statistics.median(found)
    told = (
        f"A cache line took {middle:.0f} ns from one core to the other ({near:.0f} to {far:.0f} ns in "
        f"{len(found)} looks over the whole run). The host moves virtual cores about, and what two "
        "threads gain follows: most where lines are quick."
    )
    return (told,)
