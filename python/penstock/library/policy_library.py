"""Scheduling policies that a user has compiled to a library against `penstock_policy.h`.

The library exports a constant of type `penstock_policy`. It is loaded where the flow is written, to
check that it is there, and again wherever the flow runs.
"""

from __future__ import annotations

import ctypes
import warnings
from dataclasses import dataclass
from pathlib import Path

from penstock.errors import FlowError
from penstock.library.shared_library import find, parts_of, symbol_of

ABI = 1  # of penstock_policy.h


class _Policy(ctypes.Structure):
    """A penstock_policy of the header."""

    _fields_ = (
        ("abi", ctypes.c_int64),
        ("create", ctypes.c_void_p),
        ("destroy", ctypes.c_void_p),
        ("pick", ctypes.c_void_p),
    )


@dataclass(frozen=True)
class PolicyLibrary:
    """A policy of a library.

    Attributes:
        library: Where it is, as it was written.
        path: Where it was found when the flow was written.
        symbol: Name of the policy in it.
    """

    library: str
    path: str
    symbol: str

    @classmethod
    def of(cls, where: str) -> PolicyLibrary:
        """Load the library of `libmine.so:shortest` to see that it can be used."""
        library, symbol = parts_of(where)
        path = find(library, None)
        _opened(path, symbol)
        return cls(library, str(path), symbol)

    def load(self) -> tuple[int, object]:
        """Load the library here: the address of the policy, and what keeps it there."""
        return _opened(find(self.library, self.path), self.symbol)

    def __str__(self) -> str:
        return f"{self.library}:{self.symbol}"


def tell_overruled(flow: str, policy: object, times: int) -> None:
    """Warn of a policy that picked nobody who could work."""
    if times:
        warnings.warn(
            f"flow '{flow}': policy '{policy}' picked nobody, or an operator that could not run, "
            f"{times} times while others could; the last of them was run",
            stacklevel=4,
        )


def _opened(path: Path, symbol: str) -> tuple[int, object]:
    library = symbol_of(path, symbol, "penstock_policy", ABI, f"PENSTOCK_EXPORT_POLICY({symbol})")
    found = _Policy.in_dll(library, symbol)
    if not found.pick:
        raise FlowError(f"'{path}:{symbol}' has no function; set .pick")
    return ctypes.addressof(found), library
