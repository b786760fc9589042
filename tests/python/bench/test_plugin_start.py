from __future__ import annotations

import pytest

from penstock.bench import plugin_start
from penstock.bench.plugin_start import PLUGIN, WITH, WITHOUT, section_of
from penstock.bench.section import Stage
from penstock.bench.suites import Size


@pytest.mark.parametrize(("more", "holds"), [(0.0, True), (0.29, True), (0.31, False)])
def test_the_goal_is_about_what_the_plugin_adds(more: float, holds: bool) -> None:
    before = [3.0, 9.0, 4.0]
    section = section_of({WITHOUT: before, WITH: [each + more for each in before]})
    assert [target.holds for target in section.targets] == [holds]


def test_both_are_started_in_turn_and_the_first_round_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[str] = []

    def start(plugin: str) -> float:
        started.append(plugin)
        return 100.0 if len(started) <= 2 else 2.0

    monkeypatch.setattr(plugin_start, "_start", start)
    section = plugin_start.plugin_start(Stage(Size(quick=True), lambda _: None, ()))
    assert started == ["", PLUGIN] * 3
    assert [point.measures["median_s"] for point in section.points] == [2.0, 2.0]


@pytest.mark.parametrize("plugin", ["", PLUGIN])
def test_an_application_starts_and_says_how_long_it_took(plugin: str) -> None:
    assert 0 < plugin_start._start(plugin) < 120
