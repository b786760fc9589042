"""How often threads are put to sleep and woken: context switches, where operators are many.

>>> case = Case("pipeline", 100, 1, 1)
>>> (target,) = switches_targets({(case, DEDICATED): 50_000.0, (case, DYNAMIC): 100.0})
>>> target.name, target.value, target.goal
('pipeline of 100, cost 1: E1, context switches of dedicated / dynamic', 500.0, '>= 10')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from penstock.bench.contenders import Case, Entrant
from penstock.bench.report import Grid, Target
from penstock.bench.throughput_targets import DEDICATED, DYNAMIC

Switches: TypeAlias = "Mapping[tuple[Case, Entrant], float]"  # a second

MANY = 100
COSTS = (1, 100, 1_000)  # of E1


def switches_targets(found: Switches) -> tuple[Target, ...]:
    """E1: threads that take any port change places less than threads that have one each."""
    return tuple(
        Target(
            f"{case.name}: E1, context switches of dedicated / dynamic",
            # Less than one in a second is as good as none.
            found[case, DEDICATED] / max(1.0, found[case, DYNAMIC]),
            least=10,
        )
        for case in dict.fromkeys(case for case, _ in found)
        if case.shape == "pipeline"
        and case.depth >= MANY
        and case.cost in COSTS
        and (case, DEDICATED) in found
        and (case, DYNAMIC) in found
    )


def switches_grids(found: Switches) -> tuple[Grid, ...]:
    """Context switches a second at cost 1, where there are many operators."""
    cases = [
        case
        for case in dict.fromkeys(case for case, _ in found)
        if case.cost == 1 and case.operators >= MANY
    ]
    entrants = dict.fromkeys(entrant for case, entrant in found if case in cases)
    rows = {each.label: tuple(found.get((case, each), "") for case in cases) for each in entrants}
    columns = tuple(f"{case.shape} of {case.size}" for case in cases)
    return (Grid("cost 1: context switches a second", columns, rows),) if cases else ()
