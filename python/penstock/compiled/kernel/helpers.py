"""Compiled functions that a compiled function calls."""

from __future__ import annotations

from typing import Any

from numba import njit
from numba.core import types
from numba.core.typing.typeof import typeof_impl

from penstock.compiled.captured import Unknown
from penstock.compiled.function import Compiled
from penstock.compiled.kernel.pipeline import CheckedCompiler

OPTIONS = {"error_model": "python", "boundscheck": True, "pipeline_class": CheckedCompiler}

_callable: dict[tuple[object, ...], Any] = {}


def callable_of(work: Compiled) -> Any:
    """What numba calls for a function."""
    try:
        key: tuple[object, ...] = (work, work.captured)
    except Unknown:
        key = (work, object())  # nobody finds it again, but numba's types do not keep it either
    if key not in _callable:
        _callable[key] = njit(**OPTIONS)(work.function)
    return _callable[key]


@typeof_impl.register(Compiled)
def type_of(work: Compiled, _context: Any) -> Any:
    """The type of a function that is named inside another."""
    return types.Dispatcher(callable_of(work))
