from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest

from penstock.bench.suites import SUITES, BenchError, Size, Suite, find


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.name)
def test_every_suite_has_a_module_that_can_measure(suite: Suite) -> None:
    found = find_spec(suite.module)
    assert found is not None
    assert found.origin is not None
    tree = ast.parse(Path(found.origin).read_text())
    assert "measure" in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert ast.get_docstring(tree)


def test_suites_are_found_by_name_and_named_once() -> None:
    assert [find(suite.name) for suite in SUITES] == list(SUITES)
    assert len({suite.name for suite in SUITES}) == len(SUITES)


def test_an_unknown_suite_is_answered_with_the_one_probably_meant() -> None:
    with pytest.raises(BenchError, match="no suite 'transprot'; did you mean 'transport'"):
        find("transprot")


def test_a_quick_run_is_smaller_and_shorter() -> None:
    quick, full = Size(quick=True), Size()
    assert quick.rows(1000) < full.rows(1000) == 1000
    assert quick.rounds < full.rounds
    assert quick.seconds < 60 < full.seconds


def test_no_scale_makes_the_data_vanish() -> None:
    assert Size(scale=0.5).rows(1000) == 500
    assert Size(quick=True, scale=1e-9).rows(1000) == 1
