"""The blocks of the documentation that need Spark do what the pages say."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from integration.settings import settings

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "docs/site"))

from snippets import PAGES, blocks_of, run

ON_SPARK = [page for page in PAGES if any(block.needs == "spark" for block in blocks_of(page))]


def test_there_are_pages_that_need_spark() -> None:
    assert {page.name for page in ON_SPARK} >= {"quick-start.md", "compatibility.md", "metrics.md"}


@pytest.mark.parametrize("page", ON_SPARK, ids=lambda page: page.name)
def test_the_python_of_a_page_does_what_it_says(page: Path, spark: Any, tmp_path: Path) -> None:
    shown: list[Any] = []
    names = {"__name__": page.stem, "spark": spark, "folder": tmp_path}
    # What a notebook calls to show a DataFrame.
    names["display"] = lambda df: shown.append(df.collect())
    # A page may set it for all that follows.
    with settings(spark, {"spark.penstock.metrics.observe": "false"}):
        run((block for block in blocks_of(page) if block.language == "python"), names)
    assert all(shown)
