"""Compiling from the point of view of a person who waits for it."""

from __future__ import annotations

import io
import re
import sys
from typing import Any

import pytest

from penstock import compiled, flow
from penstock.compiled import compiling


class Terminal(io.StringIO):
    def __init__(self, *, person: bool) -> None:
        super().__init__()
        self._person = person

    def isatty(self) -> bool:
        return self._person


@pytest.mark.parametrize("person", [True, False])
def test_only_a_person_at_a_terminal_is_told_what_takes_long(
    person: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal(person=person)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(compiling, "LONG", 0.0)
    flow("f", "n long").filter(compiled(lambda row: row.n > 3))
    told = terminal.getvalue()
    if person:
        assert re.fullmatch(r"compiling '<lambda>' \.\.\. \d+\.\d s\n", told)
    else:
        assert told == ""


def test_an_operator_remembers_its_function_and_how_it_is_used() -> None:
    def nth(state: Any, row: Any, out: Any) -> None:
        state.n += row.n
        out.keep()

    made = flow("f", "n long").key_by("n").process(nth, state="n long")
    [operator] = made.operators
    assert (operator.kind, operator.native) == ("keyed", True)
    assert operator.body == "process nth (compiled) by n"
    assert operator.kept == {"n": "n"}  # type: ignore[attr-defined]
