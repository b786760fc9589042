from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import penstock

MODULES = ["penstock"] + [
    found.name
    for found in pkgutil.walk_packages(penstock.__path__, "penstock.")
    if not found.name.endswith(("._native", ".__main__"))
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_documentation_do_what_they_say(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_public_modules_have_examples() -> None:
    for name in ("penstock", "penstock.flow", "penstock.explain", "penstock.settings"):
        assert doctest.testmod(importlib.import_module(name)).attempted > 0
