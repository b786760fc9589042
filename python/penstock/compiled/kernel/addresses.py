"""Values around a function: those of this process's memory are refused, as workers have another.

numba writes a small array into the code, but of a large one, of one with gaps between its values,
and of a function in C it takes the address. Code with such an address crashes wherever it is sent.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

from penstock.compiled.captured import MOST_CAPTURED, reached
from penstock.compiled.function import Compiled
from penstock.compiled.kernel.mistakes import mistake

FUNCTION_IN_C: Any = ctypes.CFUNCTYPE(None).__base__
ADDRESS = re.compile(r"numba\.dynamic\.globals\.([0-9a-f]+)")


def check_addresses(llvm: str, function: Callable[..., Any]) -> None:
    """Refuse code that has addresses of this process in it.

    Args:
        llvm: The code, optimised: an address that nothing uses is gone.
        function: What it was made of.
    """
    found = {int(one, 16) for one in ADDRESS.findall(llvm)}
    if not found:
        return
    told = {name: value for name, value in reached(function) if found & set(_addresses(value))}
    if not told:
        raise mistake(
            "it uses something that is only in the memory of this process and could not be sent to "
            "workers; give it plain values and small arrays only, or use a batch function"
        )
    name, value = next(iter(told.items()))
    kind = type(value).__name__
    raise mistake(
        f"it uses {name}, a {kind} that stays in the memory of this process and cannot be sent to "
        "workers; "
        + (
            f"make it an array of at most {MOST_CAPTURED:,} bytes without gaps between them, as "
            "np.ascontiguousarray(...) does, join it as columns, or use a batch function"
            if isinstance(value, np.ndarray)
            else "use a compiled function in its place, or a batch function"
        )
    )


def settled(value: Any) -> Any:
    """What stands for a value around a function: the same as plain bytes where that can be."""
    if type(value) is tuple:
        return tuple(map(settled, value))
    if isinstance(value, Dispatcher):
        # numba would go on with what it compiled when that was called first, without our checks.
        return Compiled(value.py_func)
    if isinstance(value, np.ndarray) and value.ndim and value.nbytes <= MOST_CAPTURED:
        # An array that has its values one after the other in either order is one already.
        packed = value.flags.c_contiguous or value.flags.f_contiguous
        return value if packed else np.ascontiguousarray(value)
    return value


def _addresses(value: Any) -> list[int]:
    found = [id(value)]
    if isinstance(value, np.ndarray):
        found.append(value.ctypes.data)
    if isinstance(value, FUNCTION_IN_C):
        found.append(ctypes.cast(value, ctypes.c_void_p).value or 0)
    return found
