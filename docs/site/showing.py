"""Markdown of what Python knows: signatures, docstrings, and where an operator is shown.

>>> def half(n: int, *, exact: bool = False) -> float: ...
>>> signature("half", half)
'half(n: int, *, exact: bool = False) -> float'
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

WIDTH = 88
SECTION = re.compile(r"(Args|Attributes|Raises|Returns|Yields):")
TITLES = {"Args": "Arguments"}
BY_KEY = "By key"


def signature(name: str, function: Callable[..., Any]) -> str:
    """How it is called: on one line, or with a line for each parameter."""
    found = inspect.signature(function)
    marks: dict[Any, str] = {
        inspect.Parameter.VAR_POSITIONAL: "*",
        inspect.Parameter.VAR_KEYWORD: "**",
    }
    parts: list[str] = []
    for parameter in found.parameters.values():
        if parameter.name == "self":
            continue
        named = parameter.kind is inspect.Parameter.KEYWORD_ONLY
        if named and not any(part.startswith("*") for part in parts):
            parts.append("*")
        text = marks.get(parameter.kind, "") + parameter.name + typed(": ", parameter.annotation)
        if parameter.default is not inspect.Parameter.empty:
            text += f" = {shown(parameter.default)}"
        parts.append(text)
    result = typed(" -> ", found.return_annotation)
    line = f"{name}({', '.join(parts)}){result}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){result}"])


def typed(before: str, annotation: Any) -> str:
    """An annotation as it is written."""
    if annotation is inspect.Signature.empty:
        return ""
    written = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return before + written


def shown(default: Any) -> str:
    """A default value; one that only marks what was left out says nothing by itself."""
    return "..." if type(default) is object else repr(default)


def markdown(documentation: str) -> str:
    """A docstring as Markdown: lists of arguments, and examples as blocks of code."""
    return "\n".join(_markdown(inspect.cleandoc(documentation).splitlines()))


def _markdown(lines: list[str]) -> Iterator[str]:
    while lines:
        line = lines.pop(0)
        if found := SECTION.fullmatch(line):
            yield from ["", f"**{TITLES.get(found[1], found[1])}**", ""]
            yield from _items(_taken(lines, lambda next_line: next_line.startswith("  ")))
        elif line.startswith(">>>"):
            yield from ["```pycon", line, *_taken(lines, bool), "```"]
        elif line.startswith("    "):
            yield from ["```text", line, *_taken(lines, lambda one: one.startswith(" ")), "```"]
        else:
            yield line


def _taken(lines: list[str], belongs: Callable[[str], Any]) -> Iterator[str]:
    while lines and belongs(lines[0]):
        yield lines.pop(0)


def _items(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        name, colon, text = line.strip().partition(": ")
        own = line.startswith("    ") and not line.startswith("     ") and colon
        yield f"- `{name}`: {text}" if own else f"  {line.strip()}"


def summary(documentation: str) -> str:
    """The first paragraph, for a line of a table."""
    return " ".join(documentation.partition("\n\n")[0].split()).replace("|", "\\|")


def sections(page: str) -> Iterator[tuple[str, list[tuple[int, list[str]]]]]:
    """The sections of docs/operators.md: where paragraphs begin that show operators, and which."""
    seen: set[tuple[str, str]] = set()
    for section in re.finditer(r"^## (.+?)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL):
        found = []
        for paragraph in re.finditer(
            r"^\*\*\w+\*\*.*?(?=\n\n)", section[2], re.MULTILINE | re.DOTALL
        ):
            names = re.findall(r"\*\*(\w+)\*\*", paragraph[0])
            new = [name for name in names if (section[1], name) not in seen]
            seen |= {(section[1], name) for name in new}
            found.append((section.start(2) + paragraph.start(), new))
        yield section[1], found


def target(section: str, name: str) -> str:
    """What links to the example of an operator lead to."""
    return f"example-key-{name}" if section == BY_KEY else f"example-{name}"


def with_targets(page: str) -> str:
    """docs/operators.md with a target before each paragraph that shows an operator."""
    for section, found in reversed(list(sections(page))):
        for start, names in reversed(found):
            marks = "".join(f"({target(section, name)})=\n" for name in names)
            page = page[:start] + (marks and f"{marks}\n") + page[start:]
    return page
