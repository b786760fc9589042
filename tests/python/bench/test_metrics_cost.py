from __future__ import annotations

from penstock.bench.interleave import Timing
from penstock.bench.metrics_cost import OBSERVED, OFF, ON, metrics_cost, section_of
from penstock.bench.section import Stage
from penstock.bench.suites import Size
from penstock.bench.transport import BASE


def missed(added: float = 0.0, **seconds: float) -> list[str]:
    found = {BASE: 1.0, OFF: 1.0, ON: 1.0, OBSERVED: 1.0} | {
        {"off": OFF, "on": ON, "observed": OBSERVED}[name]: value for name, value in seconds.items()
    }
    timings = {name: Timing((value,)) for name, value in found.items()}
    return [target.name for target in section_of(timings, 10, added).targets if not target.holds]


def test_metrics_that_cost_nothing_meet_every_goal() -> None:
    assert missed() == []
    assert missed(on=1.01) == []


def test_metrics_that_cost_more_than_a_percent_miss_their_goal() -> None:
    assert missed(on=1.02) == ["metrics cost: metrics on / off, time"]


def test_an_observation_is_held_to_the_same_goal() -> None:
    assert missed(observed=1.01) == []
    assert missed(observed=1.28) == ["metrics cost: observed / off, time"]


def test_processor_time_counts_as_a_share_of_the_job() -> None:
    assert missed(added=0.009) == []
    assert missed(added=0.011) == ["metrics cost: processor time added / time"]


def test_a_flow_that_costs_more_than_five_percent_misses_its_goal() -> None:
    assert missed(off=1.06, on=1.06) == ["metrics cost: identity flow / mapInArrow, time"]


def test_all_of_it_is_measured_on_spark() -> None:
    section = metrics_cost(Stage(Size(quick=True, scale=0.001), lambda _: None, ()))
    names = [point.name for point in section.points]
    assert names == [f"metrics cost/{name}" for name in (BASE, OFF, ON, OBSERVED)]
    assert all(float(point.measures["median_s"]) > 0 for point in section.points)
