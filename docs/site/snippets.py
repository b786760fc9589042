"""The blocks of code on the pages, and how the tests run those that are Python.

A block of Python is a program, whose output is what the block of text behind it says, or a session
with `>>>`. The blocks of a page share their names, in order. One that needs Spark says so in its
first line, as in "python spark", and finds a session under the name `spark`.
"""

from __future__ import annotations

import doctest
import linecache
import re
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from places import FENCE, ROOT

# Pages that show commands and figures of whoever ran them are made by programs.
PAGES = sorted(page for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "bench")
OUTPUT = re.compile(r"\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A block of code on a page.

    Attributes:
        place: Page and line, for errors.
        language: What it is written in.
        needs: What its first line says beside that.
        code: What is in it.
        output: The text that follows at once; None without one.
    """

    place: str
    language: str
    needs: str
    code: str
    output: str | None

    @property
    def is_session(self) -> bool:
        """Whether it is a session with `>>>`."""
        return self.code.startswith(">>>")


def blocks_of(page: Path) -> Iterator[Block]:
    """The blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    for fence in FENCE.finditer(text):
        head, _, rest = fence[0].removeprefix("```").partition("\n")
        language, _, needs = head.partition(" ")
        place = f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, fence.start()) + 1}"
        output = OUTPUT.match(text, fence.end())
        yield Block(place, language, needs, rest.removesuffix("```"), output and output[1])


def run(blocks: Iterable[Block], names: dict[str, Any]) -> int:
    """Run blocks of one page and compare what they say; gives how many there were."""
    count = 0
    for count, block in enumerate(blocks, start=1):  # noqa: B007 - the last one is the result
        (run_session if block.is_session else run_program)(block, names)
    return count


def run_session(block: Block, names: dict[str, Any]) -> None:
    """Run a block as doctest does, and keep its names."""
    session = doctest.DocTestParser().get_doctest(block.code, names, block.place, None, 0)
    said = StringIO()
    done = doctest.DocTestRunner().run(session, out=said.write, clear_globs=False)
    names.update(session.globs)
    assert done.attempted, f"{block.place} shows nothing"
    assert not done.failed, f"{block.place}\n{said.getvalue()}"


def run_program(block: Block, names: dict[str, Any]) -> None:
    """Run a block as a program, whose source can be found as that of any other."""
    file = f"<{block.place}>"
    linecache.cache[file] = len(block.code), None, block.code.splitlines(keepends=True), file
    said = StringIO()
    with redirect_stdout(said):
        exec(compile(block.code, file, "exec"), names)  # noqa: S102 - what the pages show
    assert said.getvalue() == (block.output or ""), f"{block.place} said\n{said.getvalue()}"


def shell_lines(blocks: Iterable[Block]) -> Iterator[tuple[str, str]]:
    """The commands of blocks of a shell, each with its place."""
    for block in blocks:
        if block.language in {"bash", "console", "sh", "shell"}:
            for line in block.code.replace("\\\n", " ").splitlines():
                if line.strip():
                    yield " ".join(line.split()), block.place
