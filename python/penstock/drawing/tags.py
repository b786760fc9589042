r"""Elements of SVG and HTML as text. Whatever goes in is escaped: there is no other way in.

>>> print(tag("text", words("a < b"), x=1.0, class_="name", fill_opacity=0.25))
<text x="1" class="name" fill-opacity="0.25">a &lt; b</text>
>>> print(hover('say "hi"\x1b'))
<title>say &quot;hi&quot;\x1b</title>
"""

from __future__ import annotations

from html import escape
from typing import NewType

from penstock.plain_text import visible

# Text that is well-formed already: only what this module made.
Markup = NewType("Markup", str)
NOTHING = Markup("")


def words(text: str) -> Markup:
    """Text of anybody's; lines stay lines."""
    return Markup("\n".join(escape(visible(line)) for line in text.split("\n")))


def tag(name: str, /, *children: Markup, **attributes: str | float | None) -> Markup:
    """An element; `class_` and `fill_opacity` stand for `class` and `fill-opacity`."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return Markup(f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>")


def hover(text: str) -> Markup:
    """What a browser shows while the pointer is over the element that this is in."""
    return tag("title", words(text)) if text else NOTHING


def together(*children: Markup) -> Markup:
    """Elements one behind the other."""
    return Markup("".join(children))


def number(value: float) -> str:
    """A coordinate, to a hundredth of a pixel."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _value(value: str | float) -> str:
    return words(value) if isinstance(value, str) else number(value)
