"""Suite `ordered`: what keeping the order costs, and how fast operators with keys run.

One native program runs a single ordered stage, and then whole queries, with the schemes of Prasaad
et al. and what they are compared with, and moves state between channels; a running aggregate by key
runs as users run it, also in regions whose channels are fixed, found or changed under way; and the
channel controller of Gedik et al. decides about simulated regions.
Every point is published, also where Penstock loses.
"""

from __future__ import annotations

from collections.abc import Callable

from penstock.bench.channel_change import channel_change
from penstock.bench.core_distance import CoreDistance
from penstock.bench.keyed import keyed
from penstock.bench.migration import migration
from penstock.bench.ordered_queries import ordered_queries
from penstock.bench.ordered_stage import ordered_stage
from penstock.bench.programs import ORDERED, Program, own_program
from penstock.bench.region_elastic import region_elastic
from penstock.bench.regions import regions
from penstock.bench.report import Findings
from penstock.bench.section import Section, Stage, together
from penstock.bench.simulated_channels import simulated_channels
from penstock.bench.suites import Size, Tell

SECTIONS: tuple[Callable[[Stage], Section], ...] = (
    ordered_stage,
    ordered_queries,
    keyed,
    regions,
    region_elastic,
    migration,
    channel_change,
    simulated_channels,
)


def measure(size: Size, tell: Tell) -> Findings:
    """Measure everything there is."""
    with Program(own_program(ORDERED)) as program, CoreDistance() as distance:
        stage = Stage(size, tell, (program,), distance)
        sections = [section(stage) for section in SECTIONS]
        return together(sections, distance.notes())
