from __future__ import annotations

from dataclasses import replace

from penstock.bench.elasticity import cases, run
from penstock.bench.simulated import section_of

STEEP = next(case for case in cases(8) if case.name == "fall-off-steep")


def test_the_worst_machine_decides_about_a_case() -> None:
    good = run(STEEP, noise=0.0)
    bad = replace(good, processors=16, ratio=0.5, settle_period=30, late_changes=4)
    section = section_of((good, bad))
    assert [(target.value, target.holds) for target in section.targets] == [
        (0.5, False),
        (30, False),
        (4, False),
        (0, True),
    ]
    assert len(section.points) == 2
    assert section.grids[0].rows == {"fall-off-steep": (0.5, 30, 4)}


def test_strong_noise_and_the_literal_rule_are_shown_and_not_judged() -> None:
    good = run(STEEP, noise=0.0)
    noisy = replace(good, noise=0.08, ratio=0.1)
    literal = replace(good, load_change="literal", ratio=0.1)
    section = section_of((good, noisy, literal))
    assert len(section.points) == 3
    assert all(target.holds for target in section.targets)


def test_whether_the_level_after_the_peak_was_tried_is_published() -> None:
    good = run(STEEP, noise=0.0)
    for tried, word in ((True, "yes"), (False, "no")):
        (point,) = section_of((replace(good, explored_beyond_peak=tried),)).points
        assert point.measures["explored_beyond_peak"] == word


def test_a_forbidden_change_misses_its_goal() -> None:
    section = section_of((replace(run(STEEP, noise=0.0), experiment="E5", violations=1),))
    assert [(target.name, target.holds) for target in section.targets] == [
        ("E5: rises and falls that are forbidden", False)
    ]
