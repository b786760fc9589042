from __future__ import annotations

from dataclasses import replace

import pytest

from penstock.bench.ordered_queries import (
    AS_THEY_ARE,
    CASES,
    CONTENDERS,
    FAN,
    WITH_WORK,
    Case,
    Result,
    ordered_queries,
    section_of,
    targets,
)
from penstock.bench.section import Answer, Stage
from penstock.bench.suites import Size

SAME = Result(rate=1000.0, latency=(100.0, 200.0), runs=3, broken=0)


def everywhere_the_same() -> dict[tuple[Case, str], Result]:
    return {(case, name): SAME for case in CASES for name in CONTENDERS}


def answer(rate: float, correct: str = "yes") -> Answer:
    return {"rows_per_s": rate, "p50_us": rate / 10, "p99_us": rate / 5, "correct": correct}


def test_medians_are_reported_and_wrong_results_counted() -> None:
    answers = [answer(1.0), answer(9.0, "no"), answer(5.0)]
    assert Result.of(answers) == Result(5.0, (0.5, 1.0), 3, 1)


def test_both_sets_have_the_five_queries_and_only_one_has_work_added() -> None:
    names = ["q1", "q2", "q3", "q4", "q15"]
    assert [case.query for case in AS_THEY_ARE] == [case.query for case in WITH_WORK] == names
    assert {case.us for case in AS_THEY_ARE} == {0}
    assert {case.us for case in WITH_WORK} == {5}


def test_every_contender_is_asked_for_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[tuple[str, float], set[float]] = {}

    def ask(_: Stage, **request: str | float) -> Answer:
        assert request["kind"] == "query"
        rows = asked.setdefault((str(request["query"]), float(request["us"])), set())
        rows.add(float(request["rows"]))
        return answer(7.0, "no" if request["contender"] == "lock" else "yes")

    monkeypatch.setattr(Stage, "ask", ask)
    section = ordered_queries(Stage(Size(quick=True, scale=0.5), lambda _: None, ()))
    assert asked == {(case.query, case.us): {case.rows / 10} for case in CASES}
    wrong = {point.name for point in section.points if point.measures["result"] == "wrong"}
    assert wrong == {f"{case.name}/lock" for case in CASES}


def test_a_share_is_never_without_rows() -> None:
    assert Case("q1", 1000).request("lock", 1e-9)["rows"] == 1


def test_every_goal_is_judged_with_the_ratio_it_names() -> None:
    found = everywhere_the_same()
    q1, q2, q3, q4, q15 = AS_THEY_ARE
    found[q1, "partitioned"] = replace(SAME, rate=1250.0)
    found[q2, "partitioned"] = replace(SAME, latency=(400.0, 500.0))
    found[q3, "partitioned"] = replace(SAME, latency=(50.0, 500.0))
    found[q4, "lock"] = replace(SAME, rate=500.0)
    found[q15, "lock"] = replace(SAME, rate=4000.0)
    part = "throughput, hybrid / partitioned"
    lock = "throughput, nonblocking / lock"
    assert [(t.name, t.value, t.goal, t.holds) for t in targets(found, AS_THEY_ARE)] == [
        (f"E21 q1: {part}", 0.8, ">= 0.95", False),
        (f"E21 q2: {part}", 1.0, ">= 0.95", True),
        (f"E21 q3: {part}", 1.0, ">= 0.95", True),
        (f"E21 q4: {part}", 1.0, ">= 0.95", True),
        (f"E21 q15: {part}", 1.0, ">= 0.95", True),
        ("E21 q2: p50, hybrid / partitioned", 0.25, "<= 1", True),
        ("E21 q3: p50, hybrid / partitioned", 2.0, "<= 1", False),
        (f"E24 q1: {lock}", 1.0, ">= 0.98", True),
        (f"E24 q2: {lock}", 1.0, ">= 0.98", True),
        (f"E24 q3: {lock}", 1.0, ">= 0.98", True),
        (f"E24 q4: {lock}", 2.0, ">= 0.98", True),
        (f"E24 q15: {lock}", 0.25, ">= 0.98", False),
        (f"E24 geometric mean: {lock}", pytest.approx(0.5**0.2), ">= 1", False),
    ]


def test_the_goals_of_both_sets_have_names_of_their_own() -> None:
    names = [target.name for target in section_of(everywhere_the_same()).targets]
    assert len(set(names)) == len(names) == 1 + 2 * 13 + 1
    assert "E21 q2, 5 us more: p50, hybrid / partitioned" in names
    assert "E24 geometric mean, 5 us more: throughput, nonblocking / lock" in names


def test_the_fan_compares_ways_to_keep_the_order_before_an_operator_with_keys() -> None:
    assert FAN in CASES
    assert (FAN.query, FAN.us) == ("fan", 100)
    found = everywhere_the_same()
    found[FAN, "hybrid"] = replace(SAME, rate=900.0)
    goal = section_of(found).targets[-1]
    assert goal.name == "E23 fan, 100 us more: throughput, nonblocking / lock"
    assert (goal.value, goal.holds) == (0.9, False)


def test_a_wrong_result_is_shown_and_misses_a_goal() -> None:
    found = everywhere_the_same()
    section = section_of(found)
    assert section.targets[0].holds
    assert section.grids[0].rows["q4/lock"] == ("1 k", 1.0, 100.0, 200.0)
    found[AS_THEY_ARE[3], "lock"] = replace(SAME, broken=2)
    section = section_of(found)
    assert (section.targets[0].value, section.targets[0].holds) == (2, False)
    assert section.grids[0].rows["q4/lock"][0] == "1 k*"


def test_the_gain_is_that_over_one_thread_without_queues() -> None:
    found = everywhere_the_same()
    found[AS_THEY_ARE[0], "hybrid"] = replace(SAME, rate=1500.0)
    (point,) = (each for each in section_of(found).points if each.name == "q1/hybrid")
    assert point.document() == {
        "name": "q1/hybrid",
        "rows_per_s": 1500.0,
        "speed_up": 1.5,
        "p50_us": 100.0,
        "p99_us": 200.0,
        "runs": 3,
        "result": "same",
    }


def test_the_table_has_a_row_for_every_point_and_a_note_says_who_schedules() -> None:
    section = section_of(everywhere_the_same())
    assert list(section.grids[0].rows) == [point.name for point in section.points]
    assert "CT policy" in section.notes[0]
