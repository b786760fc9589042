"""docs/compatibility.md: order first, one of four words in each cell, and tests that exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/compatibility.md").read_text()
INTEGRATION = ROOT / "integration"
# Tables that say something else.
OTHERS = {"what", "word"}
CELL = re.compile(
    r"CI `((?:chaos/)?test_\w+)`|by hand, \d{4}-\d{2}-\d{2}(, .+)?|untested|impossible"
)


def tables() -> Iterator[tuple[list[str], list[list[str]]]]:
    """The head and the rows of each table whose cells are verdicts."""
    for block in re.findall(r"(?:^\|.*\|\n)+", PAGE, re.MULTILINE):
        head, _, *rows = (
            [cell.strip() for cell in line[1:-1].split("|")] for line in block.splitlines()
        )
        if head[0] not in OTHERS:
            yield head, rows


ROWS = [row for _, rows in tables() for row in rows]


def test_order_is_the_first_section() -> None:
    assert re.findall(r"^## (.+)$", PAGE, re.MULTILINE)[0] == "Order"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_each_cell_is_one_of_the_words(row: list[str]) -> None:
    assert len(row) > 1
    assert [cell for cell in row[1:] if not CELL.fullmatch(cell)] == []


@pytest.mark.parametrize("name", sorted(set(re.findall(r"CI `([\w/]+)`", PAGE))))
def test_a_test_that_is_named_exists(name: str) -> None:
    functions = ast.walk(ast.parse((INTEGRATION / f"{name}.py").read_text()))
    assert any(isinstance(f, ast.FunctionDef) and f.name.startswith("test_") for f in functions)


def test_what_ci_leaves_out_is_not_said_to_be_in_it() -> None:
    left_out = re.findall(r"--ignore=integration/(test_\w+)\.py", (ROOT / "Makefile").read_text())
    assert left_out == ["test_versions", "test_shipping", "test_bench_spark"]
    assert [name for name in left_out if f"CI `{name}`" in PAGE] == []


def test_links_lead_somewhere() -> None:
    for page in ("compatibility.md", "install.md"):
        links = re.findall(r"\]\(([^)#]+)\)", (ROOT / "docs" / page).read_text())
        assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
