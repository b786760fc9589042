"""What docs/elasticity.md shows is what happens."""

from __future__ import annotations

import doctest
from pathlib import Path

from penstock import elastic

PAGE = Path(__file__).parents[2] / "docs" / "elasticity.md"


def test_the_examples_of_the_page_run_as_they_are_shown() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


def test_every_controller_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    names = [name for name in elastic.__all__ if name not in ("Candidate", "Decision")]
    assert [name for name in names if f"`{name}`" not in text] == []
