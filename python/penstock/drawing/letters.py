"""How wide a text is, about: a picture is laid out without asking any font.

>>> width_of("illi", 12) < width_of("mmmm", 12)
True
>>> fitting("a_very_long_name_of_an_operator", 60, 12)
'a_very…'
"""

from __future__ import annotations

from unicodedata import combining, east_asian_width

from penstock.plain_text import ELLIPSIS, JOINERS

# In parts of the font size, a little more than usual fonts have.
NARROW, USUAL, CAPITAL, BROAD, FULL = 0.38, 0.63, 0.74, 0.98, 1.3


def width_of(text: str, size: float) -> float:
    """Width of a line in pixels."""
    return size * sum(map(_em, text))


def fitting(text: str, width: float, size: float) -> str:
    """As much of a line as fits into so many pixels, with an ellipsis where some is missing."""
    if width_of(text, size) <= width:
        return text
    room = width - width_of(ELLIPSIS, size)
    kept = ""
    for one in text:
        room -= size * _em(one)
        if room < 0:
            break
        kept += one
    return kept.rstrip(JOINERS) + ELLIPSIS


def _em(one: str) -> float:
    if one in JOINERS or combining(one):
        return 0.0
    if one in "iljtfrI.,:;'|!()[]{}` -":
        return NARROW
    if one in "mwMW@%" or one == ELLIPSIS:
        return BROAD
    if east_asian_width(one) in "WF" or ord(one) > 0xFFFF:
        return FULL
    return CAPITAL if one.isupper() else USUAL
