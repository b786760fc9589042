from __future__ import annotations

from typing import Any

import pytest

from penstock.elastic import Candidate, ReplicaController, bottleneck
from penstock.errors import SettingError


@pytest.mark.parametrize(
    "second",
    [
        Candidate("b", 0.5, 0.0),
        {"name": "b", "input_blocked": [0.4, 0.6], "output_blocked": []},
        ("b", 0.5),
        ["b", [0.5], [0.0, 0.005], True],
    ],
)
def test_candidates_may_be_written_in_several_ways(second: Any) -> None:
    assert bottleneck([("a", 0.9, 0.5), second, ("c", 0.9)]) == "b"


def test_nothing_is_the_bottleneck_where_nothing_is_blocked_or_can_be_replicated() -> None:
    assert bottleneck([]) is None
    assert bottleneck([("a", 0.009)]) is None
    assert bottleneck([("merge", 0.9, 0.0, False)]) is None
    assert bottleneck([("a", 0.05)], tau=0.06) is None


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("ab", r"candidates\[1\] is 'ab'; it needs 'name' and 'input_blocked'"),
        (("b",), r"candidates\[1\] is \('b',\)"),
        (("b", 0.1, 0.1, True, 5), r"candidates\[1\]"),
        ({"name": "b", "input_blocked": 0, "input": 0}, r"candidates\[1\]"),
        ((5, 0.1), "the name of a candidate is 5"),
        (("b", 1.5), "operator 'b': an input was blocked for a part of 1.5"),
        (("b", 0.5, [-1]), "operator 'b': an output"),
        (("b", []), "operator 'b' has no input"),
        (("b", "all"), "input_blocked of operator 'b' is 'all'"),
        (("b", 0.5, 0.0, 0.3), "replicable of operator 'b' is 0.3"),
    ],
)
def test_what_is_no_candidate_is_refused_by_name(wrong: Any, said: str) -> None:
    with pytest.raises(SettingError, match=said):
        bottleneck([("a", 0.9), wrong])


def test_a_threshold_that_cannot_be_is_refused() -> None:
    with pytest.raises(SettingError, match="tau is 0"):
        bottleneck([], tau=0)


def test_replicas_are_added_one_at_a_time_up_to_the_limit() -> None:
    controller = ReplicaController(maximum={"a": 2})
    line = [("a", 0.5, 0.0), ("b", 0.5)]
    assert controller.update(line, 100) == {"a": 2, "b": 1}
    assert controller.update(line, 200) == {"a": 2, "b": 2}
    assert controller.hold() == {"a": 2, "b": 2}
    assert [each.operator for each in controller.decisions] == ["a", "b", None]
    assert not controller.settled


def test_one_limit_may_hold_for_all() -> None:
    controller = ReplicaController(maximum=1)
    assert controller.update([("a", 0.5)], 100) == {"a": 1}
    assert controller.decisions[-1].reason == "most_replicas"


def test_impossible_limits_and_doubles_are_refused() -> None:
    for wrong in (0, {"a": 70_000}, {"a": 1.5}):
        with pytest.raises(SettingError, match="maximum is"):
            ReplicaController(maximum=wrong)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="give each operator once"):
        ReplicaController().update([("a", 0.5), ("a", 0.5)], 1)
