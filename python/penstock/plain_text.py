r"""Text of users, made safe to show: on a terminal, where it could move the cursor, and in a picture.

>>> visible("plain, ümläut, 数")
'plain, ümläut, 数'
>>> print(visible("red\x1b[31m, turned\u202eround"))
red\x1b[31m, turned\u202eround
>>> shortened("a_very_long_name", 8)
'a_very_…'
"""

from __future__ import annotations

from unicodedata import combining, east_asian_width

# Not printable by Python's book, but letters of several scripts and emoji are joined by them.
JOINERS = "\u200c\u200d"
ELLIPSIS = "…"


def visible(text: str) -> str:
    """Write out everything that is not seen or changes how the rest is seen."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one in JOINERS else _escaped(one) for one in text)


def cells(text: str) -> int:
    """How many places of a terminal a text takes, about."""
    return sum(_cells_of(one) for one in text)


def shortened(text: str, most: int) -> str:
    """Cut what takes more than so many places, and say so by an ellipsis."""
    if cells(text) <= most:
        return text
    kept: list[str] = []
    left = most - 1
    for one in text:
        left -= _cells_of(one)
        if left < 0:
            break
        kept.append(one)
    # A joiner or a mark without what it belongs to would join the ellipsis.
    while kept and (kept[-1] in JOINERS):
        kept.pop()
    return "".join(kept) + ELLIPSIS


def _cells_of(one: str) -> int:
    if one in JOINERS or combining(one):
        return 0
    return 2 if east_asian_width(one) in "WF" else 1


def _escaped(one: str) -> str:
    code = ord(one)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
