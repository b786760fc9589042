"""C-Stream's experiments on its adaptation, in virtual time."""

from __future__ import annotations

from itertools import pairwise

import pytest

from penstock.bench.adaptation import SOURCES_US, adaptation
from penstock.bench.adapted_pipeline import Pipeline, cstream
from penstock.bench.section import Stage
from penstock.bench.suites import Size


def test_the_pool_and_the_slowest_operator_limit_throughput() -> None:
    pipeline = Pipeline((80.0,), contention=0)
    assert pipeline.run(1, [1]).throughput == pytest.approx(1e6 / 102)
    assert pipeline.run(1, [1]).utilization == 1
    two = pipeline.run(2, [1])
    assert two.throughput == pytest.approx(1e6 / 80)
    assert two.utilization == pytest.approx(102 / 80 / 2)
    assert pipeline.run(12, [8]).throughput == pytest.approx(1e6 / 17)


def test_only_what_is_before_the_slowest_operator_is_blocked() -> None:
    first, second = Pipeline((60.0, 60.0)).run(4, [2, 1]).candidates
    assert first.output_blocked > 0.01  # type: ignore[operator]
    assert second.input_blocked[0] > 0.01  # type: ignore[index]
    assert second.output_blocked == 0
    assert Pipeline((60.0,)).run(4, [4]).candidates[0].input_blocked == [0.0] * 4


@pytest.mark.parametrize("source_us", SOURCES_US)
def test_replicas_grow_until_the_source_is_the_slowest(source_us: float) -> None:
    one = cstream([80], source_us=source_us)
    assert one.replicas[-1] == (5,)
    assert one.threads[-1] in (6, 7, 8)
    assert one.late_changes == 0
    two = cstream([60, 60], source_us=source_us)
    assert two.replicas[-1] == (4, 4)
    assert two.grown == [0, 1] * 3
    assert two.late_changes == 0


def test_one_thing_changes_at_a_time() -> None:
    run = cstream([60, 60])
    states = list(zip(run.threads, *zip(*run.replicas, strict=True), strict=True))
    for before, after in pairwise(states):
        assert sum(one != other for one, other in zip(before, after, strict=True)) <= 1


def test_the_section_judges_every_criterion() -> None:
    section = adaptation(Stage(Size(quick=True), lambda _: None, ()))
    assert [target.name for target in section.targets if not target.holds] == []
    assert {target.name.split(":")[0] for target in section.targets} >= {"E29", "E30", "E31"}
