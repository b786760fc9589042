from __future__ import annotations

import pytest

from penstock.bench.contenders import (
    ALL_CASES,
    ENTRANTS,
    QUICK_CASES,
    Case,
    Entrant,
    left_out,
)
from penstock.bench.throughput import Result, grids
from penstock.bench.throughput_targets import gap_targets, targets

CHAIN = Entrant("chain")
SHORT = Case("pipeline", 10, 1, 1)
LONG = Case("pipeline", 1_000, 1, 1)


def result(case: Case, entrant: Entrant, *rates: float, same: bool = True, bad: int = 0) -> Result:
    return Result(case, entrant, rates, 1.5, 10.0, bad, same)


def values(rates: dict[tuple[Case, Entrant], float]) -> dict[str, tuple[float, str]]:
    return {target.name: (target.value, target.goal) for target in targets(rates)}


def test_names_tell_all_cases_and_all_entrants_apart() -> None:
    assert len({case.name for case in ALL_CASES}) == len(ALL_CASES)
    assert len({entrant.label for entrant in ENTRANTS}) == len(ENTRANTS)
    assert set(QUICK_CASES) <= set(ALL_CASES)


def test_runs_of_expensive_operators_are_short_but_never_empty() -> None:
    entrant = Entrant("conveyor", 2, 1024)
    assert entrant.request(SHORT)["run"] == 1024
    assert entrant.request(Case("pipeline", 1_000, 1, 1_000))["run"] == 2
    assert entrant.request(Case("pipeline", 1_000, 1, 100_000))["run"] == 1


def test_an_elastic_model_is_given_time_to_settle() -> None:
    assert Entrant("conveyor", 2, 1024).warm_up(SHORT, 1e6) == 0
    elastic = Entrant("automatic", 2, 1024)
    assert elastic.warm_up(SHORT, 1e9) == 0.5
    assert elastic.warm_up(SHORT, 1e6) == 20 * 64 * 1024 / 1e6
    assert elastic.warm_up(SHORT, 1.0) == 3.0


def test_the_median_counts_and_the_spread_is_told() -> None:
    measures = result(SHORT, CHAIN, 1.0, 9.0, 4.0).point().measures
    assert measures["tuples_per_s"] == 4.0
    assert measures["hops_per_s"] == 40.0
    assert (measures["least_tuples_per_s"], measures["most_tuples_per_s"]) == (1.0, 9.0)
    assert measures["order"] == "kept"


@pytest.mark.parametrize(("same", "bad"), [(False, 0), (True, 1)])
def test_a_wrong_result_is_marked_wherever_it_is_shown(same: bool, bad: int) -> None:
    wrong = result(SHORT, CHAIN, 2e6, same=same, bad=bad)
    assert wrong.point().measures["order"] == "broken"
    assert grids([wrong])[0].rows[CHAIN.label] == ("20*",)


def test_there_is_a_table_for_each_shape_and_cost_with_a_column_for_each_size() -> None:
    mix = Case("mix", 100, 10, 1)
    manual = Entrant("manual", 1, 1024)
    found = grids(
        [
            result(SHORT, CHAIN, 1e6),
            result(SHORT, manual, 2e6),
            result(LONG, CHAIN, 3e6),
            result(mix, CHAIN, 4e6),
        ]
    )
    assert [grid.title.partition(":")[0] for grid in found] == [
        "pipeline, cost 1",
        "mix, cost 1",
    ]
    assert found[0].columns == ("10 operators", "1000 operators")
    assert found[0].rows == {CHAIN.label: ("10", "3e+03"), manual.label: ("20", "")}
    assert found[1].columns == ("10 x 100 operators",)


def test_the_best_model_is_compared_with_a_peer_of_the_same_interface() -> None:
    rates = {
        (SHORT, Entrant("conveyor", 2, 1024)): 30.0,
        (SHORT, Entrant("dynamic", 2, 1024)): 20.0,
        (SHORT, Entrant("dynamic", 4, 1024)): 99.0,
        (SHORT, Entrant("conveyor", 2, 1024, "batch")): 60.0,
        (SHORT, Entrant("tbb-pipeline", 2, 1)): 2.0,
        (SHORT, Entrant("tbb-pipeline", 2, 64, "batch")): 40.0,
        (SHORT, Entrant("tbb-pipeline", 2, 1024, "batch")): 50.0,
    }
    found = values(rates)
    single = found["pipeline of 10, cost 1: best model / oneTBB pipeline, tuple interface"]
    assert single == (15.0, ">= 10")
    batched = found["pipeline of 10, cost 1: best model / oneTBB in batches of 64"]
    assert batched == (1.5, ">= 1.3")
    at_best = found["pipeline of 10, cost 1: best model / oneTBB in its best batches"]
    assert at_best == (1.2, ">= 1")


