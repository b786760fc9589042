"""What discovery finds out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Discovery:
    """How an operator may run.

    Attributes:
        key: The columns that its state goes by. Empty when it has no state, so that its rows can
            run anywhere; None when it has to stay serial.
        stores: The attributes that hold the state, dictionaries by key.
        reason: One line for `explain()`.
    """

    key: tuple[str, ...] | None
    stores: tuple[str, ...]
    reason: str
