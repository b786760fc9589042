from __future__ import annotations

from collections.abc import Iterator

import pytest

from penstock.bench.interleave import Timing, interleave, ratio


class Clock:
    """A clock that only moves when a contender works."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def work(self, seconds: float) -> None:
        self.now += seconds


def test_contenders_take_turns_in_every_round() -> None:
    ran: list[str] = []
    interleave({"a": lambda: ran.append("a"), "b": lambda: ran.append("b")}, 2, warm_ups=1)
    assert ran == ["a", "b", "a", "b", "a", "b"]


def test_warm_ups_are_run_but_not_measured() -> None:
    clock = Clock()
    costs: Iterator[float] = iter([100.0, 1.0, 2.0, 3.0])
    timings = interleave({"a": lambda: clock.work(next(costs))}, 3, warm_ups=1, clock=clock)
    assert timings["a"].seconds == (1.0, 2.0, 3.0)


def test_each_contender_is_charged_only_for_its_own_work() -> None:
    clock = Clock()
    contenders = {"a": lambda: clock.work(1.0), "b": lambda: clock.work(5.0)}
    timings = interleave(contenders, 3, clock=clock)
    assert timings["a"].seconds == (1.0, 1.0, 1.0)
    assert timings["b"].seconds == (5.0, 5.0, 5.0)
    assert ratio(timings["b"], timings["a"]) == 5.0


def test_no_round_begins_after_patience_ran_out() -> None:
    clock = Clock()
    contenders = {"a": lambda: clock.work(4.0), "b": lambda: clock.work(4.0)}
    timings = interleave(contenders, 10, warm_ups=1, patience=20.0, clock=clock)
    assert len(timings["a"].seconds) == len(timings["b"].seconds) == 2


def test_one_round_is_measured_even_without_patience() -> None:
    clock = Clock()
    timings = interleave({"a": lambda: clock.work(9.0)}, 10, patience=0.0, clock=clock)
    assert timings["a"].seconds == (9.0,)


def test_enough_rounds_are_measured_whatever_patience_is() -> None:
    clock = Clock()
    timings = interleave(
        {"a": lambda: clock.work(9.0)}, 10, warm_ups=0, patience=1.0, least=4, clock=clock
    )
    assert timings["a"].seconds == (9.0,) * 4


def test_each_run_is_announced_before_it_begins() -> None:
    seen: list[str] = []
    interleave({"a": lambda: seen.append("run")}, 1, warm_ups=1, on_run=seen.append)
    assert seen == ["a", "run", "a", "run"]


def test_one_disturbed_run_moves_neither_median_nor_spread_far() -> None:
    timing = Timing((1.0, 1.0, 1.1, 1.1, 60.0))
    assert timing.median == 1.1
    assert timing.spread == pytest.approx(0.1)


def test_a_single_run_has_no_spread() -> None:
    assert Timing((2.0,)).spread == 0.0


@pytest.mark.parametrize(("names", "rounds"), [([], 1), (["a"], 0)])
def test_measuring_nothing_is_refused(names: list[str], rounds: int) -> None:
    with pytest.raises(ValueError, match="nothing to measure"):
        interleave({name: lambda: None for name in names}, rounds)
