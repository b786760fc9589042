"""Which version of the package made something, found out before the rest of it is unpickled.

>>> import pickle
>>> made_here() == pickle.loads(pickle.dumps(made_here()))
True
>>> pickle.loads(pickle.dumps(Origin("0.0.1")))  # doctest: +ELLIPSIS
Traceback (most recent call last):
    ...
penstock.errors.FlowError: this flow was made by penstock 0.0.1, and process ... has penstock ...
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from penstock.errors import FlowError

UNKNOWN = "unknown"


@dataclass(frozen=True)
class Origin:
    """A version that refuses to be unpickled by another one.

    As the first attribute of an object it speaks before the others are unpickled, which another
    version may not know at all.
    """

    version: str

    def __reduce__(self) -> tuple[object, ...]:
        return _arrived, (self.version,)


def made_here() -> Origin:
    """Say which version this one is."""
    return Origin(_version_here())


def _arrived(made_by: str) -> Origin:
    here = _version_here()
    # A package that lies on the path without its metadata does not know.
    if UNKNOWN not in (made_by, here) and made_by != here:
        raise FlowError(
            f"this flow was made by penstock {made_by}, and process {os.getpid()} has penstock "
            f"{here}; install the same version on the driver and on every executor"
        )
    return Origin(made_by)


@cache
def _version_here() -> str:
    try:
        return version("penstock")
    except PackageNotFoundError:
        return UNKNOWN
