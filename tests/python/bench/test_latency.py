from __future__ import annotations

from penstock.bench.latency import AUTOMATIC, CHAIN, CONVEYOR, HIGH, LOW, PEER, targets


def medians(p50: float, p99: float, cores: float) -> dict[str, float]:
    return {"p50_us": p50, "p99_us": p99, "cores": cores}


def test_latency_is_compared_at_the_high_rate_and_cpu_at_the_low_one() -> None:
    found = {
        (LOW, CHAIN): medians(90.0, 90.0, 0.2),
        (LOW, CONVEYOR): medians(90.0, 90.0, 0.3),
        (LOW, PEER): medians(90.0, 90.0, 1.0),
        (HIGH, CHAIN): medians(4.0, 30.0, 0.3),
        (HIGH, CONVEYOR): medians(6.0, 40.0, 0.4),
        (HIGH, PEER): medians(10.0, 50.0, 1.5),
    }
    assert {(t.name, t.value, t.goal) for t in targets(found)} == {
        ("p50 at 100000 tuples/s: conveyor / chain", 1.5, "<= 2"),
        ("p99 at 100000 tuples/s: conveyor / tbb-pipeline", 0.8, "<= 1"),
        ("CPU at 10000 tuples/s: conveyor / tbb-pipeline", 0.3, "<= 0.5"),
    }


def test_without_peers_only_the_chain_is_compared_with() -> None:
    found = {(HIGH, CHAIN): medians(4.0, 30.0, 0.3), (HIGH, AUTOMATIC): medians(9.0, 40.0, 0.4)}
    assert [(t.name, t.holds) for t in targets(found)] == [
        ("p50 at 100000 tuples/s: automatic / chain", False)
    ]
