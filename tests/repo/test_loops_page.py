"""What docs/loops.md shows is what happens."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "loops.md"


def test_the_examples_of_the_page_run_as_they_are_shown() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted > 9
    assert results.failed == 0
