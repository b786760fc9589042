"""Where on the site a file or folder of the repository is shown, and links that lead there.

Pages link to each other, to code and to folders as a repository browser needs it. On the site a
page of `docs/` has the same place, the documents of the root are in `project/`, code is in `source/`
to be downloaded, and a folder is a page that lists its files.

>>> place_of("docs/bench/ordered.md"), place_of("SECURITY.md"), place_of("examples/stage.py")
('bench/ordered.md', 'project/SECURITY.md', 'source/examples/stage.py')
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
# What the site has a better page for than the file itself.
INSTEAD = {"conf/penstock-defaults.conf": "reference/settings.md"}
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?\[[^\]\n]*\]\()([^)\s#]+)((?:#[^)\s]*)?\))")


def place_of(path: str) -> str:
    """The place on the site of a path of the repository."""
    if path in INSTEAD:
        return INSTEAD[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if "/" not in path and path.endswith(".md"):
        return f"project/{path}"
    return f"source/{path}/index.md" if (ROOT / path).is_dir() else f"source/{path}"


def with_links(path: str, text: str, on_link: Callable[[str], None]) -> str:
    """The text of a page with its links as the site needs them; tells what they lead to."""
    own = Path(place_of(path)).parent

    def moved(found: re.Match[str]) -> str:
        before, target, behind = found.groups()
        if "://" in target or target.startswith("mailto:"):
            return found[0]
        meant = os.path.normpath(Path(path).parent / target)
        if not (ROOT / meant).exists():
            raise FileNotFoundError(f"{path} links to {target}, and there is no {meant}")
        on_link(meant)
        return f"{before}{os.path.relpath(place_of(meant), own)}{behind}"

    return outside_fences(text, lambda part: LINK.sub(moved, part))


def outside_fences(text: str, change: Callable[[str], str]) -> str:
    """Change what stands between blocks of code."""
    parts, end = [], 0
    for fence in FENCE.finditer(text):
        parts += [change(text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, change(text[end:])])
