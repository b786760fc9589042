"""What suites need that Penstock itself can do without: asked for before anything is measured."""

from __future__ import annotations

from importlib import import_module

from penstock.bench.suites import BenchError


def need_numba(suite: str) -> None:
    """Refuse to measure compiled functions where nothing compiles them.

    A flow would say so as well, but of one function, and after Spark has started.
    """
    try:
        import_module("numba")
    except ImportError as error:
        raise BenchError(
            f"the suite '{suite}' measures compiled functions, which need numba: pip install "
            f"'penstock[spark,compiled]', in a checkout make bench SUITE={suite} ({error})"
        ) from error
