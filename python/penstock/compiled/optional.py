"""Why numba or llvmlite, which not everybody installs, cannot be used, and what to do about it."""

from __future__ import annotations

import platform
from importlib import metadata

OURS = "pip install 'penstock[compiled]'"


def why_not(error: Exception, package: str) -> str:
    """Say what is wrong with a package that could not be imported, as in 'which is ...'.

    Args:
        error: What came of importing it, or what of ours is built on it.
        package: `numba` or `llvmlite`.

    Raises:
        Exception: The error, if it is about something of our own.
    """
    name = error.name if isinstance(error, ImportError) else None
    if name is not None and name.partition(".")[0] == "penstock":
        raise error
    if isinstance(error, ModuleNotFoundError) and name == package:
        return f"which is not installed here; install it with: {OURS}"
    if isinstance(error, ModuleNotFoundError) and name is not None and "." not in name:
        return f"which needs {name}, and that is not installed here; install it with: {OURS}"
    versions = (f"{one} {_version(one)}" for one in ("penstock", "numba", "llvmlite", "numpy"))
    return (
        "which is installed here, but these versions do not work together: "
        f"{', '.join(versions)}, Python {platform.python_version()}; {type(error).__name__}: "
        f"{error}; install others with: pip install --upgrade 'penstock[compiled]'"
    )


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "(not installed)"
