"""Libraries that were compiled against Penstock's headers: where they are, what they say."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from penstock.errors import FlowError

ABI = 1  # of penstock_operator.h
MOST_ABI = 1000  # what is larger was never a version


def include_dir() -> str:
    """The folder of `penstock_operator.h`: `c++ -shared -fPIC -I$(that folder) ...`.

    >>> (Path(include_dir()) / "penstock_operator.h").exists()
    True
    """
    return str(Path(__file__).parents[1] / "include")


@dataclass(frozen=True)
class Described:
    """What a library says of one of its operators.

    Attributes:
        state_bytes: Of the record of a key; 0 if nothing is remembered.
        reads: The columns it reads, as DDL.
        makes: The columns it makes; None if it passes rows on.
    """

    state_bytes: int
    reads: str
    makes: str | None


def parts_of(where: str) -> tuple[str, str]:
    """The file and the symbol of `libscores.so:score`."""
    if not isinstance(where, str):
        raise FlowError(f"a library is given as text, as in 'libscores.so:score', got {where!r}")
    library, _, symbol = where.rpartition(":")
    if not library or not symbol or "/" in symbol:
        raise FlowError(
            f"'{where}' names no operator in the library; write it as in 'libscores.so:score'"
        )
    return library, symbol


def find(library: str, elsewhere: str | None) -> Path:
    """The file as it was written, where it was before, or among the files that Spark shipped."""
    name = Path(library).name
    tried = [Path(library), *([Path(elsewhere)] if elsewhere else []), *_shipped(name)]
    for path in tried:
        if path.is_file():
            return path.resolve()
    raise FlowError(
        f"there is no library '{library}'; looked at {', '.join(map(str, tried))}: put it at the "
        f"same path everywhere, or ship it with spark-submit --files {name}"
    )


def _shipped(name: str) -> Iterator[Path]:
    yield Path.cwd() / name
    # Inside Spark it was imported already, and the driver need not have it.
    files: Any = getattr(sys.modules.get("pyspark"), "SparkFiles", None)
    if getattr(files, "_is_running_on_worker", False):
        yield Path(files.getRootDirectory()) / name


class _Operator(ctypes.Structure):
    """A penstock_operator of the header."""

    _fields_ = (
        ("abi", ctypes.c_int64),
        ("state_bytes", ctypes.c_int64),
        ("input", ctypes.c_char_p),
        ("output", ctypes.c_char_p),
        ("process", ctypes.c_void_p),
    )


def symbol_of(path: Path | str, symbol: str, kind: str, version: int, macro: str) -> ctypes.CDLL:
    """Load a library that exports a constant of this kind, built against this version of it."""
    what = f"'{path}:{symbol}'"
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise FlowError(f"'{path}' cannot be loaded: {error}") from error
    try:
        abi = ctypes.c_int64.in_dll(library, symbol).value
    except ValueError:
        raise FlowError(f"'{path}' has no symbol '{symbol}'; define it with {macro}") from None
    if not 1 <= abi <= MOST_ABI:
        raise FlowError(f"{what} is not a {kind}; name a constant of that type")
    if abi != version:
        raise FlowError(
            f"{what} was built against version {abi} of {kind}.h, this is version "
            f"{version}; compile it again with -I$(python -c 'import penstock; "
            "print(penstock.include_dir())')"
        )
    return library


def opened(path: Path, symbol: str) -> tuple[Described, int, ctypes.CDLL]:
    """Load a library: what it says of an operator, the address of its function, and itself."""
    what = f"'{path}:{symbol}'"
    library = symbol_of(path, symbol, "penstock_operator", ABI, f"PENSTOCK_EXPORT({symbol})")
    found = _Operator.in_dll(library, symbol)
    if not found.process:
        raise FlowError(f"{what} has no function; set .process")
    if found.input is None:
        raise FlowError(f"{what} does not say which columns it reads; set .input, as 'id bigint'")
    if found.state_bytes < 0:
        raise FlowError(f"{what} says that it remembers {found.state_bytes} bytes of each key")
    makes = None if found.output is None else found.output.decode(errors="replace")
    reads = found.input.decode(errors="replace")
    return Described(found.state_bytes, reads, makes), found.process, library
