from __future__ import annotations

from dataclasses import replace

import pytest

from penstock.bench.heuristics import (
    HEURISTICS,
    LOADS,
    QUERIES,
    WORKERS,
    Run,
    heuristics,
    section_of,
    targets,
)
from penstock.bench.programs import POLICIES, Program, own_program
from penstock.bench.section import Section, Stage
from penstock.bench.suites import Size

GOOD = {
    "LP": Run(1.0, 2.0, 5_000, 100, correct=True),
    "CT": Run(1.0, 4.0, 5_000, 900, correct=True),
    "ET": Run(0.4, 9.0, 3_000, 4_000, correct=True),
    "QST": Run(1.0, 90.0, 5_000, 2_000, correct=True),
}


def good() -> dict[tuple[str, str, int, str], Run]:
    return {
        (load, query, workers, name): GOOD[name]
        for load in LOADS
        for query in QUERIES
        for workers in WORKERS
        for name in HEURISTICS
    }


def missed(found: dict[tuple[str, str, int, str], Run]) -> list[str]:
    return [target.name for target in targets(found) if not target.holds]


def test_what_the_paper_found_meets_every_goal() -> None:
    assert missed(good()) == []


@pytest.mark.parametrize(
    ("load", "name", "run", "goal"),
    [
        ("backlog", "LP", replace(GOOD["LP"], latency_ms=3.9), "latency, QST / LP"),
        ("backlog", "CT", replace(GOOD["CT"], latency_ms=1.9), "latency, LP / least of the others"),
        ("overload", "ET", replace(GOOD["ET"], reached=0.6), "throughput under overload, ET / CT"),
        (
            "overload",
            "QST",
            replace(GOOD["QST"], reached=0.39),
            "throughput under overload, ET / least of the others",
        ),
        ("overload", "ET", replace(GOOD["ET"], behind=2_600), "tuples behind the first operator"),
        ("overload", "CT", replace(GOOD["CT"], behind=1_500), "tuples behind the first operator"),
        (
            "overload",
            "LP",
            replace(GOOD["LP"], reached=1.1),
            "throughput under overload, CT / best",
        ),
    ],
)
def test_the_worst_machine_decides(load: str, name: str, run: Run, goal: str) -> None:
    found = good() | {(load, "q2", 8, name): run}
    if goal == "latency, QST / LP":
        found[load, "q2", 8, "QST"] = replace(GOOD["QST"], latency_ms=11.0)
    (only,) = missed(found)
    assert only.startswith(f"E18 q2: {goal}")


def test_latency_that_grows_with_the_run_is_marked_and_decides_nothing() -> None:
    found = good()
    for name in HEURISTICS:
        grown = replace(GOOD[name], latency_ms=400.0, steady=False)
        found["backlog", "q4", 16, name] = grown
    assert missed(found) == []
    assert section_of(found).grids[0].rows["q4, 16 workers"][0] == "1.00, 400.0 ms, grows"


def test_throughput_counts_also_where_latency_grows() -> None:
    slow = replace(GOOD["ET"], reached=0.6, steady=False)
    (only,) = missed(good() | {("overload", "q4", 16, "ET"): slow})
    assert only == "E18 q4: throughput under overload, ET / CT"


def test_order_that_is_broken_misses_a_goal_and_is_marked() -> None:
    found = good() | {("backlog", "q1", 2, "LP"): replace(GOOD["LP"], correct=False)}
    section = section_of(found)
    assert not section.targets[0].holds
    assert section.grids[0].rows["q1, 2 workers"][0] == "1.00, 2.0 ms*"


@pytest.fixture(scope="module")
def section() -> Section:
    with Program(own_program(POLICIES)) as program:
        return heuristics(Stage(Size(quick=True), lambda _: None, (program,)))


def test_all_of_it_is_simulated(section: Section) -> None:
    assert len(section.points) == len(LOADS) * len(QUERIES) * len(WORKERS) * len(HEURISTICS)
    assert section.targets[0].holds


def test_every_machine_has_the_same_backlog_for_each_worker(section: Section) -> None:
    waiting = {point.name: point.measures["waiting_at_end"] for point in section.points}
    assert [waiting[f"E18 q3, {workers} workers, backlog/LP"] for workers in WORKERS] == [
        500 * workers for workers in WORKERS
    ]


def test_workers_pass_on_whole_slices(section: Section) -> None:
    latency = {point.name: float(point.measures["mean_ms"]) for point in section.points}
    # Of three operators at which a worker stays for as much as a millisecond. Tuple by tuple it
    # would be as little as they take together.
    assert 0.5 < latency["E18 q15, 16 workers, backlog/CT"] < 3.0


def test_estimated_time_comes_last_under_overload(section: Section) -> None:
    reached = {point.name: point.measures["throughput_of_most"] for point in section.points}
    for query in QUERIES:
        for workers in WORKERS:
            case = f"E18 {query}, {workers} workers, overload"
            assert float(reached[f"{case}/ET"]) < 0.55 * float(reached[f"{case}/CT"]), case


def test_estimated_time_alone_leaves_tuples_on_their_way(section: Section) -> None:
    goals = [each for each in section.targets if "behind the first operator" in each.name]
    assert len(goals) == len(QUERIES)
    assert all(each.holds for each in goals)
