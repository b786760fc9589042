from __future__ import annotations

from penstock.bench.contenders import Case, Entrant
from penstock.bench.switches import switches_grids, switches_targets
from penstock.bench.throughput_targets import DEDICATED, DYNAMIC

CHAIN = Entrant("chain")
LONG = Case("pipeline", 1_000, 1, 1)


def test_dedicated_threads_switch_ten_times_as_often_as_ones_that_take_any_port() -> None:
    (target,) = switches_targets({(LONG, DEDICATED): 90.0, (LONG, DYNAMIC): 10.0})
    assert (target.value, target.goal, target.holds) == (9.0, ">= 10", False)


def test_no_switch_at_all_is_as_good_as_one_in_a_second() -> None:
    (target,) = switches_targets({(LONG, DEDICATED): 90.0, (LONG, DYNAMIC): 0.0})
    assert target.value == 90.0


def test_switches_are_compared_in_long_pipelines_of_e1_only() -> None:
    others = [
        Case("pipeline", 10, 1, 1),
        Case("pipeline", 100, 1, 10_000),
        Case("mix", 100, 10, 1),
    ]
    found = {(case, entrant): 1.0 for case in others for entrant in (DEDICATED, DYNAMIC)}
    assert switches_targets(found) == ()
    assert switches_targets({(LONG, DEDICATED): 1.0}) == ()


def test_the_table_has_what_is_cheap_and_large() -> None:
    mix = Case("mix", 100, 10, 1)
    found = {
        (Case("pipeline", 10, 1, 1), CHAIN): 1.0,
        (LONG, CHAIN): 2.0,
        (LONG, DYNAMIC): 3.0,
        (mix, CHAIN): 4.0,
        (Case("mix", 100, 10, 100), CHAIN): 5.0,
    }
    (grid,) = switches_grids(found)
    assert grid.columns == ("pipeline of 1000", "mix of 10 x 100")
    assert grid.rows == {CHAIN.label: (2.0, 4.0), DYNAMIC.label: (3.0, "")}
    assert switches_grids({}) == ()
