"""Following a run while it goes on, from outside of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from penstock.metrics import FlowMetrics


@dataclass(frozen=True)
class Progress:
    """How far a PE has come.

    Attributes:
        metrics: What its operators and threads did.
        rows_in: Rows it read.
        rows_out: Rows it gave away.
    """

    metrics: FlowMetrics
    rows_in: int
    rows_out: int


class Watch(Protocol):
    """Follows a PE; no method may raise."""

    def begin(self, look: Callable[[], Progress]) -> None:
        """The first row is yet to come. `look` may be called by any thread until `end` is over."""

    def end(self, look: Callable[[], Progress]) -> None:
        """Nothing runs any more."""
