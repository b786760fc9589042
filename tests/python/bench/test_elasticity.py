"""The criteria of E4 and E5. A failure names the case and the seed, which repeat it."""

from __future__ import annotations

import dataclasses

import pytest

from penstock.bench.elasticity import (
    GOOD_ENOUGH,
    MACHINES,
    NOISES,
    SETTLE_WITHIN,
    STRONG_NOISE,
    CaseResult,
    cases,
    run,
    run_blocked,
    run_busy,
    simulate,
)

SEEDS = range(20)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("processors", MACHINES)
def test_it_settles_in_time_near_the_best_level_and_stays(processors: int, noise: float) -> None:
    for case in cases(processors):
        for seed in SEEDS if noise else [0]:
            result = run(case, noise, seeds=[seed])
            what = f"{case}, seed {seed}: {result}"
            assert result.ratio >= GOOD_ENOUGH, what
            assert result.settle_period <= SETTLE_WITHIN, what
            assert result.late_changes <= 1, what
            assert result.explored_beyond_peak, what


@pytest.mark.parametrize("processors", MACHINES)
def test_strong_noise_keeps_the_literal_rule_awake_and_not_the_confirmed_one(
    processors: int,
) -> None:
    for case in cases(processors):
        for seed in range(5):
            what = f"{case}, seed {seed}"
            assert run(case, STRONG_NOISE, "literal", [seed]).late_changes >= 10, what
            assert run(case, STRONG_NOISE, "confirmed", [seed]).late_changes == 0, what


@pytest.mark.parametrize("processors", MACHINES)
def test_a_busy_machine_and_a_blocked_thread_are_respected(processors: int) -> None:
    busy = run_busy(processors)
    assert busy.violations == 0
    assert busy.settled_level <= processors
    blocked = run_blocked(processors)
    assert blocked.violations == 0
    assert blocked.settled_level == 3


def test_a_result_is_of_the_worst_seed() -> None:
    case = next(case for case in cases(88) if case.name == "peaked-late")
    alone = [run(case, 0.05, seeds=[seed]) for seed in range(10)]
    together = run(case, 0.05, seeds=range(10))
    assert together.ratio == min(result.ratio for result in alone) < 1
    assert together.settle_period == max(result.settle_period for result in alone)
    assert together.explored == min(result.explored for result in alone)
    assert together.levels == alone[0].levels
    assert together.levels[-1] != together.levels[-2]


def test_every_case_is_simulated_on_every_machine_and_told_of() -> None:
    told: list[str] = []
    results = simulate(told.append, seeds=1)
    assert [line.split()[-2] for line in told] == [str(machine) for machine in MACHINES]
    assert len(results) == len(MACHINES) * (len(cases(8)) * (len(NOISES) + 2) + 2)
    assert all(isinstance(result, CaseResult) for result in results)
    with pytest.raises(dataclasses.FrozenInstanceError):
        results[0].ratio = 1.0  # type: ignore[misc]
