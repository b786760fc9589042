"""Every setting that is read is declared in the defaults file, and none is declared in vain."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KEY = re.compile(r"spark\.penstock\.\w+(?:\.[\w*]+)+")


def declared() -> set[str]:
    lines = (ROOT / "conf/penstock-defaults.conf").read_text().splitlines()
    return {line.split()[0] for line in lines if line and not line.startswith("#")}


def keys_in_python() -> Iterator[tuple[str, Path]]:
    """String constants that are a whole key; a key inside a docstring is only talked about."""
    for path in (ROOT / "python/penstock").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and KEY.fullmatch(str(node.value)):
                yield str(node.value), path


def keys_in_java() -> Iterator[tuple[str, Path]]:
    for path in (ROOT / "jvm-shim/src/main").rglob("*.java"):
        for key in re.findall(rf'"({KEY.pattern})"', path.read_text()):
            yield key, path


READ = dict((*keys_in_python(), *keys_in_java()))


@pytest.mark.parametrize("key", sorted(READ))
def test_a_setting_that_is_read_is_declared_with_its_default(key: str) -> None:
    assert key in declared(), f"{READ[key].relative_to(ROOT)} reads it"


@pytest.mark.parametrize("key", sorted(declared()))
def test_a_declared_setting_is_read(key: str) -> None:
    assert key in READ
