"""A row function as the user wrote it, checked before anything compiles it.

>>> @compiled
... def large(row):
...     return row.n > 9
>>> large.__name__
'large'
>>> from penstock.compiled.plain import Row
>>> large(Row({"n": 10}))
True
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any

from penstock.compiled import captured
from penstock.compiled.captured import MOST_CAPTURED
from penstock.errors import FlowError

PARAMETERS = {
    "process": ("row", "out"),
    "keyed": ("state", "row", "out"),
    "map": ("row",),
    "filter": ("row",),
}


class Compiled:
    """A function that is compiled when a flow uses it; to call it runs the plain Python."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the plain function, as unit tests do."""
        return self.function(*args, **kwargs)

    @property
    def where(self) -> str:
        """Its file and line."""
        code = self.function.__code__
        return f"{code.co_filename}:{code.co_firstlineno}"

    @property
    def captured(self) -> object:
        """What of the values around it becomes part of its code; other values make other code."""
        return captured.identity(self.function)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Compiled) and self.function == other.function

    def __hash__(self) -> int:
        return hash(self.function)

    def __repr__(self) -> str:
        return f"<compiled {self.__qualname__}>"  # type: ignore[attr-defined]

    def __reduce__(self) -> tuple[Any, ...]:
        """By name where a worker can import it; its function's own name leads to this object."""
        module = sys.modules.get(self.function.__module__)
        name = self.function.__qualname__
        if module is not None and module.__name__ != "__main__" and _found(module, name) is self:
            return _by_name, (module.__name__, name)
        return Compiled, (self.function,)


def compiled(function: Callable[..., Any]) -> Compiled:
    """Let flows compile this function, so that it runs natively and without the GIL.

    It is given a row, whose columns are attributes, and works on them with plain Python:
    whole numbers (dates are days, timestamps microseconds, decimals scaled), doubles, booleans,
    and the bytes of strings, which know `==`, `<`, `len`, `in`, `startswith`, `endswith`, `find`,
    `hash`, slices and `[i]`. A null is None; to calculate with it is an error of the row.

    >>> import penstock
    >>> import pyarrow as pa
    >>> @penstock.compiled
    ... def unusual(state, row, out):
    ...     if state.n > 0 and abs(row.value - state.last) > 10.0:
    ...         out.keep()
    ...     state.last = row.value
    ...     state.n += 1
    >>> sensors = penstock.flow("sensors", "id long, value double").key_by("id").process(
    ...     unusual, state="n long, last double"
    ... )
    >>> sensors.run(pa.table({"id": [1, 2, 1], "value": [1.0, 99.0, 50.0]})).to_pylist()
    [{'id': 1, 'value': 50.0}]
    """
    return as_compiled(function)


def as_compiled(function: Any) -> Compiled:
    """Take a function, whether it is decorated or not."""
    if isinstance(function, Compiled):
        return function
    # One that numba has compiled already brings its Python along.
    function = getattr(function, "py_func", function)
    if not inspect.isfunction(function):
        raise FlowError(
            f"a Python function is needed to compile, got {type(function).__name__} {function!r}"
        )
    return Compiled(function)


def check_function(work: Compiled, role: str) -> None:
    """Refuse what cannot be compiled, whatever its types will be."""
    function, wanted = work.function, PARAMETERS[role]
    name = f"function '{function.__name__}' ({work.where})"
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise FlowError(
            f"{name} is a generator; give rows to out.emit(...) instead, or use apply, which takes "
            "generators"
        )
    if inspect.iscoroutinefunction(function):
        raise FlowError(f"{name} is async, but rows do not wait; write a plain function")
    parameters = inspect.signature(function).parameters.values()
    plain = all(one.kind is one.POSITIONAL_OR_KEYWORD for one in parameters)
    if not plain or len(parameters) != len(wanted):
        raise FlowError(
            f"{name} takes {inspect.signature(function)}, but has to take "
            f"({', '.join(wanted)}), whatever the names"
        )
    _check_captured(function, name)


def _check_captured(function: Callable[..., Any], name: str) -> None:
    for word, value in captured.names(function).items():
        size = _size(value)
        if size > MOST_CAPTURED:
            raise FlowError(
                f"{name} uses '{word}', a {type(value).__name__} of {size:,} bytes, which would "
                f"become part of its code; at most {MOST_CAPTURED:,} can: join it as columns, or "
                "use a batch function"
            )


def _size(value: Any) -> int:
    size = getattr(value, "nbytes", None)
    if isinstance(size, int):
        return size
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        return 8 * len(value)
    return len(value) if isinstance(value, (str, bytes)) else 0


def _found(module: Any, qualname: str) -> Any:
    for word in qualname.split("."):
        module = getattr(module, word, None)
    return module


def _by_name(module: str, qualname: str) -> Any:
    __import__(module)
    return _found(sys.modules[module], qualname)
