from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from penstock.bench.suites import BenchError, Size, find

MAKEFILE = (Path(__file__).parents[3] / "Makefile").read_text()
COMPILED = ("spark", "operators")


@pytest.mark.parametrize("suite", COMPILED)
def test_a_suite_of_compiled_functions_says_first_that_numba_is_missing(
    suite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)  # as Python marks what is not to be found
    told: list[str] = []
    with pytest.raises(BenchError, match=f"'{suite}' .* need numba: pip .*spark,compiled") as found:
        find(suite).measure(Size(quick=True), told.append)
    assert isinstance(found.value.__cause__, ImportError)
    assert told == [], "nothing was begun"


def test_make_bench_installs_what_compiles_functions() -> None:
    [needs] = re.findall(r"^bench: (.*?) ##", MAKEFILE, re.MULTILINE)
    assert "$(VENV)/.compiled" in needs.split()
    [recipe] = re.findall(r"^\$\(VENV\)/\.compiled:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert "install -q 'penstock[compiled]'\n" in recipe
