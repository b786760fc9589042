from __future__ import annotations

from penstock.bench.confirm import Turn
from penstock.bench.contenders import Entrant
from penstock.bench.latency import (
    AUTOMATIC,
    CHAIN,
    CONVEYOR,
    HALF,
    HIGH,
    LOW,
    PEER,
    Medians,
    decide,
    goals_of,
    half_load,
    latency,
    overloaded,
)
from penstock.bench.programs import Program, own_program
from penstock.bench.section import Answer, Stage
from penstock.bench.suites import Size


def nothing(_: str) -> None:
    pass


def found(*pairs: tuple[str, Entrant], **measures: float) -> dict[tuple[str, Entrant], Medians]:
    return dict.fromkeys(pairs, measures)


def test_latency_is_compared_at_high_rates_and_cpu_at_the_low_one() -> None:
    loads = ((LOW, PEER), (HIGH, CHAIN), (HIGH, PEER), (HALF, CHAIN), (HALF, PEER))
    there = found(*loads, (LOW, CONVEYOR), (HIGH, CONVEYOR), (HALF, CONVEYOR))
    assert [(goal.title, goal.measure, goal.most) for goal in goals_of(there)] == [
        ("p50 at 100000 tuples/s: conveyor / chain", "p50_us", 2.0),
        ("p99 at 100000 tuples/s: conveyor / tbb-pipeline", "p99_us", 1.0),
        ("CPU at 10000 tuples/s: conveyor / tbb-pipeline", "cores", 0.5),
        ("p50 at half load: conveyor / chain", "p50_us", 2.0),
        ("p99 at half load: conveyor / tbb-pipeline", "p99_us", 1.0),
    ]


def test_without_peers_only_the_chain_is_compared_with() -> None:
    (goal,) = goals_of(found((HIGH, CHAIN), (HIGH, AUTOMATIC), (LOW, AUTOMATIC)))
    assert goal.title == "p50 at 100000 tuples/s: automatic / chain"


def test_goals_are_decided_by_many_rounds_of_all_sides_at_a_rate() -> None:
    told: list[str] = []
    there = found((HALF, CHAIN), (HALF, CONVEYOR), (HALF, PEER), p50_us=1.0, p99_us=1.0)
    late = iter([900.0, *[3.0] * 100])  # one run that was disturbed

    def turn(p50_us: float, p99_us: float) -> Turn:
        def measure() -> Answer:
            return {"p50_us": p50_us, "p99_us": next(late) if p99_us == 3.0 else p99_us}

        return measure

    turns = {
        (HALF, CHAIN.label): turn(2.0, 5.0),
        (HALF, CONVEYOR.label): turn(3.0, 3.0),
        (HALF, PEER.label): turn(9.0, 2.0),
    }
    decided = decide(Stage(Size(), told.append, ()), there, turns)
    assert [(t.name, t.value, t.holds) for t in decided.targets] == [
        ("p50 at half load: conveyor / chain", 1.5, True),
        ("p99 at half load: conveyor / tbb-pipeline", 1.5, False),
    ]
    assert told[:4] == [
        f"again, {HALF}: {each.label}" for each in (CONVEYOR, CHAIN, PEER, CONVEYOR)
    ]
    rounds = len(told) // 3
    assert rounds > 50
    (grid,) = decided.grids
    assert list(grid.rows.values()) == [(1.0, 1.5, rounds), (1.0, 1.5, rounds)]


def test_a_contender_that_cannot_keep_up_is_named_with_what_its_latency_is() -> None:
    there = {
        (LOW, PEER): {"tuples_per_s": 9_990.0},
        (HALF, CHAIN): {"tuples_per_s": 590_000.0},
        (HALF, PEER): {"tuples_per_s": 400_000.0},
    }
    (note,) = overloaded(there, {LOW: 10_000, HALF: 600_000})
    assert note.startswith("At half load, 600000 tuples/s, tbb-pipeline x2 b1 tuple did not keep")
    assert "a queue which grows" in note


def test_half_load_is_half_of_what_the_chain_carries() -> None:
    rates = iter([1.0, 9e9, 8e5, 6e5, 4e5])  # the first two do not count
    asked: list[Answer] = []

    class ChainStage(Stage):
        def ask(self, **request: str | float) -> Answer:
            asked.append(request)
            return {"tuples_per_s": next(rates)}

    assert half_load(ChainStage(Size(quick=True), nothing, ())) == 300_000
    assert {each["contender"] for each in asked} == {"chain"}
    assert not any("rate" in each for each in asked)


def test_an_elastic_model_has_found_its_threads_before_the_clock_starts() -> None:
    asked: list[Answer] = []

    class AskedStage(Stage):
        def has(self, contender: str) -> bool:
            return contender in ("chain", "automatic")

        def ask(self, **request: str | float) -> Answer:
            asked.append(request)
            measures = ("p50_us", "p99_us", "source_late_p99_us", "tuples_per_s")
            return {**dict.fromkeys(measures, 1e6), "cpu_s": 1.0, "seconds": 1.0}

    latency(AskedStage(Size(quick=True), nothing, ()))
    warm = {(each["contender"], each["rate"]): each["warm"] for each in asked if "rate" in each}
    assert warm["automatic", 100_000] == 50_000
    assert warm["chain", 100_000] == 1_000


def test_every_contender_is_measured_at_every_load() -> None:
    with Program(own_program()) as program:
        section = latency(Stage(Size(quick=True, scale=0.001), nothing, (program,)))
    points = {point.name: point.measures for point in section.points}
    for load in (LOW, HIGH, HALF):
        labels = next(grid.rows for grid in section.grids if load in grid.title)
        assert {f"latency at {load}/{label}" for label in labels} <= set(points)
        assert CONVEYOR.label in labels
    due = points[f"latency at {HALF}/{CHAIN.label}"]["due_per_s"]
    assert due == points[f"latency at {HALF}/{CONVEYOR.label}"]["due_per_s"]
    (grid,) = [grid for grid in section.grids if HALF in grid.title]
    assert f"{due} tuples/s" in grid.title
