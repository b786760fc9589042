from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.elastic import ThreadController
from penstock.errors import SettingError
from penstock.machine import Cores

throughputs = st.lists(st.floats(0, 1e12), min_size=1, max_size=60)
busy = st.lists(st.booleans(), min_size=60, max_size=60)


@st.composite
def limits(draw: st.DrawFn) -> tuple[int, int]:
    minimum = draw(st.integers(1, 40))
    return minimum, draw(st.integers(minimum, 300))


def test_a_controller_climbs_and_settles() -> None:
    controller = ThreadController(levels=[1, 2, 4, 8])
    levels = [controller.update(100 * min(controller.level, 4)) for _ in range(20)]
    assert levels[:3] == [2, 4, 8]
    assert levels[-5:] == [4] * 5
    assert controller.settled


def test_without_levels_every_number_of_threads_may_be_chosen() -> None:
    controller = ThreadController(maximum=16)
    for _ in range(20):
        controller.update(min(controller.level, 11))
    assert controller.level in (11, 12)


def test_without_a_maximum_the_usable_processors_are_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "penstock.elastic.thread_controller.cores", lambda: Cores(affinity=6, quota=None)
    )
    assert ThreadController().maximum == 6
    assert ThreadController(minimum=7).maximum == 7
    assert ThreadController(levels=[1, 12]).maximum == 12


@pytest.mark.parametrize(
    ("plant", "best"), [(lambda n: n, 2), (lambda n: 1 / n, 1), (lambda _: 1, 1)]
)
def test_two_levels_are_soon_told_apart(plant: Callable[[int], float], best: int) -> None:
    controller = ThreadController(levels=[1, 2])
    for _ in range(7):
        controller.update(plant(controller.level))
    assert controller.settled
    assert controller.level == best


def test_a_decision_tells_its_reason_and_its_effect() -> None:
    controller = ThreadController(maximum=8)
    controller.update(100)
    controller.update(190)
    first, second = controller.decisions
    assert (first.previous, first.level, first.before, first.after) == (1, 2, 100, 190)
    assert (second.period, second.reason, second.after) == (1, "rising", None)
    assert "rose from 100 with 1 to 190 with 2" in second.text
    with pytest.raises(dataclasses.FrozenInstanceError):
        first.level = 3  # type: ignore[misc]


def test_an_explanation_tells_the_same_only_once() -> None:
    controller = ThreadController(maximum=1)
    for _ in range(5):
        controller.update(7)
    assert controller.explain().splitlines() == [
        "period 0: stay at 1 thread: the best level tried is 7 with 1, and so few samples may be luck",
        "period 1: stay at 1 thread: throughput is 7 with 1, and no level above or below is better",
    ]


def test_the_repr_tells_level_and_limits() -> None:
    controller = ThreadController(minimum=2, maximum=4)
    assert repr(controller) == "ThreadController(level=2, searching, minimum=2, maximum=4)"


def test_busy_processors_forbid_a_rise() -> None:
    controller = ThreadController(maximum=8)
    assert [controller.update(1, cpu_ok=False) for _ in range(20)] == [1] * 20
    assert controller.decisions[-1].reason == "processor_busy"


def test_limits_can_change_while_a_flow_runs() -> None:
    controller = ThreadController(maximum=8)
    controller.set_minimum(3)
    assert controller.level == 3
    controller.set_maximum(2)
    assert (controller.minimum, controller.level, controller.maximum) == (2, 2, 2)


