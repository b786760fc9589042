"""Builds the documentation: `python docs/site/build_site.py`, which is what `make docs` runs.

The pages and those that are generated are gathered in `build/site-pages`, and Sphinx makes
`build/site` of them. A warning is an error, and nothing is read from a network.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from gathering import gather
from places import ROOT
from sphinx.cmd.build import build_main

HERE = Path(__file__).parent


def build(folder: Path) -> int:
    """Make `site` in a folder, and say by 0 that nothing is wrong with it."""
    pages, site = folder / "site-pages", folder / "site"
    for old in (pages, site):
        shutil.rmtree(old, ignore_errors=True)
    gather(pages)
    # `-E` forgets what an earlier build knew, `-W` makes warnings errors.
    options = ["-q", "-E", "-W", "--keep-going", "-b", "html", "-c", str(HERE)]
    doctrees = folder / "site-doctrees"
    return build_main([*options, "-d", str(doctrees), str(pages), str(site)])


def main() -> int:
    """Build into the folder that is named, else into `build`."""
    parser = argparse.ArgumentParser(description="Build the documentation site.")
    parser.add_argument("--into", type=Path, default=ROOT / "build", metavar="FOLDER")
    folder = parser.parse_args().into.resolve()
    failed = build(folder)
    if not failed:
        sys.stdout.write(f"{folder / 'site' / 'index.html'}\n")
    return failed


if __name__ == "__main__":
    sys.exit(main())
