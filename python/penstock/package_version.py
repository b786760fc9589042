"""Which version of the package this is, installed or unpacked from an archive.

>>> from importlib.metadata import version
>>> package_version() == version("penstock")
True
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, distributions
from importlib.resources import files


@cache
def package_version() -> str:
    """The version; `unknown` where nothing tells, as in a source tree that is not installed."""
    # An archive has it inside the package (see archive.py), and hides a package that is installed.
    for found in distributions(name="penstock", path=[str(files("penstock"))]):
        return str(found.version)
    try:
        return distribution("penstock").version
    except PackageNotFoundError:
        return "unknown"
