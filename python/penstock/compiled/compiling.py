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
from penstock.errors import FlowError

ADVICE = (
    "write it with numbers, comparisons and the bytes of strings only, or use a batch function, "
    "as in map(f) of a RecordBatch"
)
LONG = 0.5  # seconds before a person at a terminal is told

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
        return _compile(work, role, given, record, made)
    if key not in _made:
        _made[key] = _compile(work, role, given, record, made)
    return _made[key]


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
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in {"numba", "llvmlite"}:
            raise
        raise FlowError(
            f"function '{name}' is compiled with numba, which is not installed: pip install "
            "'penstock[compiled]'; a batch function, as in map(f) of a RecordBatch, needs no numba"
        ) from error
    try:
        with _told(name):
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
    """Tell a person at a terminal what takes so long."""
    begun = time.perf_counter()
    told = threading.Event()

    def tell() -> None:
        told.set()
        sys.stderr.write(f"compiling '{name}' ...")
        sys.stderr.flush()

    timer = threading.Timer(LONG, tell)
    if sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if told.is_set():
            sys.stderr.write(f" {time.perf_counter() - begun:.1f} s\n")
