"""Small operator classes, written as text so that their source is known line by line."""

from __future__ import annotations

import itertools
import linecache
from dataclasses import dataclass
from textwrap import dedent, indent
from typing import Any

from penstock.discovery import Discovery, discover

COLUMNS = ("k", "j", "v", "my col")
# Stands at the line that is expected to make an operator serial.
HERE = "# <-"
_numbers = itertools.count()


@dataclass(frozen=True)
class Case:
    """A class `Op`, given by its parts.

    Attributes:
        about: What the case is, in words.
        process: Body of `process(self, row)`.
        reason: Part of the reason expected.
        init: Body of `__init__`.
        before: What the module holds before the class.
        members: What the class holds beside.
        bases: The class' bases, in brackets.
    """

    about: str
    process: str
    reason: str = ""
    init: str = "self.last = {}"
    before: str = ""
    members: str = ""
    bases: str = ""

    def source(self) -> str:
        parts = [
            dedent(self.before),
            f"class Op{self.bases}:",
            indent(dedent(self.members), " " * 4),
            "    def __init__(self):",
            indent(dedent(self.init), " " * 8),
            "    def process(self, row):",
            indent(dedent(self.process), " " * 8),
        ]
        return "\n".join(parts) + "\n"

    def discover(self) -> Discovery:
        return discover(operator(self.source()), COLUMNS)

    def line(self) -> int | None:
        """The line that is marked, from 1."""
        lines = self.source().splitlines()
        return next((n for n, text in enumerate(lines, 1) if text.endswith(HERE)), None)


def module(source: str) -> dict[str, Any]:
    """The names of a module made of a source that `inspect` and tracebacks can see."""
    filename = f"<operator {next(_numbers)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    names: dict[str, Any] = {"__name__": "operators"}
    exec(compile(source, filename, "exec", dont_inherit=True), names)  # noqa: S102 - the cases are ours
    return names


def operator(source: str) -> object:
    """An instance of the class `Op` of a source."""
    made: object = module(source)["Op"]()
    return made
