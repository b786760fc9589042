"""The pictures of the pages are what the product draws, and docs/seeing.md names what there is."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from penstock.cli import main

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "seeing.md").read_text(encoding="utf-8")
PAGES = [page.read_text(encoding="utf-8") for page in DOCS.glob("*.md")]


@pytest.fixture(scope="module")
def drawing() -> ModuleType:
    spec = spec_from_file_location("draw", DOCS / "pictures" / "draw.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pictures_are_those_that_would_be_drawn_now(drawing: ModuleType) -> None:
    drawn = {name: svg + "\n" for name, svg in drawing.pictures().items()}
    kept = {path.name: path.read_text(encoding="utf-8") for path in DOCS.glob("pictures/*.svg")}
    assert kept == drawn, "draw them again: python docs/pictures/draw.py"


def test_every_picture_is_on_a_page_and_is_small() -> None:
    shown = set(re.findall(r"!\[[^\]]*\]\(pictures/([^)]+)\)", "".join(PAGES)))
    assert shown == {path.name for path in DOCS.glob("pictures/*.*g")}
    for path in DOCS.glob("pictures/*.svg"):
        assert path.stat().st_size < 64 * 1024


def test_a_screenshot_is_one_that_a_test_takes_and_its_page_says_how() -> None:
    test = "integration/test_ui.py"
    taken = (DOCS.parent / test).read_text(encoding="utf-8")
    shots = [path.name for path in DOCS.glob("pictures/*.png")]
    assert shots
    for name in shots:
        assert f'"{name}"' in taken
        [page] = [text for text in PAGES if f"](pictures/{name})" in text]
        assert f"`{test}`" in page
        assert f"`cp build/artifacts/{name} docs/pictures/{name}`" in page


def test_the_files_it_links_exist() -> None:
    links = re.findall(r"\]\(([^)]+)\)", PAGE)
    assert [link for link in links if not (DOCS / link).exists()] == []


@pytest.mark.parametrize("command", ["explain", "run", "top"])
def test_every_option_it_names_exists(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    said = capsys.readouterr().out
    assert f"`penstock {command}" in PAGE
    for option in re.findall(r"--[a-z-]+", said):
        assert option in PAGE or option == "--help", option
