"""Compile a row function for a flow, and say in a sentence why that cannot be."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from penstock.compiled.captured import Unknown
from penstock.compiled.function import Compiled
from penstock.compiled.layout import Record, Slot
from penstock.compiled.object_code import ObjectCode
from penstock.compiled.optional import why_not
from penstock.errors import FlowError

ADVICE = (
    "write it with numbers, comparisons and the bytes of strings only, or use a batch function, "
    "as in map(f) of a RecordBatch"
)
LONG = 0.5  # seconds before a person who waits is told

_made: dict[tuple[object, ...], ObjectCode] = {}


def compile_rows(
    work: Compiled,
    role: str,
    given: tuple[Slot, ...],
    record: Record | None,
    made: tuple[Slot, ...] | None,
) -> ObjectCode:
    """Compile a function for rows of these columns; see `kernel.build.build`."""
    try:
        key = (work, work.captured, role, given, record, made)
    except Unknown:  # nobody could tell whether this code is still right the next time
        key = None
    if key is not None and key in _made:
        return _made[key]
    with _told(work.function.__name__):
        code = _compile(work, role, given, record, made)
    if key is not None:
        _made[key] = code
    return code


def _compile(
    work: Compiled,
    role: str,
    given: tuple[Slot, ...],
    record: Record | None,
    made: tuple[Slot, ...] | None,
) -> ObjectCode:
    name = work.function.__name__
    try:
        from penstock.compiled.kernel import build, mistakes  # noqa: PLC0415 - numba is optional
    except (ImportError, AttributeError, OSError) as error:
        why = why_not(error, "numba")
        instead = "a batch function, as in map(f) of a RecordBatch, needs no numba"
        raise FlowError(f"function '{name}' is compiled with numba, {why}; {instead}") from error
    try:
        return build.build(work.function, role, given, record, made)
    except Exception as error:  # numba has many ways to refuse
        reason, ours = mistakes.reason_of(error)
        line = mistakes.line_of(error, work.function)
        file = work.function.__code__.co_filename
        advice = "" if ours else f"; {ADVICE}"
        raise FlowError(
            f"function '{name}' cannot be compiled, {file}:{line}: {reason}{advice}"
        ) from error


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Tell a person at a terminal or in a notebook what takes so long."""
    begun = time.perf_counter()
    told = threading.Event()

    def tell() -> None:
        told.set()
        sys.stderr.write(f"compiling '{name}' ...")
        sys.stderr.flush()

    timer = threading.Timer(LONG, tell)
    if sys.stderr.isatty() or _in_notebook():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if told.is_set():
            sys.stderr.write(f" {time.perf_counter() - begun:.1f} s\n")


def _in_notebook() -> bool:
    """Whether a kernel of IPython runs this; its stderr is no terminal, but shown below the cell."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None
