"""docs/elasticity.md names every controller; test_docs_snippets.py runs what is shown there."""

from __future__ import annotations

from pathlib import Path

from penstock import elastic

PAGE = Path(__file__).parents[2] / "docs" / "elasticity.md"


def test_every_controller_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    names = [name for name in elastic.__all__ if name not in ("Candidate", "Decision")]
    assert [name for name in names if f"`{name}`" not in text] == []
