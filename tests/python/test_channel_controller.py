from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.elastic import ChannelController
from penstock.errors import SettingError

SERIES = [1, 2, 3, 4, 6, 8, 11, 16, 23, 32]

measured = st.lists(st.tuples(st.floats(0, 1e9), st.booleans()), max_size=80)


def climb(controller: ChannelController, load: float, periods: int) -> list[int]:
    """Channels of 100 tuples per second each, and a splitter that is blocked by anything less."""
    return [
        controller.update(min(load, 100 * controller.channels), load > 100 * controller.channels)
        for _ in range(periods)
    ]


def test_channels_follow_the_series_to_the_most_and_stay() -> None:
    controller = ChannelController()
    assert [controller.channels, *climb(controller, 1e9, 11)] == [*SERIES, 32, 32]
    assert controller.settled


def test_levels_are_how_many_numbers_of_channels_there_are() -> None:
    assert [ChannelController(levels=n).maximum for n in range(1, 11)] == SERIES
    assert ChannelController(levels=32).maximum == 65536


def test_without_rapid_scaling_channels_come_one_at_a_time() -> None:
    assert climb(ChannelController(levels=5, rapid=False), 1e9, 6) == [2, 3, 4, 5, 5, 5]


def test_a_decision_tells_its_reason_and_its_effect() -> None:
    controller = ChannelController()
    controller.update(100, congested=True)
    controller.update(190, congested=False)
    first, second = controller.decisions
    assert (first.previous, first.level, first.before, first.after) == (1, 2, 100, 190)
    assert (second.period, second.reason, second.after) == (1, "congested_below", None)
    assert "not congested at 190 with 2" in second.text
    with pytest.raises(dataclasses.FrozenInstanceError):
        first.level = 3  # type: ignore[misc]


def test_an_explanation_tells_the_same_only_once_and_what_the_load_did() -> None:
    controller = ChannelController()
    climb(controller, 200, 4)
    climb(controller, 70, 3)
    told = controller.explain().splitlines()
    assert [line.split(":")[0] for line in told] == ["period 0", "period 1", "period 4", "period 5"]
    assert told[1] == (
        "period 1: stay at 2 channels: not congested at 200 with 2, and fewer channels were "
        "congested"
    )
    assert told[2] == (
        "period 4: 2 -> 1 channel: not congested at 70 with 2, so fewer channels may do; the load "
        "fell, so fewer channels are measured again"
    )


def test_the_repr_tells_channels_and_limits() -> None:
    controller = ChannelController(levels=6)
    assert repr(controller) == "ChannelController(channels=1, searching, minimum=1, maximum=8)"


def test_limits_can_change_while_a_flow_runs() -> None:
    controller = ChannelController()
    controller.set_minimum(3)
    assert controller.channels == 3
    controller.set_maximum(2)
    assert (controller.minimum, controller.channels, controller.maximum) == (2, 2, 2)
    assert [made.reason for made in controller.decisions] == ["limits_changed"] * 2


def test_a_period_on_hold_changes_nothing() -> None:
    held, other = ChannelController(), ChannelController()
    for throughput in (100, 100, 100, 300):
        held.update(throughput, congested=True)
        channels = held.channels
        assert held.hold() == channels
        assert other.update(throughput, congested=True) == channels


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"levels": 0}, "levels is 0; it must be 1 to 32"),
        ({"levels": 33}, "levels is 33"),
        ({"levels": 65537, "rapid": False}, "levels is 65537; it must be 1 to 65536"),
        ({"levels": 2.0}, "levels is 2.0; it must be a whole number of levels"),
        ({"levels": 2**40}, "levels is 1099511627776"),
        ({"sensitivity": -0.1}, "sensitivity is -0.1.*0 to 1"),
        ({"sensitivity": 1.1}, "sensitivity is 1.1"),
        ({"sensitivity": math.nan}, "sensitivity is nan"),
        ({"sensitivity": "high"}, "sensitivity is 'high'; it must be a number"),
        ({"margin": -0.01}, "margin is -0.01"),
        ({"margin": 1}, "margin is 1.0.*below 1"),
        ({"margin": math.nan}, "margin is nan"),
        ({"age": -1}, "age is -1"),
        ({"age": 1.5}, "age is 1.5; it must be a whole number of periods"),
        ({"rapid": "no"}, "rapid is 'no'; it must be True or False"),
    ],
)
def test_an_impossible_setting_is_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        ChannelController(**arguments)


@pytest.mark.parametrize("throughput", [-1, math.nan, math.inf, None, "fast", True])
def test_an_impossible_throughput_is_refused_and_leaves_no_trace(throughput: Any) -> None:
    controller = ChannelController()
    with pytest.raises(SettingError, match="throughput is"):
        controller.update(throughput, congested=True)
    assert controller.decisions == []


@pytest.mark.parametrize("congested", [0.3, None, "yes", 2])
def test_a_congestion_index_is_not_taken_for_congestion(congested: Any) -> None:
    controller = ChannelController()
    with pytest.raises(SettingError, match=r"congested is .* True or False"):
        controller.update(100, congested)
    assert controller.decisions == []


@pytest.mark.parametrize("channels", [0, 65537, 1.5, None])
def test_an_impossible_limit_is_refused(channels: Any) -> None:
    controller = ChannelController()
    with pytest.raises(SettingError, match=str(channels)):
        controller.set_minimum(channels)
    with pytest.raises(SettingError, match=str(channels)):
        controller.set_maximum(channels)
    assert (controller.minimum, controller.maximum) == (1, 32)


@given(measured, st.integers(1, 12), st.sampled_from([0, 0.05]), st.sampled_from([0, 12]))
def test_whatever_is_measured_it_goes_one_level_at_a_time(
    periods: list[tuple[float, bool]], levels: int, margin: float, age: int
) -> None:
    controller = ChannelController(levels=levels, margin=margin, age=age)
    series = [ChannelController(levels=n).maximum for n in range(1, levels + 1)]
    before = 0
    for throughput, congested in periods:
        level = series.index(controller.update(throughput, congested))
        assert abs(level - before) <= 1
        before = level


@given(measured)
def test_the_same_periods_lead_to_the_same_decisions(periods: list[tuple[float, bool]]) -> None:
    one, other = ChannelController(), ChannelController()
    for throughput, congested in periods:
        one.update(throughput, congested)
        other.update(throughput, congested)
    assert one.decisions == other.decisions
