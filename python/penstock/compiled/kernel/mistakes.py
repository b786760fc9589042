"""Mistakes in a function, found while it is compiled: from numba's text to one sentence and a line.

numba tells where and why over many lines, and wraps what types of ours raise into more of its own.
A mistake of ours is therefore put between two marks, and found again in whatever comes back.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.errors import TypingError

BEGIN, END = "\x02", "\x03"
MARKED = re.compile(f"{BEGIN}([^{END}]*){END}")
PLACE = re.compile(r'File "([^"\n]+)", line (\d+)|at ([^\n"()]+) \((\d+)\)')
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
NO_OVERLOAD = re.compile(r"found for signature:\s*>>> (.+)")
SINGLE = re.compile(r"\*args in function call should be a tuple, got (.+)")
HELPER = re.compile(
    r"Untyped global name '(\w+)':\s+Cannot determine Numba type of <class 'function'>"
)
NOISE = re.compile(
    r"^(Failed in \w+ mode pipeline|During: |Invalid use of|File \"|There are \d+ candidate|"
    r"\s*[-<^~]|Tried |This |Enable |- )"
)


def mistake(message: str, at: Any = None) -> Exception:
    """An error that says this, whatever numba puts around it."""
    made: Exception = TypingError(f"{BEGIN}{message}{END}", loc=at)
    return made


def reason_of(error: BaseException) -> tuple[str, bool]:
    """What is wrong, in one line, and whether it is one of our own mistakes."""
    text = COLOUR.sub("", str(error))
    marked = MARKED.search(text)
    if marked:
        return marked[1], True
    single = SINGLE.search(text)
    if single:
        return f"it returns {single[1]}, but out= has several columns; return a tuple", True
    helper = HELPER.search(text)
    if helper:
        told = f"'{helper[1]}' is a plain Python function; decorate it with @penstock.compiled, too"
        return told, True
    overload = NO_OVERLOAD.search(text)
    if overload:
        return f"numba has no {overload[1].strip().removeprefix('checked_')}", False
    lines = (line.strip() for line in text.splitlines())
    told = next((line for line in lines if line and not NOISE.match(line)), type(error).__name__)
    return f"numba: {told}", False


def line_of(error: BaseException, function: Callable[..., Any]) -> int:
    """The line that is wrong, in the file of the function; where that begins if nothing tells.

    numba names files relative to where it is, and the innermost place first.
    """
    code = function.__code__
    text = COLOUR.sub("", str(error))
    found = [
        int(line)
        for file, line in ((m[1] or m[3], m[2] or m[4]) for m in PLACE.finditer(text))
        if Path(file).name == Path(code.co_filename).name
    ]
    location = getattr(error, "loc", None)
    if not found and location is not None and location.filename == code.co_filename:
        found.append(location.line)
    return found[0] if found else code.co_firstlineno
