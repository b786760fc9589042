from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import pytest

from penstock.bench.confirm import (
    ENOUGH,
    ROUNDS,
    Decided,
    Doubt,
    Turn,
    again,
    grids_of,
    is_close,
    points_of,
)
from penstock.bench.contenders import Case, Entrant
from penstock.bench.section import Answer, Stage
from penstock.bench.suites import Size
from penstock.bench.throughput import decide

CASE = Case("pipeline", 10, 1, 1)
CHAIN, MANUAL = Entrant("chain"), Entrant("manual", 1, 1024)
BATCH = Entrant("manual", 1, 1024, "batch")


def stage(told: list[str] | None = None) -> Stage:
    return Stage(Size(), ([] if told is None else told).append, ())


def doubt(place: str, own: str, other: str, margin: float = 1.1) -> Doubt:
    return Doubt(place, own, other, "tuples_per_s", 1.0, margin)


def turn(*rates: float) -> Turn:
    """Answers with one rate after another, and then with the last one again."""

    def following() -> Iterator[float]:
        yield from rates
        while True:
            yield rates[-1]

    left = following()

    def measure() -> Answer:
        return {"tuples_per_s": next(left)}

    return measure


@dataclass
class Asked:
    """What one call for rounds asked for."""

    what: str
    labels: tuple[str, ...]
    patience: float
    least: int
    warm_ups: int


@dataclass
class NotingStage(Stage):
    """Answers at once, and notes what it was asked for."""

    asked: list[Asked] = field(default_factory=list)

    def rounds_of(
        self,
        contenders: Mapping[str, Callable[[], Answer]],
        rounds: int,
        patience: float,
        what: str,
        *,
        warm_ups: int = 1,
        least: int = 1,
    ) -> dict[str, list[Answer]]:
        self.asked.append(Asked(what, tuple(contenders), patience, least, warm_ups))
        return {label: [run()] * rounds for label, run in contenders.items()}


def noted(doubts: list[Doubt], seconds: float = 100.0) -> list[Asked]:
    there = NotingStage(Size(), lambda _: None, ())
    sides = {(each.place, side) for each in doubts for side in (each.own, each.other)}
    again(there, doubts, dict.fromkeys(sides, turn(1.0)), seconds)
    return there.asked


def test_a_fifth_from_the_line_is_close_on_either_side() -> None:
    assert [is_close(value, 2.0) for value in (1.5, 1.7, 2.3, 2.5)] == [False, True, True, False]


def test_the_middle_of_the_ratios_counts() -> None:
    turns = {("here", "a"): turn(100.0, 3.0, 1.0, 3.0), ("here", "b"): turn(1.0)}
    asked = doubt("here", "a", "b")
    assert again(stage(), [asked], turns, 60.0) == {asked: Decided(3.0, ROUNDS)}


def test_a_machine_that_slows_down_between_two_rounds_changes_no_ratio() -> None:
    turns = {("here", "a"): turn(8.0, 4.0, 2.0), ("here", "b"): turn(4.0, 2.0, 1.0)}
    asked = doubt("here", "a", "b")
    assert again(stage(), [asked], turns, 60.0) == {asked: Decided(2.0, ROUNDS)}


def test_ratios_of_a_place_share_rounds_in_which_each_side_has_one_turn() -> None:
    doubts = [doubt("here", "a", "b"), doubt("here", "c", "b"), doubt("there", "a", "b")]
    assert [(each.what, each.labels) for each in noted(doubts)] == [
        ("again, here: ", ("a", "b", "c")),
        ("again, there: ", ("a", "b")),
    ]


def test_every_ratio_has_enough_rounds_and_none_is_wasted_on_getting_warm() -> None:
    (asked,) = noted([doubt("here", "a", "b")])
    assert (asked.least, asked.warm_ups) == (ENOUGH, 0)


def test_missed_goals_come_first_by_themselves_and_have_twice_the_time() -> None:
    doubts = [doubt("far", "a", "b", 1.2), doubt("near", "a", "b", 1.1)]
    doubts += [doubt("far", "c", "b", 0.9)]
    missed, near, far = noted(doubts)
    assert [each.what for each in (missed, near, far)] == [
        "again, far: ",
        "again, near: ",
        "again, far: ",
    ]
    assert (missed.labels, far.labels) == (("c", "b"), ("a", "b"))
    assert missed.patience == pytest.approx(50.0, rel=0.01)
    assert near.patience == pytest.approx(50.0, rel=0.01), "what nobody used is handed on"


def test_what_no_seconds_are_left_for_is_said_not_to_be_decided() -> None:
    doubts = [doubt("here", "a", "b")]
    assert noted(doubts, seconds=0.0) == []
    (grid,) = grids_of("speed", doubts, {})
    assert grid.rows == {"here: a / b": (1.0, "not decided", 0)}


def test_what_decided_is_shown_beside_what_the_first_rounds_said() -> None:
    late = Doubt("half load", "a", "b", "p99_us", 1.5, 0.7)
    decided = {late: Decided(0.8, 61)}
    (grid,) = grids_of("latency", [late], decided)
    assert grid.title == "latency, decided by rounds of the sides alone"
    assert grid.rows == {"half load, p99 us: a / b": (1.5, 0.8, 61)}
    (point,) = points_of(decided)
    assert point.name == "decided, half load, p99 us: a / b"
    assert point.measures == {"ratio": 0.8, "runs": 61}
    assert grids_of("latency", [], {}) == ()


def test_goals_close_to_their_line_are_decided_by_their_sides_alone() -> None:
    told: list[str] = []
    rates = {(CASE, CHAIN): 10.0, (CASE, MANUAL): 8.5, (CASE, BATCH): 90.0}
    turns = {
        (CASE.name, CHAIN.label): turn(10.0),
        (CASE.name, MANUAL.label): turn(9.5),
        (CASE.name, BATCH.label): turn(1.0),
    }
    found = decide(stage(told), rates, turns)
    assert [(target.name, target.value) for target in found.targets] == [
        ("pipeline of 10, cost 1: one thread / chain, tuple interface", 0.95),
        ("pipeline of 10, cost 1: one thread / chain, batch interface", 9.0),
    ]
    name = "pipeline of 10, cost 1: manual x1 b1024 tuple / chain x1 b1 tuple"
    assert [(point.name, point.measures) for point in found.points] == [
        (f"decided, {name}", {"ratio": 0.95, "runs": ROUNDS})
    ]
    (grid,) = found.grids
    assert grid.rows == {name: (0.85, 0.95, ROUNDS)}
    sides = (MANUAL.label, CHAIN.label)
    assert set(told) == {f"again, {CASE.name}: {side}" for side in sides}


def test_a_close_goal_that_was_not_decided_keeps_what_the_first_rounds_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("penstock.bench.throughput.again", lambda *_: {})
    found = decide(stage(), {(CASE, CHAIN): 10.0, (CASE, MANUAL): 8.5}, {})
    assert [target.value for target in found.targets] == [0.85]
    assert found.points == ()
