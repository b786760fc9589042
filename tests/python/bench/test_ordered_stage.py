from __future__ import annotations

from dataclasses import replace

import pytest

from penstock.bench.ordered_stage import (
    ALONE,
    CASES,
    FLAT,
    LATENCY,
    LIGHT,
    MANY,
    SKEWED,
    Case,
    Result,
    ordered_stage,
    section_of,
    targets,
)
from penstock.bench.section import Answer, Stage
from penstock.bench.suites import Size

SAME = Result(rate=1000.0, runs=3, broken=0, blocked=0.1, latency=(100.0, 200.0))


def everywhere_the_same() -> dict[tuple[Case, str], Result]:
    return {(case, name): SAME for case in CASES for name in case.contenders}


def answer(rate: float, blocked: float, correct: str = "yes") -> Answer:
    return {
        "tuples_per_s": rate,
        "blocked_share": blocked,
        "p50_us": rate / 10,
        "p99_us": rate / 5,
        "correct": correct,
    }


def test_medians_are_reported_and_runs_that_break_the_order_counted() -> None:
    answers = [answer(1.0, 0.3), answer(9.0, 0.1, "no"), answer(5.0, 0.2)]
    assert Result.of(answers) == Result(5.0, 3, 1, 0.2, (0.5, 1.0))


def test_without_clocks_there_is_neither_time_blocked_nor_latency() -> None:
    result = Result.of([{"tuples_per_s": 4.0, "correct": "yes"}])
    assert result.blocked is None
    assert result.latency is None
    assert result.point("p", Result(2.0, 1, 0)).document() == {
        "name": "p",
        "tuples_per_s": 4.0,
        "speed_up": 2.0,
        "runs": 1,
        "order": "kept",
    }


@pytest.mark.parametrize("wrong", ["yes", "no"])
def test_rates_come_from_runs_without_clocks_and_the_order_is_checked_with_and_without(
    monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    def ask(_: Stage, **request: str | float) -> Answer:
        broken = request["contender"] == "baton" and request["timed"] == wrong
        made = answer(10.0 if request["timed"] == "yes" else 20.0, 0.1, "no" if broken else "yes")
        if request["timed"] == "no":
            del made["blocked_share"], made["p50_us"], made["p99_us"]
        return made

    monkeypatch.setattr(Stage, "ask", ask)
    points = ordered_stage(Stage(Size(quick=True), lambda _: None, ())).points
    assert {point.measures["tuples_per_s"] for point in points} == {20.0}
    assert {point.measures.get("p50_us") for point in points} == {None, 1.0}
    broken = {point.name for point in points if point.measures["order"] == "broken"}
    assert broken == {f"{case.name}/baton" for case in (*LIGHT, MANY)}


def test_one_thread_gets_as_many_tuples_as_take_it_the_same_time() -> None:
    one, two = LIGHT[1].request(ALONE, 0.1), LIGHT[1].request("lock", 0.1)
    assert (one["workers"], one["tuples"], one["warm"]) == (1, 10_000, 2_500)
    assert (two["workers"], two["tuples"], two["warm"]) == (2, 20_000, 5_000)
    assert MANY.request("lock", 1e-9)["tuples"] == 1
    assert MANY.request("lock", 1.0)["selectivity"] == 50


def test_every_goal_is_judged_with_the_ratio_it_names() -> None:
    found = everywhere_the_same()
    for case in LIGHT[1:]:
        found[case, "nonblocking"] = replace(SAME, rate=1500.0, blocked=0.025)
    found[SKEWED, "hybrid"] = replace(SAME, rate=1300.0)
    found[FLAT, "hybrid"] = replace(SAME, rate=1200.0)
    found[LATENCY, "hybrid"] = replace(SAME, latency=(250.0, 300.0))
    found[LATENCY, "partitioned"] = replace(SAME, latency=(5000.0, 9000.0))
    assert [(t.name, t.value, t.goal, t.holds) for t in targets(found)] == [
        ("E22 10 us: throughput, nonblocking / lock", 1.5, ">= 1", True),
        ("E22 10 us: time blocked, lock / nonblocking", 4.0, ">= 2", True),
        ("E22 20 us: throughput, nonblocking / lock", 1.5, ">= 1", True),
        ("E22 20 us: time blocked, lock / nonblocking", 4.0, ">= 2", True),
        ("E23 50 outputs: throughput, nonblocking / lock", 1.0, ">= 1.05", False),
        ("E19 gaussian 0.2: throughput, hybrid / partitioned", 1.3, ">= 1.2", True),
        ("E19 gaussian 4: throughput, hybrid / partitioned, from", 1.2, ">= 0.9", True),
        ("E19 gaussian 4: throughput, hybrid / partitioned, to", 1.2, "<= 1.1", False),
        ("E20 100 partitions: p50 of hybrid / cost", 2.5, "<= 3", True),
        ("E20 100 partitions: p50, partitioned / hybrid", 20.0, ">= 10", True),
    ]


@pytest.mark.parametrize(("blocked", "goal"), [(0.09, ">= 0.98"), (0.1, ">= 1.05")])
def test_who_is_less_blocked_with_many_outputs_may_be_as_fast(blocked: float, goal: str) -> None:
    found = everywhere_the_same()
    found[MANY, "nonblocking"] = replace(SAME, blocked=blocked)
    (target,) = (each for each in targets(found) if each.name.startswith("E23"))
    assert target.goal == goal


def test_who_was_never_blocked_can_be_compared() -> None:
    found = everywhere_the_same()
    for case in LIGHT:
        found[case, "nonblocking"] = replace(SAME, blocked=0.0)
    assert all(each.holds for each in targets(found) if "time blocked" in each.name)


def test_a_broken_order_is_shown_and_misses_a_goal() -> None:
    found = everywhere_the_same()
    section = section_of(found)
    assert section.targets[0].holds
    assert section.grids[0].rows["E22 1 us/lock"][0] == "1 k"
    found[LIGHT[0], "lock"] = replace(SAME, broken=2)
    section = section_of(found)
    assert (section.targets[0].value, section.targets[0].holds) == (2, False)
    assert section.grids[0].rows["E22 1 us/lock"][0] == "1 k*"
    (point,) = (each for each in section.points if each.name == "E22 1 us/lock")
    assert point.measures["order"] == "broken"


def test_the_tables_have_a_row_for_every_point() -> None:
    section = section_of(everywhere_the_same())
    rows = [name for grid in section.grids for name in grid.rows]
    assert sorted(rows) == sorted(point.name for point in section.points)
