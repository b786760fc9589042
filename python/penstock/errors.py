"""Every error a user can meet, in one place.

>>> raise OperatorError("parse", flow="logins", row=12, reason="ValueError: not a date")
Traceback (most recent call last):
    ...
penstock.errors.OperatorError: flow 'logins', operator 'parse', input row 12 (0-based, counted \
within this partition): ValueError: not a date
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


class PenstockError(Exception):
    """Base of all errors raised by this package."""


class FlowError(PenstockError, ValueError):
    """The flow, or the data it was given, does not fit; nothing has been computed from it."""


class SettingError(PenstockError, ValueError):
    """A setting is unknown, is not of its type or is outside its range."""


class OperatorError(PenstockError, RuntimeError):
    """An operator failed while it ran; the user's own exception is the `__cause__`.

    Attributes:
        operator: Name of the operator.
        flow: Name of the flow it belongs to.
        row: First row of the partition's input that can have caused the failure, from 0.
        last_row: Last such row; equal to `row` when the row is known exactly, and before it when
            the operator failed behind the last row.
        reason: Type and text of the user's exception.
        lines: The user's traceback as text, where `__cause__` would be lost on the way.
    """

    def __init__(
        self,
        operator: str,
        *,
        flow: str,
        row: int,
        reason: str,
        last_row: int | None = None,
        lines: str = "",
    ) -> None:
        self.operator = operator
        self.flow = flow
        self.row = row
        self.last_row = row if last_row is None else last_row
        self.reason = reason
        self.lines = lines
        super().__init__(
            f"flow '{flow}', operator '{operator}', {self._where()}: {reason}"
            + (lines and f"\n\n{lines}")
        )

    def _where(self) -> str:
        if self.last_row < self.row:
            return f"behind {self.row} rows of the input"
        rows = (
            f"row {self.row}"
            if self.last_row == self.row
            else f"rows {self.row} to {self.last_row}"
        )
        return f"input {rows} (0-based, counted within this partition)"

    def __reduce__(self) -> tuple[object, ...]:
        return _operator_error, (self.operator, self.facts())

    def facts(self) -> dict[str, Any]:
        """Everything but the operator's name, as the arguments of the constructor."""
        names = ("flow", "row", "last_row", "reason", "lines")
        return {name: getattr(self, name) for name in names}


def _operator_error(operator: str, facts: dict[str, Any]) -> OperatorError:
    return OperatorError(operator, **facts)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Say which known word was probably meant, or list them all.

    >>> did_you_mean("hots", ["host", "line"])
    "did you mean 'host'? Known: 'host', 'line'"
    """
    names = list(known)
    by_lower = {name.lower(): name for name in names}
    close = get_close_matches(word.lower(), by_lower, n=1)
    guess = f"did you mean '{by_lower[close[0]]}'? " if close else ""
    return f"{guess}Known: " + (", ".join(f"'{name}'" for name in names) or "none")
