"""Suite `policies`: who is next, and what that is worth.

The policies of Prasaad et al. and of C-Stream in virtual time and on this machine's cores, its
adaptation in virtual time, and flows and driver loops against plain loops. Every point is published, also where a paper's result is missed.
"""

from __future__ import annotations

from collections.abc import Callable

from penstock.bench.adaptation import adaptation
from penstock.bench.cstream import cstream
from penstock.bench.cstream_real import cstream_real
from penstock.bench.heuristics import heuristics
from penstock.bench.loops import loops
from penstock.bench.native_loops import native_loops
from penstock.bench.plain_loop import plain_loop
from penstock.bench.programs import POLICIES, Program, own_program
from penstock.bench.report import Findings
from penstock.bench.section import Section, Stage, together
from penstock.bench.suites import Size, Tell

SECTIONS: tuple[Callable[[Stage], Section], ...] = (
    heuristics,
    cstream,
    cstream_real,
    adaptation,
    plain_loop,
    native_loops,
    loops,
)


def measure(size: Size, tell: Tell) -> Findings:
    """Measure everything there is."""
    with Program(own_program(POLICIES)) as program:
        stage = Stage(size, tell, (program,))
        return together([section(stage) for section in SECTIONS])
