"""One finding of `penstock doctor`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

OK, WARN, FAIL = "ok", "warn", "FAIL"


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, the verdict (`ok`, `warn` or `FAIL`), and how to mend it."""

    name: str
    status: str
    detail: str
    fix: str = ""

    def __str__(self) -> str:
        line = f"{self.status:<5} {self.name:<14} {self.detail}"
        return f"{line}\n{'':<21}fix: {self.fix}" if self.fix else line


def installed(package: str) -> str | None:
    """The installed version of a package, without importing it."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def numbers(text: str) -> tuple[int, ...]:
    """A version as numbers that can be compared.

    >>> numbers("4.3.0.dev1+cluster.7")
    (4, 3, 0)
    """
    return tuple(int(part) for part in re.findall(r"\d+", text.partition("+")[0])[:3])
