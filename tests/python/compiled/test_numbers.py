"""Arithmetic and `math` of compiled functions: what Python makes, or the error that Python raises."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from penstock import OperatorError, compiled, flow

ROWS = flow("f", "n long not null, m long not null, x double not null, y double not null")
LEAST, MOST = -(2**63), 2**63 - 1
WHOLE = [0, 1, -1, 2, 7, -8, 63, 64, 2**31, 2**62, MOST, LEAST, LEAST + 1]
REAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.5, 400.0, 1e4, -1e4, 2.0**63, -(2.0**63), 1e300]
REAL += [1e-310, math.inf, -math.inf, math.nan]
ERRORS = (ArithmeticError, ValueError)
MATH = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cos",
    "cosh",
    "degrees",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "gamma",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "radians",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
]

OF_WHOLE: list[Callable[..., Any]] = [
    lambda row: row.n + row.m,
    lambda row: row.n * row.m,
    lambda row: row.n // row.m,
    lambda row: row.n % row.m,
    lambda row: row.n**63,
    lambda row: pow(row.n, 3),
    lambda row: pow(3, row.m % 64),
    lambda row: divmod(row.n, row.m)[0],
    lambda row: divmod(row.n, row.m or 1)[0] + divmod(row.n, row.m or 1)[1],
    lambda row: sum([row.n, row.m]),
    lambda row: sum((row.m,), start=row.n),
    lambda row: (row.n > 0) + row.n,
    lambda row: operator.add(row.n, row.m),
    lambda row: row.n << (row.m & 255),
    lambda row: row.n >> row.m,
    lambda row: round(row.n),
    lambda row: math.gcd(row.n, row.m),
]
TO_WHOLE: list[Callable[..., Any]] = [
    lambda row: int(row.x),
    lambda row: round(row.x),
    lambda row: math.floor(row.x),
    lambda row: math.ceil(row.x),
    lambda row: math.trunc(row.x),
]
OF_REAL: list[Callable[..., Any]] = [
    lambda row: abs(row.x) ** row.y,
    lambda row: abs(row.x) ** (row.n & 7),
    lambda row: row.x**2,
    lambda row: row.n**row.y if row.n >= 0 else 0.0,
    lambda row: pow(abs(row.x), -1.5),
    lambda row: math.pow(row.x, row.y),
    lambda row: math.pow(row.n, 3),
    lambda row: math.ldexp(row.x, row.n),
    lambda row: math.atan2(row.x, row.y),
    lambda row: sum([row.x, row.y, 1]),
]


def outcomes(
    function: Callable[..., Any], out: str, rows: list[dict[str, Any]]
) -> list[tuple[dict[str, Any], Any, Any]]:
    """For each row what is made of it, natively and by the plain function: a value or an error."""
    made = ROWS.map(compiled(function), out=f"z {out}")
    found = []
    for row in rows:
        table = pa.Table.from_pylist([row], schema=ROWS.schema)
        native: Any
        plain: Any
        try:
            native = repr(made.run(table).table["z"][0].as_py())
        except OperatorError as error:
            native = error.reason.removeprefix("RuntimeError: ").partition(":")[0]
        try:
            batch = made.operators[0].process(table.to_batches()[0])
            assert batch is not None
            plain = repr(batch["z"][0].as_py())
        except ERRORS as error:
            plain = type(error).__name__
        found.append((row, native, plain))
    return found


def given(n: int = 1, m: int = 1, x: float = 1.0, y: float = 1.0) -> dict[str, Any]:
    return {"n": n, "m": m, "x": x, "y": y}


@pytest.mark.parametrize("place", range(len(OF_WHOLE)))
def test_whole_numbers_are_those_of_python_or_too_large(place: int) -> None:
    pairs = [given(n, m) for n in WHOLE for m in WHOLE[::2]]
    for row, native, plain in outcomes(OF_WHOLE[place], "long", pairs):
        assert native == plain, row


@pytest.mark.parametrize("place", range(len(TO_WHOLE)))
def test_doubles_become_the_whole_numbers_of_python(place: int) -> None:
    for row, native, plain in outcomes(TO_WHOLE[place], "long", [given(x=x) for x in REAL]):
        assert native == plain, row


@pytest.mark.parametrize("place", range(len(OF_REAL)))
def test_doubles_are_those_of_python_or_the_error_that_it_raises(place: int) -> None:
    pairs = [given(x=x, y=y, n=n) for x in REAL for n, y in zip(WHOLE, REAL[::-1], strict=False)]
    for row, native, plain in outcomes(OF_REAL[place], "double", pairs):
        assert native == plain, row


@pytest.mark.parametrize("name", [name for name in MATH if hasattr(math, name)])
def test_functions_of_math_fail_where_those_of_python_do(name: str) -> None:
    function = getattr(math, name)
    pairs = [given(x=x) for x in REAL]
    for row, native, plain in outcomes(lambda row: function(row.x), "double", pairs):
        # Some are numba's own, and may differ in the last places.
        same = native == plain or float(native) == pytest.approx(float(plain), rel=1e-13)
        assert same, row


def test_the_operator_and_the_row_of_such_an_error_are_named() -> None:
    rows = ROWS.map(compiled(lambda row: math.log(row.x)), out="z double", name="logs")
    table = pa.Table.from_pylist([given(x=x) for x in (1.0, 2.0, 0.0)], schema=ROWS.schema)
    with pytest.raises(OperatorError, match=r"math.log is not defined for this value") as caught:
        rows.run(table)
    assert (caught.value.operator, caught.value.row) == ("logs", 2)


def test_such_an_error_may_be_caught() -> None:
    def careful(row: Any) -> float:
        try:
            return math.sqrt(row.x)
        except Exception:  # noqa: BLE001 - numba knows no other
            return -1.0

    table = pa.Table.from_pylist([given(x=x) for x in (4.0, -4.0)], schema=ROWS.schema)
    made = ROWS.map(compiled(careful), out="z double").run(table).table["z"]
    assert made.to_pylist() == [2.0, -1.0]