@pytest.mark.parametrize(
    "case",
    [
        Case("pipeline", 100, 1, 1),
        Case("pipeline", 10, 1, 100),
        Case("data parallel", 1, 10, 1),
        Case("mix", 100, 10, 10_000),
    ],
)
def test_what_was_batched_by_hand_must_not_be_faster_anywhere(case: Case) -> None:
    rates = {
        (case, Entrant("dynamic", 2, 1024, "batch")): 30.0,
        (case, Entrant("tbb-pipeline", 2, 64, "batch")): 20.0,
        (case, Entrant("tbb-pipeline", 2, 256, "batch")): 60.0,
    }
    assert values(rates) == {
        f"{case.name}: best model / oneTBB in batches of 64": (1.5, ">= 1"),
        f"{case.name}: best model / oneTBB in its best batches": (0.5, ">= 1"),
    }


def test_what_was_not_measured_is_no_target() -> None:
    assert values({(SHORT, Entrant("conveyor", 2, 1024)): 30.0}) == {}


def test_one_thread_is_compared_with_the_chain_by_interface_and_length() -> None:
    rates = {
        (case, entrant): rate
        for case in (SHORT, LONG)
        for entrant, rate in (
            (CHAIN, 2.0),
            (Entrant("manual", 1, 1024), 3.0),
            (Entrant("conveyor", 1, 1024), 2.5),
            (Entrant("manual", 1, 1024, "batch"), 8.0),
        )
    }
    found = values(rates)
    name = "{}, cost 1: one thread / chain, {} interface"
    assert found[name.format("pipeline of 10", "tuple")] == (1.5, ">= 0.9")
    assert found[name.format("pipeline of 10", "batch")] == (4.0, ">= 2")
    assert found[name.format("pipeline of 1000", "tuple")] == (1.5, ">= 1.5")
    assert found[name.format("pipeline of 1000", "batch")] == (4.0, ">= 3.5")


@pytest.mark.parametrize(
    ("case", "goal"),
    [
        (SHORT, ">= 1"),
        (LONG, ">= 1.5"),
        (Case("data parallel", 1, 10, 1), ">= 1"),
        (Case("data parallel", 1, 100, 1), ">= 1.5"),
        (Case("data parallel", 1, 1_000, 1), ">= 1.5"),
        (Case("mix", 100, 10, 100), ">= 1.8"),
        (Case("data parallel", 1, 10, 10_000), ">= 1.8"),
    ],
)
def test_a_second_thread_must_gain_what_the_case_allows(case: Case, goal: str) -> None:
    one, two = Entrant("manual", 1, 1024), Entrant("conveyor", 2, 1024)
    found = values({(case, one): 2.0, (case, two): 3.0})
    assert found[f"{case.name}: two threads / one, tuple interface"] == (1.5, goal)


def test_the_printed_scheduler_is_the_base_for_conveyor_and_single_tuples() -> None:
    rates = {
        (SHORT, Entrant("as-printed", 2, 1)): 2.0,
        (SHORT, Entrant("conveyor", 2, 1024)): 20.0,
        (SHORT, Entrant("dynamic", 2, 1)): 5.0,
    }
    found = values(rates)
    assert found["pipeline of 10, cost 1: conveyor, tuple interface / as printed"] == (
        10.0,
        ">= 12",
    )
    name = "pipeline of 10, cost 1: dynamic with single tuples / as printed"
    assert found[name] == (2.5, ">= 2")


def test_automatic_is_held_against_the_best_fixed_model_of_any_number_of_threads() -> None:
    rates = {
        (SHORT, Entrant("manual", 1, 1024)): 10.0,
        (SHORT, Entrant("conveyor", 2, 1024)): 8.0,
        (SHORT, Entrant("automatic", 2, 1024)): 9.5,
    }
    name = "pipeline of 10, cost 1: automatic / best fixed model, tuple interface"
    assert values(rates)[name] == (0.95, ">= 0.9")


