"""Functions that cannot be compiled: the error comes where the flow is written, and says why."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from importlib.metadata import version
from typing import Any

import numpy as np
import pytest
from tests.python.compiled import functions

from penstock import FlowError, compiled, flow
from penstock.compiled.optional import why_not

ROWS = flow("f", "id long, value double, host string, big decimal(30,2), tags array<string>")
TABLE = np.zeros(1 << 18)


def line_of(function: Callable[..., Any], word: str) -> int:
    """The line of a function's source that has a word."""
    lines, begin = inspect.getsourcelines(function)
    return begin + next(i for i, line in enumerate(lines) if word in line)


def test_an_unknown_column_is_named_with_its_line_and_the_one_that_was_meant() -> None:
    def bad(row: Any, out: Any) -> None:
        if row.id is not None:
            out.emit(row.hosst)

    with pytest.raises(FlowError) as caught:
        ROWS.process(bad, out="host string", name="scores")
    told = str(caught.value)
    assert told.startswith("flow 'f', operator 'scores': function 'bad' cannot be compiled, ")
    assert f"{__file__}:{line_of(bad, 'hosst')}: unknown column 'hosst'" in told
    assert "did you mean 'host'?" in told


def test_what_numba_cannot_compile_is_told_in_one_line_with_advice() -> None:
    def bad(row: Any, out: Any) -> None:
        if row.id:
            out.emit(open(row.host))  # noqa: PTH123, SIM115 - it is never called

    with pytest.raises(FlowError) as caught:
        ROWS.process(bad, out="z long")
    told = str(caught.value)
    assert f":{line_of(bad, 'open')}: numba: Untyped global name 'open'" in told
    assert told.endswith("or use a batch function, as in map(f) of a RecordBatch")
    assert "\n" not in told


@pytest.mark.parametrize(
    ("column", "reason"), [("tags", "take a plain value out of it"), ("big", "at most 18 digits")]
)
def test_a_type_that_cannot_be_compiled_is_told_with_the_line_that_uses_it(
    column: str, reason: str
) -> None:
    def lists(row: Any, out: Any) -> None:
        if row.id:
            out.emit(row.tags)

    def wide(row: Any, out: Any) -> None:
        if row.id:
            out.emit(row.big)

    bad = {"tags": lists, "big": wide}[column]
    with pytest.raises(FlowError) as caught:
        ROWS.process(bad, out="z long", name="scores")
    told = str(caught.value)
    assert f"{__file__}:{line_of(bad, f'row.{column}')}: " in told
    assert f"'{column}'" in told
    assert reason in told


@pytest.mark.parametrize(
    ("function", "out", "reason"),
    [
        (lambda row, out: out.emit(row.id, 2), "z long", "has 1 columns (z), got 2"),
        (lambda row, out: out.emit(y=row.id), "z long", "out.emit(y=...) is no column left"),
        (lambda row, out: out.emit(row.value), "z long", "but a double is emitted for it; say"),
        (lambda row, out: out.emit(row.host), "z long", "but a string is emitted for it"),
        (lambda row, out: out.emit(row.id), "z boolean", "but a whole number is emitted"),
        (lambda _, out: out.emit(None), "z long not null", "NOT NULL, but None is emitted"),
        (lambda row, out: out.emit(row.big), "z long", "at most 18 digits, or to double"),
        (lambda row, out: out.emit(row.tags), "z long", "take a plain value out of it before"),
        (lambda _, out: out.emit(1), "z array<int>", "'z' is array<int>, which a compiled"),
        (lambda _, out: out.emit(1), None, "name them with out="),
        (lambda _, out: out.keep(), "z long", "but out= names new columns"),
        (lambda row, out: out.keep(row), None, "out.keep() takes nothing"),
        (lambda _, out: out.emitt(1), "z long", "did you mean 'emit'?"),
        (lambda row, out: out.emit(row.host + "a"), "z string", "numba has no add(text"),
        (lambda row, out: out.emit(str(row.value)), "z string", "cannot make a text of a double;"),
        (lambda row, out: out.emit(f"{row.value}"), "z string", "cannot make a text of a double;"),
        (lambda row, out: out.emit(str(row.host)), "z string", "a string column, which is bytes"),
        (lambda row, out: out.emit(repr((row.id, 1))), "z string", "cannot make a text of Tuple("),
        (lambda row, out: out.emit(row.host[::2]), "z string", "numba has no getitem(text"),
        (lambda row, out: out.emit(TABLE[row.id]), "z double", "a ndarray of 2,097,152 bytes"),
        (lambda row: row.id, "z long", "takes (row), but has to take (row, out)"),
        (lambda row, *out: (row, out), "z long", "takes (row, *out), but has to take"),
        (
            lambda row, out, **more: (row, out, more),
            "z long",
            "takes (row, out, **more), but has to take",
        ),
        (lambda row, out: (yield row, out), "z long", "is a generator; give rows to out.emit("),
        (len, "z long", "a Python function is needed to compile, got builtin"),
    ],
)
def test_a_function_that_does_not_fit_is_refused(
    function: Callable[..., Any], out: str | None, reason: str
) -> None:
    with pytest.raises(FlowError, match="operator 'process_1'") as caught:
        ROWS.process(function, out=out)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (None, "as in state='n long, last double'"),
        ("total long", "unknown state field 'n'; Known: 'total'"),
        ("n string", "keep its hash() or its length"),
        ("n array<int>", "state field 'n' is array<int>"),
        ("n long", "state.n is a 64-bit whole number, but a double is assigned to it"),
    ],
)
def test_a_state_that_does_not_fit_is_refused(state: str | None, reason: str) -> None:
    def last(state: Any, row: Any, out: Any) -> None:
        state.n = row.value
        out.keep()

    with pytest.raises(FlowError) as caught:
        ROWS.key_by("id").process(last, state=state)
    assert reason in str(caught.value)


