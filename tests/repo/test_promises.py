"""SECURITY.md and docs/guarantees.md: every claim names its test, and that test exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ["SECURITY.md", "docs/guarantees.md"]
# `tests/python/test_fork.py`, or `tests/faults/test_crashes.py::test_a_null_pointer_names_...`.
NAMED = re.compile(r"`((?:tests|integration|jvm-shim/src/test)/[\w/.-]+?)(?:::(\w+))?`")


def named_tests(page: str) -> list[tuple[str, str]]:
    return NAMED.findall((ROOT / page).read_text())


@pytest.mark.parametrize("page", PAGES)
def test_every_test_that_is_named_exists(page: str) -> None:
    found = named_tests(page)
    assert len(found) >= 10
    for path, test in found:
        assert (ROOT / path).exists(), f"{page} names {path}, which does not exist"
        if test:
            text = (ROOT / path).read_text()
            assert re.search(rf"(def {test}\(|TEST\(\w+, {test}\)|void {test}\()", text), (
                f"{page}: {path}::{test}"
            )


@pytest.mark.parametrize("page", PAGES)
def test_every_claim_has_a_test(page: str) -> None:
    text = (ROOT / page).read_text()
    claims = [row for row in text.splitlines() if row.startswith("| ") and "| --" not in row]
    rows = [row for row in claims if not row.lower().startswith(("| claim", "| guarantee"))]
    assert rows
    for row in rows:
        assert NAMED.search(row) or "not yet" in row, f"{page}: no test in {row}"


def test_every_guarantee_is_on_the_page() -> None:
    text = (ROOT / "docs/guarantees.md").read_text()
    assert [f"**G{number} " in text for number in range(1, 12)] == [True] * 11
