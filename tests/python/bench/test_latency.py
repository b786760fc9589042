from __future__ import annotations

from penstock.bench.contenders import Entrant
from penstock.bench.latency import (
    AUTOMATIC,
    CHAIN,
    CONVEYOR,
    GOALS,
    HIGH,
    LOW,
    PEER,
    goals_of,
    targets,
)


def found(*pairs: tuple[int, Entrant]) -> dict[tuple[int, Entrant], dict[str, float]]:
    return {pair: {} for pair in pairs}


def test_latency_is_compared_at_the_high_rate_and_cpu_at_the_low_one() -> None:
    there = found((LOW, CONVEYOR), (LOW, PEER), (HIGH, CHAIN), (HIGH, CONVEYOR), (HIGH, PEER))
    assert [(goal.title, goal.measure, goal.most) for goal in goals_of(there)] == [
        ("p50 at 100000 tuples/s: conveyor / chain", "p50_us", 2.0),
        ("p99 at 100000 tuples/s: conveyor / tbb-pipeline", "p99_us", 1.0),
        ("CPU at 10000 tuples/s: conveyor / tbb-pipeline", "cores", 0.5),
    ]


def test_without_peers_only_the_chain_is_compared_with() -> None:
    (goal,) = goals_of(found((HIGH, CHAIN), (HIGH, AUTOMATIC), (LOW, AUTOMATIC)))
    assert goal.title == "p50 at 100000 tuples/s: automatic / chain"


def test_a_goal_holds_as_the_two_alone_decided() -> None:
    assert [
        (t.name, t.value, t.holds) for t in targets({GOALS[0]: (1.5, 15), GOALS[1]: (1.1, 9)})
    ] == [
        ("p50 at 100000 tuples/s: conveyor / chain", 1.5, True),
        ("p99 at 100000 tuples/s: conveyor / tbb-pipeline", 1.1, False),
    ]
