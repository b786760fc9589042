"""How a loop learns that nobody wants what it makes any more."""

from __future__ import annotations

import sys
from collections.abc import Callable


class Stopped(BaseException):
    """Raised inside a loop whose flow was stopped; like GeneratorExit it is no Exception."""


class Stop:
    """Tells the loops of one run that it is over.

    >>> stop = Stop()
    >>> stop.is_set
    False
    >>> stop.on_set(lambda: print("stop"))
    >>> stop.set()
    stop
    >>> stop.check()
    Traceback (most recent call last):
        ...
    penstock.loops.stopping.Stopped: the flow was stopped
    """

    def __init__(self) -> None:
        self.is_set = False
        self._sets: list[Callable[[], None]] = []
        self._closes: list[Callable[[], None]] = []

    def on_set(self, tell: Callable[[], None]) -> None:
        """Call this as soon as the run is over."""
        self._sets.append(tell)

    def on_end(self, close: Callable[[], None]) -> None:
        """Call this when no operator runs any more."""
        self._closes.append(close)

    def set(self) -> None:
        """Let every loop stop where it looks next."""
        self.is_set = True
        for tell in self._sets:
            tell()

    def check(self) -> None:
        """Raise `Stopped` if the run is over."""
        if self.is_set:
            raise Stopped("the flow was stopped")

    def end(self) -> None:
        """Close the loops, so that their `finally` blocks run."""
        for close in self._closes:
            try:
                close()
            except BaseException:  # noqa: BLE001 - as Python does with a generator that it drops
                sys.excepthook(*sys.exc_info())
        self._closes.clear()
