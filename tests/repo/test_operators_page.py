"""Every operator has its entry in docs/operators.md; test_docs_snippets.py runs what is shown there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from penstock import Flow, agg, windows
from penstock.keyed import KeyedFlow
from penstock.runnable import Runnable

PAGE = Path(__file__).parents[2] / "docs" / "operators.md"
# Of a flow, and no operators.
OTHERS = {"threading"}


def methods(kind: type) -> set[str]:
    named = {name for name in dir(kind) if not name.startswith("_")}
    return {name for name in named if callable(getattr(kind, name))} - set(dir(Runnable)) - OTHERS


@pytest.mark.parametrize("name", sorted(methods(Flow) | methods(KeyedFlow)))
def test_every_operator_has_an_entry(name: str) -> None:
    text = PAGE.read_text()
    assert f"**{name}**" in text, f"docs/operators.md says nothing of {name}"
    if name != "native":
        assert re.search(rf"^(>>>|\.\.\.).*\.{name}\(", text, re.MULTILINE), f"no example of {name}"


@pytest.mark.parametrize("module", [agg, windows])
def test_every_aggregate_and_window_is_shown(module: object) -> None:
    text = PAGE.read_text()
    public = [
        name
        for name, value in vars(module).items()
        if callable(value)
        and not name.startswith("_")
        and not isinstance(value, type)
        and getattr(value, "__module__", "") == getattr(module, "__name__", "")
    ]
    assert public
    prefix = str(getattr(module, "__name__", "")).rpartition(".")[2]
    assert [name for name in public if f"{prefix}.{name}(" not in text] == []
