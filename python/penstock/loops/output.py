"""Where the engine takes what a driver loop made."""

from __future__ import annotations

from typing import Protocol


class Output(Protocol):
    """Where the engine takes what a loop made."""

    def emit(self, address: int, row: int) -> None:
        """Take over the array at an address, which came of that row of the tuple."""

    def punctuate(self) -> None:
        """Put a mark behind what was emitted."""

    def complete(self, row: int) -> None:
        """Learn with which row of the tuple the loop ended."""
