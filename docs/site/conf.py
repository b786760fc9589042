"""How Sphinx makes the site; `build_site.py` calls it."""

from __future__ import annotations

from importlib.metadata import version as installed

project = "Penstock"
version = release = installed("penstock")
extensions = ["myst_parser"]
root_doc = "index"

# Links to headings are those of a repository browser.
myst_heading_anchors = 3
# `>>>` in the pages is highlighted as what it is.
highlight_language = "text"

html_theme = "furo"
html_title = f"Penstock {release}"
html_show_sphinx = False
html_copy_source = False
html_show_copyright = False
