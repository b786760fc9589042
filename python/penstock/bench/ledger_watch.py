"""Looks at the ledger of threads while jobs run: for how long more were in use than should be.

The page says when it is too much, not why: a model that insists on its threads is in it as well as
a thread whose run is under way.

>>> longest_above([(0.0, 2), (0.25, 4), (0.5, 5), (1.0, 3), (1.5, 4)], most=3)
Above(highest=5, looks=2, seconds=0.75)
>>> longest_above([(0.0, 2), (0.1, 3)], most=3)
Above(highest=3, looks=0, seconds=0.0)
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

from penstock.executor.ledger import places

Look = tuple[float, int]  # seconds, and the threads of all flows of the executor
EVERY = 0.002


@dataclass(frozen=True)
class Above:
    """What was seen of the threads of an executor.

    Attributes:
        highest: The most threads at one look.
        looks: The most looks in a row that saw too many; one alone may have read the page while it
            was written.
        seconds: The longest time from a look that saw too many to the next that did not.
    """

    highest: int
    looks: int
    seconds: float


def longest_above(looks: Sequence[Look], most: int) -> Above:
    """Find the longest stretch of looks that saw more than `most` threads."""
    in_a_row, longest_row, longest = 0, 0, 0.0
    begun = 0.0
    for at, threads in looks:
        if in_a_row:
            longest = max(longest, at - begun)
        if threads > most:
            begun = begun if in_a_row else at
            in_a_row += 1
        else:
            in_a_row = 0
        longest_row = max(longest_row, in_a_row)
    return Above(max((threads for _, threads in looks), default=0), longest_row, longest)


@final
class LedgerWatch:
    """Looks every few milliseconds, in a thread of its own, while a `with` block runs."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._looks: list[Look] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="penstock-bench-ledger")

    def __enter__(self) -> LedgerWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def above(self, most: int) -> Above:
        """What was seen so far of more than `most` threads."""
        return longest_above(self._looks, most)

    def _watch(self) -> None:
        while not self._over.wait(EVERY):
            if self._file.exists():  # the first flow of an executor makes it
                threads = sum(place.in_use for place in places(self._file))
                self._looks.append((time.monotonic(), threads))
