from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.elastic import UtilizationController
from penstock.errors import SettingError


@given(st.floats(0, 70), st.integers(1, 64), st.integers(0, 63))
def test_any_constant_load_is_settled_for_good(work: float, minimum: int, more: int) -> None:
    controller = UtilizationController(minimum, minimum + more)
    for _ in range(more + 3):
        controller.update(min(1, work / controller.level))
    level = controller.level
    assert controller.settled
    for _ in range(10):
        assert controller.update(min(1, work / level)) == level


@given(st.lists(st.floats(0, 1), max_size=60), st.integers(1, 20))
def test_levels_change_by_one_and_stay_in_the_limits(seen: list[float], maximum: int) -> None:
    controller = UtilizationController(maximum=maximum)
    for utilization in seen:
        before = controller.level
        assert abs(controller.update(utilization) - before) <= 1
        assert 1 <= controller.level <= maximum


def test_a_decision_tells_its_reason_and_its_effect() -> None:
    controller = UtilizationController(maximum=4)
    controller.update(1)
    controller.hold()
    controller.update(0.9)
    first, held, last = controller.decisions
    assert (first.previous, first.level, first.reason) == (1, 2, "busy")
    assert (first.before, first.after, first.operator) == (1, 0.9, None)
    assert (held.reason, last.reason) == ("held", "well_used")
    assert controller.explain().splitlines()[0] == str(first)


def test_limits_are_obeyed_at_once() -> None:
    controller = UtilizationController(minimum=3, maximum=8)
    controller.set_maximum(2)
    assert (controller.level, controller.minimum, controller.maximum) == (2, 2, 2)
    controller.set_minimum(5)
    assert repr(controller) == "UtilizationController(level=5, searching, minimum=5, maximum=5)"
    assert controller.decisions[-1].reason == "limits_changed"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"minimum": 0}, "minimum 0"),
        ({"maximum": 1.5}, "maximum is 1.5; it must be a whole number of threads"),
        ({"low": 0.95}, "low is 0.95"),
        ({"high": 1}, "high is 1.0"),
        ({"low": "much"}, "low is 'much'"),
    ],
)
def test_what_cannot_be_is_refused_by_name(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(SettingError, match=said):
        UtilizationController(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan"), "busy", True])
def test_a_utilization_that_cannot_be_is_refused(wrong: object) -> None:
    with pytest.raises(SettingError, match="utilization is"):
        UtilizationController().update(wrong)  # type: ignore[arg-type]
