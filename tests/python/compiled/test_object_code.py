"""Object code: shipped in the spec, loaded without numba, once for each process."""

from __future__ import annotations

import logging
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import pyarrow as pa
import pytest
from numba.core import callconv, compiler, types
from tests.python.compiled import functions

from penstock import FlowError, flow
from penstock.compiled import object_code
from penstock.compiled.object_code import ENTRY, load
from penstock.compiled.operator import CompiledRows
from penstock.spec import FlowSpec

SENSORS = (
    flow("f", "id long, value double")
    .key_by("id")
    .process(functions.unusual, state="n long, last double")
)
# What a worker does with a spec: numba cannot be imported, the result is printed.
WORKER = """
import pickle, sys
sys.modules["numba"] = None
spec = pickle.load(open(sys.argv[1], "rb"))
import pyarrow as pa
from penstock.worker import run
batch = pa.RecordBatch.from_pydict({"id": [1, 2, 1], "value": [1.0, 5.0, 50.0]})
print([row for made in run(spec, iter([batch])) for row in made.to_pylist()])
"""


def operator() -> CompiledRows:
    found = SENSORS.operators[0]
    assert isinstance(found, CompiledRows)
    return found


def test_a_worker_without_numba_runs_what_the_driver_compiled(tmp_path: Path) -> None:
    shipped = tmp_path / "spec"
    shipped.write_bytes(pickle.dumps(FlowSpec.of(SENSORS)))
    done = subprocess.run(
        [sys.executable, "-c", WORKER, shipped],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert done.stdout.strip() == "[{'id': 1, 'value': 50.0}]"


def test_a_function_of_the_script_itself_travels_with_its_object() -> None:
    def local(state: Any, row: Any, out: Any) -> None:
        state.n += row.id
        out.keep()

    made = flow("f", "id long").key_by("id").process(local, state="n long")
    work = made.operators[0].work  # type: ignore[attr-defined]
    assert work.__reduce__() == (type(work), (local,))
    by_name = operator().work
    assert pickle.loads(pickle.dumps(by_name)) is functions.unusual


def test_code_is_loaded_once() -> None:
    first = load(operator().code)
    again = load(pickle.loads(pickle.dumps(operator().code)))
    assert again is first


def test_the_same_function_is_compiled_once() -> None:
    again = flow("g", "id long, value double").key_by("id")
    made = again.process(functions.unusual, state="n long, last double").operators[0]
    assert isinstance(made, CompiledRows)
    assert made.code is operator().code


def test_code_of_another_family_is_compiled_again(caplog: pytest.LogCaptureFixture) -> None:
    foreign = replace(operator(), code=replace(operator().code, machine="s390x"))
    with caplog.at_level(logging.WARNING):
        assert foreign.load() == operator().load()
    assert "was compiled for s390x; compiling it again" in caplog.text


def test_code_is_made_for_any_processor_of_the_family() -> None:
    wanted = {"x86_64": "x86-64-v2", "aarch64": "generic"}
    assert object_code.baseline() == wanted.get(operator().code.machine, "")


def test_code_that_needs_nobody_names_nothing_it_needs() -> None:
    assert operator().code.needs == ()


def test_code_that_makes_strings_brings_numba_in_and_still_runs() -> None:
    def told(row: Any, out: Any) -> None:
        out.emit(str(row.n))

    made = flow("f", "n long").process(told, out="s string")
    assert made.run(pa.table({"n": [12, -3]})).to_pylist() == [{"s": "12"}, {"s": "-3"}]
    code = made.operators[0].code  # type: ignore[attr-defined]
    assert any(name.startswith("NRT_") for name in code.needs)


def test_an_unknown_function_is_named() -> None:
    code = replace(operator().code, needs=("no_such_function",), digest="other")
    with pytest.raises(FlowError, match="calls no_such_function, which is not in this process"):
        load(code)


def test_what_is_used_of_numba_beyond_its_documented_interface_is_there() -> None:
    flags = compiler.Flags()
    for name in ("nrt", "error_model", "boundscheck", "no_cpython_wrapper", "no_cfunc_wrapper"):
        assert hasattr(flags, name)
    # Kernels read an exception's pickle and its size from the first two fields.
    assert [str(kind) for kind in callconv.excinfo_t.elements[:2]] == ["i8*", "i32"]
    assert types.Optional(types.int64).type == types.int64
    assert hasattr(llvm, "create_lljit_compiler")
    assert hasattr(llvm.JITLibraryBuilder, "add_object_img")
    assert ENTRY == "penstock_process"
