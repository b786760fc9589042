"""Suite `operators`: what operators cost that people write, and those that come with Penstock.

Python functions that are compiled against the ways one would write them otherwise, expressions
against Arrow's own evaluator, and flows in which one operator holds the GIL.
"""

from __future__ import annotations

from collections.abc import Callable

from penstock.bench.expressions import expressions
from penstock.bench.first_flow import first_flow
from penstock.bench.gil import gil
from penstock.bench.needs import need_numba
from penstock.bench.report import Findings
from penstock.bench.section import Section, Stage, together
from penstock.bench.suites import BenchError, Size, Tell

SECTIONS: tuple[Callable[[Stage], Section], ...] = (expressions, gil, first_flow)


def measure(size: Size, tell: Tell) -> Findings:
    """Measure everything there is."""
    need_numba("operators")
    try:
        from penstock.bench.threshold import threshold  # noqa: PLC0415 - its absence is explained

        stage = Stage(size, tell, ())
        return together([section(stage) for section in (threshold, *SECTIONS)])
    except ImportError as error:
        raise BenchError(
            f"the suite 'operators' needs pandas: pip install 'penstock[spark,compiled]' ({error})"
        ) from error
