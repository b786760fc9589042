"""What of the values around a function becomes part of its code, by name and by content.

Code is made anew if any of it changes, so all of it counts: what other compiled functions use, what
is taken out of modules, and what functions inside the function name.
"""

from __future__ import annotations

import dis
import enum
import types
from collections.abc import Callable, Iterator
from typing import Any

PLAIN = (bool, int, float, complex, str, bytes, type(None), type(...), range, slice)
ATTRIBUTES = {"LOAD_ATTR", "LOAD_METHOD"}
GLOBALS = {"LOAD_GLOBAL", "LOAD_NAME"}

# Bytes; all of it becomes part of the code. From a larger array numba takes the address instead.
MOST_CAPTURED = 10**6

Seen = tuple[int, ...]


class Unknown(Exception):
    """A value of which nobody can tell whether it has changed."""


def identity(function: Callable[..., Any]) -> object:
    """What makes other code of a function: equal for equal values, and all of it can be hashed.

    Raises:
        Unknown: It uses a value that cannot be compared.
    """
    return _of_function(function, ())


def reached(function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """Every value that a function uses, also inside of others, and how to tell a person which."""
    return _inside_function(function, "", ())


def names(function: Callable[..., Any]) -> dict[str, Any]:
    """The values around a function that it names, of its nested functions as well."""
    code = function.__code__
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    found = {name: cell.cell_contents for name, cell in cells.items() if _filled(cell)}
    for word in _words(code, GLOBALS):
        if word in function.__globals__:
            found[word] = function.__globals__[word]
    return found


def function_of(value: Any) -> Any:
    """The Python function of one that is compiled by us or by numba; None of anything else."""
    for word in ("py_func", "function"):
        found = getattr(value, word, None) if _wraps(value) else None
        if isinstance(found, types.FunctionType):
            return found
    return None


def is_array(value: Any) -> bool:
    """Whether it is an array or a number of numpy's."""
    return all(hasattr(value, word) for word in ("tobytes", "shape", "dtype", "nbytes"))


def can_be_hashed(value: Any) -> bool:
    """Whether it can be a key; functions of ctypes cannot, though they look as if."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _wraps(value: Any) -> bool:
    home = type(value).__module__
    return home.startswith(("numba.", "penstock."))


def _of_function(function: Callable[..., Any], seen: Seen) -> object:
    if id(function) in seen:
        return "itself"
    inner = (*seen, id(function))
    used = _words(function.__code__, ATTRIBUTES)
    around = sorted(names(function).items())
    return function, tuple((name, _of_value(value, used, inner)) for name, value in around)


def _of_value(value: Any, used: frozenset[str], seen: Seen) -> object:
    if isinstance(value, PLAIN):
        return type(value), repr(value)
    if isinstance(value, tuple):
        return type(value), tuple(_of_value(one, used, seen) for one in value)
    if is_array(value) and value.nbytes <= MOST_CAPTURED:
        return type(value), value.shape, str(value.dtype), value.tobytes()
    if function_of(value) is not None:
        return _of_function(function_of(value), seen)
    if isinstance(value, types.ModuleType):
        parts = _parts(value, used, seen)
        inner = (*seen, id(value))
        return value, tuple((word, _of_value(part, used, inner)) for word, part in parts)
    if isinstance(value, enum.Enum) or (callable(value) and can_be_hashed(value)):
        return value
    raise Unknown(type(value).__name__)


def _inside_function(function: Any, where: str, seen: Seen) -> Iterator[tuple[str, Any]]:
    if id(function) in seen:
        return
    used = _words(function.__code__, ATTRIBUTES)
    for name, value in names(function).items():
        for path, part, inner in _inside(name, value, used, seen):
            yield f"'{path}'{where}", part
            if inner is not None:
                within = f" in function '{inner.__name__}'"
                yield from _inside_function(inner, within, (*seen, id(function)))


def _inside(
    path: str, value: Any, used: frozenset[str], seen: Seen
) -> Iterator[tuple[str, Any, Any]]:
    yield path, value, function_of(value)
    if isinstance(value, types.ModuleType):
        for word, part in _parts(value, used, seen):
            yield from _inside(f"{path}.{word}", part, used, (*seen, id(value)))
    elif isinstance(value, tuple):
        for place, part in enumerate(value):
            yield from _inside(f"{path}[{place}]", part, used, seen)


def _parts(module: Any, used: frozenset[str], seen: Seen) -> list[tuple[str, Any]]:
    if id(module) in seen:
        return []
    return [(word, vars(module)[word]) for word in sorted(used) if word in vars(module)]


def _words(code: types.CodeType, kinds: set[str]) -> frozenset[str]:
    found = {one.argval for one in dis.get_instructions(code) if one.opname in kinds}
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found |= _words(inner, kinds)
    return frozenset(found)


def _filled(cell: Any) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:  # what it stands for comes later
        return False
    return True
