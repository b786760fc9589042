"""Compiling from the point of view of a person who waits for it."""

from __future__ import annotations

import io
import re
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from penstock import compiled, flow
from penstock.compiled import captured, compiling
from penstock.compiled.captured import Unknown


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


@pytest.mark.parametrize("kernel", [True, False])
def test_a_person_at_a_notebook_is_told_as_well(
    kernel: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = Terminal(person=False)
    shell = SimpleNamespace(kernel="of a notebook") if kernel else SimpleNamespace()
    ipython = SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setattr(sys, "stderr", cell)
    monkeypatch.setattr(compiling, "LONG", 0.0)
    flow("f", "n long").filter(compiled(lambda row: row.n > 4))
    assert cell.getvalue().startswith("compiling '<lambda>' ...") is kernel


def test_an_operator_remembers_its_function_and_how_it_is_used() -> None:
    def nth(state: Any, row: Any, out: Any) -> None:
        state.n += row.n
        out.keep()

    made = flow("f", "n long").key_by("n").process(nth, state="n long")
    [operator] = made.operators
    assert (operator.kind, operator.native) == ("keyed", True)
    assert operator.body == "process nth (compiled) by n"
    assert operator.kept == {"n": "n"}  # type: ignore[attr-defined]


def test_code_of_values_that_cannot_be_compared_is_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unknown(_function: Any) -> object:
        raise Unknown("list")

    passes = compiled(lambda row: row.n > 5)
    [first] = flow("f", "n long").filter(passes).operators
    monkeypatch.setattr(captured, "identity", unknown)
    [second] = flow("f", "n long").filter(passes).operators
    monkeypatch.undo()
    [third] = flow("f", "n long").filter(passes).operators
    assert first.code is third.code  # type: ignore[attr-defined]
    assert first.code is not second.code  # type: ignore[attr-defined]
