"""Pages for code: one for each folder that a page links to, with what its files are for."""

from __future__ import annotations

import re
from collections.abc import Callable

from places import ROOT, place_of

SHOWN = {".py", ".hpp", ".cpp", ".h", ".java", ".conf", ".sh", ".pml", ".ipynb"}
# The first comment or docstring of a file, in whatever language.
HEAD = re.compile(
    r'"""(.+?)"""|^[ ]*/\*\*?(.+?)\*/|((?:^//[^\n]*\n)+)|((?:^# [^\n]*\n)+)',
    re.MULTILINE | re.DOTALL,
)
MARKS = re.compile(r"^[ ]*(?://|#|\*)[ ]?", re.MULTILINE)


def folder_page(path: str, on_link: Callable[[str], None]) -> str:
    """A page that lists the files of a folder and tells of each what it begins with."""
    lines = [f"# {path}", ""]
    for file in sorted((ROOT / path).iterdir()):
        if file.suffix in SHOWN and file.name != "__init__.py":
            on_link(str(file.relative_to(ROOT)))
            said = sentence(file.read_text(encoding="utf-8")) if file.suffix != ".ipynb" else ""
            lines.append(f"- [{file.name}]({file.name})" + (f": {said}" if said else ""))
    return "\n".join([*lines, ""])


def source_page(folders: list[str]) -> str:
    """The page that leads to all of those."""
    pages = [place_of(path).removeprefix("source/").removesuffix(".md") for path in folders]
    listed = [f"- [{path}]({page}.md)" for path, page in zip(folders, pages, strict=True)]
    text = "What these pages speak of, as it is in the repository. Each file can be downloaded."
    menu = ["```{toctree}", ":hidden:", "", *pages, "```"]
    return "\n".join(["# Code", "", text, "", *listed, "", *menu, ""])


def sentence(text: str) -> str:
    """The first sentence of the first comment, on one line, without marks that mean something."""
    found = HEAD.search(text)
    if found is None:
        return ""
    comment = next(part for part in found.groups() if part)
    paragraph = MARKS.sub("", comment).strip().partition("\n\n")[0]
    said = re.split(r"(?<=\.)(?<!al\.)(?<!Fig\.)\s", " ".join(paragraph.split()))[0]
    return re.sub(r"([<>*_\[\]|])", r"\\\1", said.replace("`", ""))
