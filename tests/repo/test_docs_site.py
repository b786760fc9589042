"""The site that `make docs` builds: whole, without a warning, and with nothing of another host."""

from __future__ import annotations

import doctest
import fcntl
import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

import penstock
from penstock import Flow
from penstock.keyed import KeyedFlow
from penstock.settings import declarations

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS / "site"))
# What a browser loads by itself; `a` is where a reader may go.
LOADING = {"src", "srcset", "data", "poster", "background"}


class Page(HTMLParser):
    """What a page links to, what it loads, and which places links can lead to."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.menu: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self._in_menu = 0
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if "sidebar-tree" in (found.get("class") or ""):
            self._in_menu = 1
        elif self._in_menu and tag == "div":
            self._in_menu += 1
        self.places |= {value for name, value in attrs if name == "id" and value}
        self.loads += [value for name, value in attrs if name in LOADING and value]
        link = found.get("href")
        if link and tag == "a":
            (self.menu if self._in_menu else self.links).append(link)
        elif link:
            self.loads.append(link)

    def handle_endtag(self, tag: str) -> None:
        if self._in_menu and tag == "div":
            self._in_menu -= 1


@cache
def page(file: Path) -> Page:
    return Page(file)


@cache
def without_network() -> tuple[str, ...]:
    """What a command is put behind to have no network; nothing where the system does not let us."""
    unshare = shutil.which("unshare")
    tried = (unshare or "", "--map-root-user", "--net")
    allowed = unshare and subprocess.run([*tried, "true"], capture_output=True, check=False)
    return tried if allowed and allowed.returncode == 0 else ()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once for all processes of the tests, as `make docs` builds it."""
    own = tmp_path_factory.getbasetemp()
    # Each of several processes has a folder in that of the run.
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "docs"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        said = folder / "said"
        if not said.exists():
            command = [sys.executable, str(DOCS / "site/build_site.py"), "--into", str(folder)]
            done = subprocess.run(
                [*without_network(), *command], capture_output=True, text=True, check=False
            )
            said.write_text(f"{done.returncode} {done.stderr}")
    assert said.read_text() == "0 "
    return folder / "site"


def pages(site: Path) -> Iterator[Path]:
    return site.rglob("*.html")


@pytest.mark.parametrize("module", ["places", "showing"])
def test_the_examples_in_what_builds_it_do_what_they_say(module: str) -> None:
    done = doctest.testmod(importlib.import_module(module))
    assert done.attempted
    assert not done.failed


def test_make_docs_builds_what_is_tested_here() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert re.search(
        r"^docs: .*\n\t@\$\(BIN\)/python docs/site/build_site\.py$", makefile, re.MULTILINE
    )


def test_it_is_built_without_a_network(site: Path) -> None:
    if not without_network():
        pytest.skip("no network can be taken away here (unshare), so it was built with one")
    interfaces = "import socket; print([name for _, name in socket.if_nameindex()])"
    done = subprocess.run(
        [*without_network(), sys.executable, "-c", interfaces],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "['lo']\n"
    assert (site / "index.html").exists()


def test_every_page_has_its_place_and_is_reached_from_the_menu(site: Path) -> None:
    menu = {(site / link).resolve() for link in page(site / "index.html").menu}
    wanted = {site / file.relative_to(DOCS).with_suffix(".html") for file in DOCS.rglob("*.md")}
    wanted |= set((site / "reference").glob("*.html"))
    assert len(wanted) > 20
    # The menu of the first page does not name the first page.
    assert wanted - menu == {site / "index.html"}
    others = set(pages(site)) - menu - wanted
    assert {file.name for file in others if "source" not in file.parts} == {
        "genindex.html",
        "search.html",
    }


def test_every_link_within_the_site_leads_somewhere(site: Path) -> None:
    broken = []
    for file in pages(site):
        for link in {*page(file).links, *page(file).menu, *page(file).loads}:
            if link.startswith(("https://", "http://", "mailto:", "data:")):
                continue
            path, place = urldefrag(unquote(link.partition("?")[0]))
            target = (file.parent / path).resolve() if path else file
            inside = target.exists() and site in target.parents
            if not inside or (
                place and target.suffix == ".html" and place not in page(target).places
            ):
                broken.append(f"{file.relative_to(site)}: {link}")
    assert broken == []


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    assert any(page(file).loads for file in pages(site))
    foreign = [
        f"{file.relative_to(site)}: {link}"
        for file in pages(site)
        for link in page(file).loads
        if re.match(r"(https?:)?//", link)
    ]
    assert foreign == []
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", text), sheet
    for picture in (site / "_images").glob("*.svg"):
        assert not re.search(r"(href|src)=[\"'](https?:)?//", picture.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("kind", "file", "group"), [(Flow, "operators", "flow"), (KeyedFlow, "keyed", "key")]
)
def test_every_public_method_has_an_entry(site: Path, kind: type, file: str, group: str) -> None:
    named = {name for name in dir(kind) if not name.startswith("_")}
    public = {name for name in named if callable(getattr(kind, name))} - {"then"}
    found = page(site / f"reference/{file}.html").places
    others = page(site / "reference/running.html").places
    assert len(public) > 8
    entries = {name: {f"{group}-{name}", f"run-{name}"} for name in public}
    as_html = {name: {id_of(one) for one in ids} for name, ids in entries.items()}
    assert [name for name, ids in as_html.items() if not ids & (found | others)] == []


def test_operators_are_linked_to_their_examples(site: Path) -> None:
    shown = page(site / "operators.html").places
    links = page(site / "reference/operators.html").links
    examples = {link for link in links if link.startswith("../operators.html#example-")}
    assert len(examples) > 20
    assert {link.partition("#")[2] for link in examples} <= shown


def test_everything_in_the_package_s_list_has_an_entry(site: Path) -> None:
    modules = {"agg", "state", "windows"}
    found = page(site / "reference/running.html").places
    wanted = {
        name: id_of(f"all-{'type-' if name[0].isupper() else ''}{name}".lower())
        for name in set(penstock.__all__) - modules
    }
    assert [name for name, place in wanted.items() if place not in found] == []
    headings = page(site / "reference/values.html").places
    assert {f"penstock-{name}" for name in modules} <= headings


def test_every_setting_has_an_entry_with_its_default(site: Path) -> None:
    text = (site / "reference/settings.html").read_text(encoding="utf-8")
    text = re.sub(r"<[^>]+>", "", text)
    for key, one in declarations().items():
        assert text.count(key) >= 2
        assert f"Default {one.default}." in text


def id_of(name: str) -> str:
    """As docutils writes it."""
    return re.sub(r"[^a-z0-9]+", "-", name).strip("-")