def test_a_period_on_hold_changes_nothing() -> None:
    controller = ThreadController(maximum=8)
    controller.update(1)
    assert controller.hold() == 2
    assert [made.reason for made in controller.decisions] == ["nothing_above", "held"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"levels": []}, "levels is empty; list at least one level"),
        ({"levels": [2, 1]}, "levels must rise"),
        ({"levels": [1, 1]}, "levels must rise"),
        ({"levels": [0, 1]}, r"levels\[0\] is 0"),
        ({"levels": [1.5]}, r"levels\[0\] is 1.5; it must be a whole number"),
        ({"levels": [4], "maximum": 2}, "none of the levels, 4 to 4"),
        ({"sensitivity": 0}, "sensitivity is 0.0"),
        ({"sensitivity": -0.05}, "above 0 and below 1"),
        ({"sensitivity": float("nan")}, "sensitivity is nan"),
        ({"sensitivity": "high"}, "sensitivity is 'high'; it must be a number"),
        ({"load_change": "never"}, "'literal' or 'confirmed'"),
        ({"minimum": 0}, "minimum 0 and maximum"),
        ({"minimum": True}, "minimum is True"),
        ({"maximum": 2**40}, "maximum is 1099511627776"),
        ({"minimum": 4, "maximum": 3}, "1 <= minimum <= maximum"),
    ],
)
def test_an_impossible_setting_is_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        ThreadController(**arguments)


@pytest.mark.parametrize("throughput", [-1, float("nan"), float("inf"), None, "fast", True])
def test_an_impossible_throughput_is_refused_and_leaves_no_trace(throughput: Any) -> None:
    controller = ThreadController(maximum=4)
    with pytest.raises(SettingError, match="throughput is"):
        controller.update(throughput)
    assert controller.decisions == []


@pytest.mark.parametrize("call", [lambda c: c.set_minimum(0), lambda c: c.set_maximum(0)])
def test_an_impossible_limit_is_refused(call: Callable[[ThreadController], None]) -> None:
    controller = ThreadController(maximum=4)
    with pytest.raises(SettingError, match="minimum 0"):
        call(controller)
    assert (controller.minimum, controller.maximum) == (1, 4)


@given(limits(), throughputs, busy, st.sampled_from(["literal", "confirmed"]))
def test_no_throughput_leads_outside_the_limits(
    limits: tuple[int, int], throughputs: list[float], busy: list[bool], rule: Any
) -> None:
    minimum, maximum = limits
    controller = ThreadController(minimum=minimum, maximum=maximum, load_change=rule)
    for throughput, is_busy in zip(throughputs, busy, strict=False):
        before = controller.level
        level = controller.update(throughput, cpu_ok=not is_busy)
        assert minimum <= level <= maximum
        assert not is_busy or level <= before


@given(limits(), throughputs, busy, st.sampled_from(["literal", "confirmed"]))
def test_the_same_numbers_lead_to_the_same_decisions(
    limits: tuple[int, int], throughputs: list[float], busy: list[bool], rule: Any
) -> None:
    minimum, maximum = limits
    runs = []
    for _ in range(2):
        controller = ThreadController(minimum=minimum, maximum=maximum, load_change=rule)
        for throughput, is_busy in zip(throughputs, busy, strict=False):
            controller.update(throughput, cpu_ok=not is_busy)
        runs.append(controller.decisions)
    assert runs[0] == runs[1]


@given(limits(), st.data(), st.sampled_from(["literal", "confirmed"]))
def test_a_plant_that_does_not_change_is_left_alone_in_the_end(
    limits: tuple[int, int], data: st.DataObject, rule: Any
) -> None:
    minimum, maximum = limits
    plant: dict[int, float] = {}
    controller = ThreadController(minimum=minimum, maximum=maximum, load_change=rule)
    for _ in range(15):
        level = controller.level
        if level not in plant:
            plant[level] = data.draw(st.floats(0, 1e6), label=f"throughput at {level}")
        controller.update(plant[level])
    settled = controller.level
    assert all(controller.update(plant.get(settled, 1.0)) == settled for _ in range(30))


@given(st.sets(st.integers(1, 200), min_size=1, max_size=12), throughputs)
def test_only_listed_levels_are_chosen(levels: set[int], throughputs: list[float]) -> None:
    controller = ThreadController(levels=sorted(levels), minimum=min(levels))
    assert all(controller.update(throughput) in levels for throughput in throughputs)
