from __future__ import annotations

import doctest
import importlib
import sys

import pytest
from tests.python.examples.kernels import EXAMPLES

sys.path.insert(0, str(EXAMPLES))

MODULES = sorted(file.stem for file in EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_an_examples_documentation_do_what_they_say(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_every_flow_is_shown_at_work() -> None:
    for name in ("break_ins", "login_failures"):
        assert doctest.testmod(importlib.import_module(name)).attempted > 0
