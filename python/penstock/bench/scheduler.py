"""Suite `scheduler`: who carries tuples how fast, and what it costs.

Penstock's threading models, a hand-written chain of calls, the scheduler of Schneider & Wu as
printed and, where it was built, oneTBB, all on the same operators. Two native programs run them;
this suite lets them take turns, compares medians and says which goals are reached. Every point
is published, also where Penstock loses.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from penstock.bench.core_distance import CoreDistance
from penstock.bench.latency import latency
from penstock.bench.lifecycle import lifecycle
from penstock.bench.programs import HOW_TO_GET_PEERS, Program, own_program, peers_program
from penstock.bench.report import Findings
from penstock.bench.section import Section, Stage, together
from penstock.bench.simulated import simulated
from penstock.bench.suites import Size, Tell
from penstock.bench.throughput import throughput

SECTIONS: tuple[Callable[[Stage], Section], ...] = (throughput, latency, lifecycle, simulated)


def measure(size: Size, tell: Tell) -> Findings:
    """Measure everything that is there."""
    peers = peers_program(size.peers)
    paths = [own_program(), *([peers] if peers else [])]
    with ExitStack() as programs:
        running = tuple(programs.enter_context(Program(path)) for path in paths)
        distance = programs.enter_context(CoreDistance())
        stage = Stage(size, tell, running, distance)
        sections = [section(stage) for section in SECTIONS]
    notes = () if peers else (f"Peers (oneTBB) were not measured: {HOW_TO_GET_PEERS}.",)
    return together(sections, (*notes, *distance.notes()))
