from __future__ import annotations

from collections.abc import Callable

import pytest

from penstock.bench import simulated_channels
from penstock.bench.section import Stage
from penstock.bench.simulated_channels import CRITERIA, EXPERIMENTS, Criterion, Run, section_of
from penstock.bench.suites import Size


def test_every_experiment_shows_what_its_criteria_ask_for_and_meets_them() -> None:
    runs = [Run(name, 0.01, 3, experiment(0.01, 3)) for name, experiment in EXPERIMENTS.items()]
    section = section_of(runs)
    assert {criterion.experiment for criterion in CRITERIA} == set(EXPERIMENTS)
    assert [target.name for target in section.targets if not target.holds] == []
    assert len(section.targets) == len(CRITERIA)
    assert section.points[1].name == "E12 sine/1% noise, seed 3"
    assert section.points[1].measures == runs[1].measures


def test_the_worst_run_decides() -> None:
    runs = [Run("E", 0.0, seed, {"handled": value}) for seed, value in enumerate((0.5, 0.9, 0.7))]
    assert Criterion("E", "handled", least=0.6).target(runs).value == 0.5
    assert Criterion("E", "handled", most=0.6).target(runs).value == 0.9
    assert not Criterion("E", "handled", least=0.6).target(runs).holds


def test_every_experiment_runs_without_noise_and_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[float, int]] = []

    def remembered(noise: float, seed: int) -> dict[str, float]:
        asked.append((noise, seed))
        return {criterion.measure: 0.0 for criterion in CRITERIA}

    fake: dict[str, Callable[[float, int], dict[str, float]]]
    fake = dict.fromkeys(EXPERIMENTS, remembered)
    monkeypatch.setattr(simulated_channels, "EXPERIMENTS", fake)
    told: list[str] = []
    simulated_channels.simulated_channels(Stage(Size(quick=True), told.append, ()))
    assert asked == [(0.0, 0), (0.01, 0), (0.01, 1)] * len(EXPERIMENTS)
    assert told[0] == "E10 cost, simulated"