def test_a_map_says_what_it_returns() -> None:
    with pytest.raises(FlowError, match="as in out='z double'"):
        ROWS.map(compiled(lambda row: row.id))
    with pytest.raises(FlowError, match="but out= has several columns; return a tuple"):
        ROWS.map(compiled(lambda row: row.id), out="a long, b long")
    with pytest.raises(FlowError, match=r"has 2 columns \(a, b\), got 3"):
        ROWS.map(compiled(lambda row: (row.id, row.id, 1)), out="a long, b long")


def test_an_unknown_key_is_told_before_anything_is_compiled() -> None:
    with pytest.raises(FlowError, match="unknown key column 'idd'; did you mean 'id'"):
        ROWS.key_by("idd").process(functions.unusual, state="n long")


def without_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nothing of ours that is built on numba had been imported."""
    for module in [name for name in sys.modules if name.startswith("penstock.compiled.kernel")]:
        monkeypatch.delitem(sys.modules, module)


def test_without_numba_the_error_says_what_to_install_and_the_rest_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_kernel(monkeypatch)
    monkeypatch.setitem(sys.modules, "numba", None)
    rows = flow("f", "n long")
    with pytest.raises(
        FlowError, match=r"not installed here; .* pip install 'penstock\[compiled\]'"
    ):
        rows.filter(compiled(lambda row: row.n > 3))
    assert rows.select("n").schema.names == ["n"]


class Refusing(MetaPathFinder):
    """Lets the import of one module fail."""

    def __init__(self, module: str, error: Exception) -> None:
        self._module, self._error = module, error

    def find_spec(self, name: str, path: Any, target: Any = None) -> None:  # noqa: ARG002
        if name == self._module:
            raise self._error


@pytest.mark.parametrize(
    "error",
    [
        ImportError("Numba needs NumPy 2.2 or less"),
        ImportError("cannot import name 'x' from 'numba.core'", name="numba.core"),
        ModuleNotFoundError("No module named 'numba.core.imputils'", name="numba.core.imputils"),
        AttributeError("module 'numba.core.types' has no attribute 'Optional'"),
        OSError("Could not find/load shared object file"),
    ],
)
def test_a_numba_that_does_not_work_is_told_with_its_version_and_ours(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_kernel(monkeypatch)
    refusing = Refusing("penstock.compiled.kernel.build", error)
    monkeypatch.setattr(sys, "meta_path", [refusing, *sys.meta_path])
    with pytest.raises(FlowError) as caught:
        ROWS.filter(compiled(lambda row: row.id > 3))
    told = str(caught.value)
    assert f"{type(error).__name__}: {error}; install others with: pip install --upgrade" in told
    assert "which is installed here, but these versions do not work together: penstock " in told
    assert f", numba {version('numba')}, llvmlite {version('llvmlite')}, numpy " in told
    assert "needs no numba" in told


def test_what_numba_needs_and_what_is_ours_is_not_taken_for_numba() -> None:
    missing = ModuleNotFoundError("No module named 'llvmlite'", name="llvmlite")
    assert why_not(missing, "numba").startswith("which needs llvmlite, and that is not installed")
    ours = ImportError("cannot import name 'x' from 'penstock.errors'", name="penstock.errors")
    with pytest.raises(ImportError, match=r"penstock\.errors"):
        why_not(ours, "numba")
