"""Gathers the pages of the site in one folder: those of `docs/`, those they link to, generated ones.

`docs/index.md` is the navigation: each of its sections is one of the menu, with the pages that its
list links to.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from code_pages import folder_page, source_page
from operator_reference import reference_pages
from places import FENCE, ROOT, place_of, with_links
from setting_reference import settings_page
from showing import with_targets

# The section of docs/index.md under which generated pages are listed.
GENERATED_SECTION = "## Reference\n"
LISTED = re.compile(r"^- \[([^\]]+)\]\(([^)#]+)\.md\)", re.MULTILINE)


def gather(folder: Path) -> None:
    """Write every page, and the files that pages show or offer, into a folder."""
    waiting = [str(page.relative_to(ROOT)) for page in sorted((ROOT / "docs").rglob("*.md"))]
    known = set(waiting)
    generated = reference_pages((ROOT / "docs/operators.md").read_text(encoding="utf-8"))
    generated["reference/settings.md"] = settings_page()

    def meet(path: str) -> None:
        if path not in known and place_of(path) not in generated:
            known.add(path)
            waiting.append(path)

    folders = []
    while waiting:
        path = waiting.pop()
        place = folder / place_of(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / path).is_dir():
            folders.append(path)
            place.write_text(folder_page(path, meet), encoding="utf-8")
        elif path.endswith(".md"):
            text = with_links(path, (ROOT / path).read_text(encoding="utf-8"), meet)
            # An empty line ends an example for doctest, and shows nothing to a reader.
            text = FENCE.sub(lambda fence: fence[0].replace("\n\n```", "\n```"), text)
            if path == "docs/index.md":
                text = with_menu(text, generated)
            if path == "docs/operators.md":
                text = with_targets(text)
            place.write_text(text, encoding="utf-8")
        else:
            shutil.copyfile(ROOT / path, place)
    for name, text in generated.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "source/index.md").write_text(source_page(sorted(folders)), encoding="utf-8")


def with_menu(index: str, generated: dict[str, str]) -> str:
    """The first page with the generated ones listed, and with what makes the menu."""
    listed = [f"- [{text.splitlines()[0][2:]}]({place})" for place, text in generated.items()]
    assert index.count(GENERATED_SECTION) == 1, f"docs/index.md needs one {GENERATED_SECTION!r}"
    index = index.replace(GENERATED_SECTION, "\n".join([GENERATED_SECTION, *listed, ""]))
    menu: list[tuple[str, list[str]]] = []
    for section in index.split("\n## ")[1:]:
        pages = [f"{title} <{page}>" for title, page in LISTED.findall(section)]
        if pages:
            menu.append((section.partition("\n")[0], pages))
    menu.append(("Code", ["Files and folders <source/index>"]))
    for title, pages in menu:
        entry = ["", "```{toctree}", ":hidden:", f":caption: {title}", "", *pages, "```", ""]
        index += "\n".join(entry)
    return index
