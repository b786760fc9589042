"""Nothing is unpickled that came from elsewhere, but by Spark itself; nobody listens (G8, G9)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "python/penstock"
# Reading any of these can run code that somebody else wrote.
UNPICKLERS = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "marshal", "shelve", "joblib"}
LISTENERS = {"socket", "socketserver", "http.server", "xmlrpc.server", "multiprocessing"}
KNOWN = {
    "dataframe.py": "writes only, to weigh and to send inside Spark's own closure",
    "task.py": "the flow, out of the function that Spark itself unpickled",
    "executor/connection.py": "asks what a descriptor is connected to, and opens nothing",
    "state/found.py": "values of a plain class, by the process that wrote them, between channels",
    "compiled/kernel/failures.py": "what numba put into code that was compiled here, on the driver",
}


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(alias.name for alias in node.names)}
    return found


def attributes(path: Path) -> set[str]:
    return {
        f"{node.value.id}.{node.attr}"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }


@pytest.mark.parametrize("forbidden", [UNPICKLERS, LISTENERS], ids=["unpickles", "listens"])
def test_no_other_module_of_the_package_does(forbidden: set[str]) -> None:
    users = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if imported(path) & forbidden and "bench" not in path.parts
    }
    assert users <= set(KNOWN)


def test_the_one_that_weighs_only_writes() -> None:
    used = {name for name in attributes(PACKAGE / "dataframe.py") if "pickle" in name}
    assert used == {"cloudpickle.dumps"}


def test_the_search_finds_what_it_looks_for(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text("def f(data):\n    from pickle import loads\n    return loads(data)\n")
    assert imported(path) & UNPICKLERS