def test_one_thread_is_that_of_a_fixed_model() -> None:
    rates = {
        (SHORT, CHAIN): 1.0,
        (SHORT, Entrant("manual", 1, 1024)): 2.0,
        (SHORT, Entrant("automatic", 1, 1024)): 9.0,
    }
    assert values(rates) == {
        "pipeline of 10, cost 1: one thread / chain, tuple interface": (2.0, ">= 0.9")
    }


@pytest.mark.parametrize(
    ("case", "wanted"),
    [
        (Case("pipeline", 100, 1, 1_000), {"E1, dynamic with two threads / manual": (2.0, 1.3)}),
        (Case("pipeline", 10, 1, 1_000), {}),
        (Case("pipeline", 1_000, 1, 100), {}),
        (
            Case("data parallel", 1, 1_000, 1),
            {"E2, manual / dynamic": (0.5, 1), "E2, dynamic / dedicated": (4.0, 1)},
        ),
        (
            Case("data parallel", 1, 1_000, 10_000),
            {
                "E2, dynamic with two threads / manual": (2.0, 1.5),
                "E2, dynamic / dedicated": (4.0, 1),
            },
        ),
        (Case("data parallel", 1, 100, 1), {}),
        (
            Case("mix", 100, 10, 1_000),
            {
                "E3, automatic / manual": (3.0, 1),
                "E3, automatic / better of manual and dedicated": (3.0, 0.95),
            },
        ),
        (Case("mix", 100, 10, 100), {"E3, automatic / manual": (3.0, 1)}),
        (Case("mix", 100, 10, 1), {}),
    ],
)
def test_the_papers_experiments_are_goals_where_two_cores_can_show_them(
    case: Case, wanted: dict[str, tuple[float, float]]
) -> None:
    rates = {
        (case, Entrant("manual", 1, 1024)): 2.0,
        (case, Entrant("dynamic", 2, 1024)): 4.0,
        (case, Entrant("dedicated", 2, 1024)): 1.0,
        (case, Entrant("automatic", 2, 1024)): 6.0,
    }
    assert {
        name.partition(": ")[2]: (value, float(goal.removeprefix(">= ")))
        for name, (value, goal) in values(rates).items()
        if ": E" in name
    } == wanted


def test_a_thread_for_each_operator_matters_less_where_operators_cost_more() -> None:
    dynamic, dedicated = Entrant("dynamic", 2, 1024), Entrant("dedicated", 2, 1024)
    cheap, costly = Case("pipeline", 100, 1, 1), Case("pipeline", 100, 1, 1_000)
    rates = {(cheap, dynamic): 10.0, (cheap, dedicated): 6.0, (costly, dynamic): 5.0}
    assert gap_targets(rates) == ()
    (target,) = gap_targets({**rates, (costly, dedicated): 6.0})
    assert target.name == "pipeline of 100: E1, gap of dedicated and dynamic, cost 1000 / cost 1"
    assert (round(target.value, 9), target.goal) == (0.5, "<= 1")


def test_automatic_is_measured_with_one_to_four_threads_where_it_settles_soon() -> None:
    cheap, expensive = Case("mix", 100, 10, 100), Case("mix", 100, 10, 1_000)
    mine = [each for each in ENTRANTS if each.contender == "automatic"]
    assert {each.threads for each in mine if each.fits(cheap)} == {1, 2, 3, 4}
    assert {each.threads for each in mine if each.fits(expensive)} == {2}


def test_every_empty_cell_is_explained() -> None:
    notes = left_out(ALL_CASES, ENTRANTS)
    empty = {(case, each) for case in ALL_CASES for each in ENTRANTS if not each.fits(case)}
    assert empty
    for case, entrant in empty:
        assert any(entrant.label in note and case.name in note for note in notes), case
    assert not any("data parallel of 1000" in note for note in notes if "as-printed" in note)
    assert len(notes) == 3
    peer = Entrant("tbb-pipeline", 2, 1)
    assert [each.width for each in ALL_CASES if not peer.fits(each)] == [1_000] * 4
    assert left_out([SHORT], ENTRANTS) == ()
