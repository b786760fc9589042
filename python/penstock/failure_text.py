"""What a user reads of an exception that an operator raised.

>>> text_of(KeyError("a"))
"KeyError: 'a'"
"""

from __future__ import annotations

import traceback


def text_of(error: BaseException) -> str:
    """Say what was raised, whatever its class does when it is asked."""
    try:
        return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    except Exception as why:  # noqa: BLE001 - a class of the user's that cannot say what is wrong
        return f"{type(error).__name__} (its text raised {type(why).__name__})"


def lines_of(cause: BaseException | None) -> str:
    """Write the user's traceback, from the user's function on; empty when none of it is theirs."""
    if cause is None:
        return ""
    first = cause.__traceback__
    while first and str(first.tb_frame.f_globals.get("__name__")).startswith("penstock."):
        first = first.tb_next
    return "".join(traceback.format_exception(type(cause), cause, first)) if first else ""
