from __future__ import annotations

from collections.abc import Iterator

from penstock.bench.confirm import ROUNDS, Turn, again, is_close
from penstock.bench.contenders import Case, Entrant
from penstock.bench.section import Answer, Stage
from penstock.bench.suites import Size
from penstock.bench.throughput import decide

CASE = Case("pipeline", 10, 1, 1)
CHAIN, MANUAL = Entrant("chain"), Entrant("manual", 1, 1024)
BATCH = Entrant("manual", 1, 1024, "batch")


def stage(told: list[str] | None = None) -> Stage:
    return Stage(Size(), ([] if told is None else told).append, ())


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


def test_a_fifth_from_the_line_is_close_on_either_side() -> None:
    assert [is_close(value, 2.0) for value in (1.5, 1.7, 2.3, 2.5)] == [False, True, True, False]


def test_the_middle_of_the_ratios_counts_and_the_first_round_does_not() -> None:
    slow_once = turn(100.0, 3.0, 1.0, 3.0)
    pairs = {"a / b": (slow_once, turn(1.0))}
    assert list(again(stage(), pairs, "tuples_per_s", 60.0)) == [("a / b", 3.0, ROUNDS)]


def test_a_machine_that_slows_down_between_two_rounds_changes_no_ratio() -> None:
    pairs = {"a / b": (turn(8.0, 4.0, 2.0), turn(4.0, 2.0, 1.0))}
    assert list(again(stage(), pairs, "tuples_per_s", 60.0)) == [("a / b", 2.0, ROUNDS)]


def test_goals_close_to_their_line_are_decided_by_the_two_alone() -> None:
    told: list[str] = []
    rates = {(CASE, CHAIN): 10.0, (CASE, MANUAL): 8.5, (CASE, BATCH): 90.0}
    turns = {(CASE, CHAIN): turn(10.0), (CASE, MANUAL): turn(9.5), (CASE, BATCH): turn(1.0)}
    targets, points = decide(stage(told), rates, turns)
    assert [(target.name, target.value) for target in targets] == [
        ("pipeline of 10, cost 1: one thread / chain, tuple interface", 0.95),
        ("pipeline of 10, cost 1: one thread / chain, batch interface", 9.0),
    ]
    name = "pipeline of 10, cost 1: manual x1 b1024 tuple / chain x1 b1 tuple"
    assert [(point.name, point.measures) for point in points] == [
        (f"the two alone, {name}", {"ratio": 0.95, "runs": ROUNDS})
    ]
    assert set(told) == {f"again, {name}: a", f"again, {name}: b"}
