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
        in_tuple: Whether the dictionaries are indexed by a tuple, even if it is of one column.
    """

    key: tuple[str, ...] | None
    stores: tuple[str, ...]
    reason: str
    in_tuple: bool = False
