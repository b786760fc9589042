"""Values around a function: their part of the code, and code that is made anew if they change."""

from __future__ import annotations

import ctypes
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pyarrow as pa
import pytest
from tests.python.compiled import around

from penstock import FlowError, compiled, flow
from penstock.compiled.captured import Unknown, identity, reached
from penstock.spec import FlowSpec

ROWS = flow("f", "n long not null")
TABLE = pa.table({"n": [0, 1, 2]}, schema=ROWS.schema)
COSINE = ctypes.CDLL("libm.so.6").cos
COSINE.restype, COSINE.argtypes = ctypes.c_double, [ctypes.c_double]
# What a worker does with a spec: numba cannot be imported, the result is printed.
WORKER = """
import pickle, sys
sys.modules["numba"] = None
spec = pickle.load(open(sys.argv[1], "rb"))
import pyarrow as pa
from penstock.worker import run
batch = pa.RecordBatch.from_pydict({"n": [0, 1, 2]}, schema=spec.input_schema)
print([row["z"] for made in run(spec, iter([batch])) for row in made.to_pylist()])
"""


@numba.njit  # type: ignore[untyped-decorator,unused-ignore]
def of_numba(value: int) -> int:
    return value + around.LIMIT


def made(function: Callable[..., Any]) -> list[Any]:
    rows = ROWS.map(compiled(function), out="z double")
    return list(rows.run(TABLE).table["z"].to_pylist())


def test_arrays_travel_with_the_code_to_another_process(tmp_path: Path) -> None:
    shipped = tmp_path / "spec"
    looked_up = ROWS.map(around.looks_up, out="z double")
    shipped.write_bytes(pickle.dumps(FlowSpec.of(looked_up)))
    done = subprocess.run(
        [sys.executable, "-c", WORKER, shipped],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    wanted = [
        around.looks_up.function(type("Row", (), {"n": place}))  # the plain function
        for place in range(3)
    ]
    assert done.stdout.strip() == str([float(value) for value in wanted])


def test_an_array_of_a_module_is_part_of_the_code_too() -> None:
    def from_module(row: Any) -> Any:
        return around.SMALL[row.n] + around.GAPS[row.n] + around.SEVERAL[0][row.n]

    assert made(from_module) == [0.0, 8.0, 16.0]


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (lambda row: around.LARGE[row.n], "uses 'around.LARGE', a ndarray that stays"),
        (lambda row: around.LARGE_GAPS[row.n], "uses 'around.LARGE_GAPS', a ndarray that"),
        (lambda row: around.OF_LARGE[1][row.n], r"uses 'around.OF_LARGE\[1\]', a ndarray"),
        (lambda row: around.of_large(row.n), "uses 'LARGE' in function 'of_large', a ndarray"),
        (lambda row: COSINE(float(row.n)), "uses 'COSINE', a _FuncPtr that stays"),
    ],
)
def test_what_only_this_process_has_is_refused_with_its_name_and_advice(
    function: Callable[..., Any], what: str
) -> None:
    advice = "cannot be sent to workers; .*or a batch function|or use a batch function"
    with pytest.raises(FlowError, match=f"operator 'map_1': .*test_captured.*{what}.*({advice})"):
        made(function)


def test_a_large_array_is_refused_with_its_size() -> None:
    large = around.LARGE
    with pytest.raises(FlowError, match=r"'large', a ndarray of 1,000,008 bytes, .*most 1,000,000"):
        made(lambda row: large[row.n])


def test_an_array_around_a_function_is_not_written_to() -> None:
    def writes(row: Any) -> Any:
        around.SMALL[row.n] = 1.0
        return 1.0

    with pytest.raises(FlowError, match=r"numba has no setitem\(readonly array"):
        made(writes)


def nested(row: Any) -> Any:
    return float(sum([around.LIMIT for _ in range(row.n + 1)]))


@pytest.mark.parametrize(
    "function",
    [
        lambda row: float(row.n + around.LIMIT),
        lambda row: float(around.below(row.n)),
        lambda row: float(around.far_below(row.n)),
        lambda row: float(of_numba(row.n)),
        nested,
    ],
)
def test_code_is_made_anew_when_a_value_around_it_changes(
    function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = made(function)
    monkeypatch.setattr(around, "LIMIT", 1)
    after = made(function)
    steps = [1, 2, 3] if function is nested else [1, 1, 1]
    assert [a - b for a, b in zip(before, after, strict=True)] == [2 * step for step in steps]


def test_values_are_told_apart_by_what_they_are() -> None:
    values: list[Any] = [
        *(0, False, 0.0, -0.0, "0", b"0", None, (0,), (0.0,), ((0, 1), 2), (0, (1, 2))),
        *(np.zeros(2), np.zeros(3), np.zeros(2, np.int64), np.zeros(2)[:, None], np.float32(0)),
        *(ModuleType("m"), abs, int, float, around.below, around.far_below),
    ]
    value: Any = None

    def uses() -> Any:
        return value

    seen = set()
    for value in values:  # noqa: B007 - it is what the function uses
        seen.add(identity(uses))
    assert len(seen) == len(values)


def test_equal_values_make_the_same_code() -> None:
    def twice() -> tuple[Any, Any]:
        value: Any = (np.arange(3), "a", 1.5, float("nan"))

        def uses() -> Any:
            return value

        first = identity(uses)
        value = (np.arange(3), "a", 1.5, float("nan"))
        return first, identity(uses)

    first, second = twice()
    assert first == second


def test_what_cannot_be_compared_is_said_to_be_unknown() -> None:
    things = [1, 2]
    with pytest.raises(Unknown, match="list"):
        identity(lambda row: row.n in things)


def test_a_large_array_of_a_module_is_not_compared_and_not_refused_for_its_name_alone() -> None:
    def lengths(_row: Any) -> Any:
        return float(around.LIMIT + len(around.LARGE))

    with pytest.raises(Unknown, match="ndarray"):
        identity(lengths)
    # The code needs no address of it.
    assert made(lengths) == [125_004.0] * 3


def test_a_function_that_calls_itself_is_compiled() -> None:
    assert made(lambda row: float(factorial(row.n + 2))) == [2.0, 6.0, 24.0]
    assert [name for name, _ in reached(factorial.function)] == ["'factorial'"]


@compiled
def factorial(n: int) -> int:
    return 1 if n < 2 else n * factorial(n - 1)
