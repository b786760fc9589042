"""How long a tuple takes from the source to the sink, at equal input rates.

The tuples of each 50 us become due together; a contender whose source has nothing to do sleeps
until then. Latency counts from the moment a tuple was due, so holding up the source is no way
to look fast.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence

from penstock.bench.contenders import Case, Entrant
from penstock.bench.report import Grid, Point, Target
from penstock.bench.section import Answer, Section, Stage

CASE = Case("pipeline", depth=10, width=1, cost=100)
LOW, HIGH = 10_000, 100_000  # tuples a second
CHAIN = Entrant("chain")
CONVEYOR = Entrant("conveyor", 2, 1024)
AUTOMATIC = Entrant("automatic", 2, 1024)
PEER = Entrant("tbb-pipeline", 2, 1)
ENTRANTS = (
    CHAIN,
    Entrant("manual", 1, 1024),
    CONVEYOR,
    Entrant("dynamic", 2, 1024),
    Entrant("dedicated", 2, 1024),
    AUTOMATIC,
    Entrant("as-printed", 2, 1),
    PEER,
    Entrant("tbb-pipeline", 2, 64),
    Entrant("tbb-graph", 2, 1),
)
MEASURES = ("p50_us", "p99_us", "cores", "source_late_p99_us")

Medians = Mapping[str, float]


def latency(stage: Stage) -> Section:
    """Measure every entrant that is there at a low and at a high rate."""
    seconds = stage.size.scale * (0.1 if stage.size.quick else 0.5)
    entrants = [each for each in ENTRANTS if stage.has(each.contender)]
    found: dict[tuple[int, Entrant], Medians] = {}
    for rate in (LOW, HIGH):
        turns = {each.label: _turn(stage, each, rate, seconds) for each in entrants}
        what = f"latency at {rate} tuples/s: "
        answers = stage.rounds_of(turns, 3 if stage.size.quick else 7, 60.0, what)
        found |= {(rate, each): _medians(answers[each.label]) for each in entrants}
    points = tuple(
        Point(f"latency at {rate} tuples/s/{each.label}", medians)
        for (rate, each), medians in found.items()
    )
    return Section(points, targets(found), tuple(_grid(rate, found) for rate in (LOW, HIGH)))


def targets(found: Mapping[tuple[int, Entrant], Medians]) -> tuple[Target, ...]:
    """The goals for which both sides were measured."""
    goals = (
        ("p50", "p50_us", HIGH, CHAIN, 2.0),
        ("p99", "p99_us", HIGH, PEER, 1.0),
        ("CPU", "cores", LOW, PEER, 0.5),
    )
    made: list[Target] = []
    for own in (CONVEYOR, AUTOMATIC):
        for name, measure, rate, other, goal in goals:
            if (rate, own) in found and (rate, other) in found:
                value = found[rate, own][measure] / found[rate, other][measure]
                title = f"{name} at {rate} tuples/s: {own.contender} / {other.contender}"
                made.append(Target(title, value, most=goal))
    return tuple(made)


def _turn(stage: Stage, entrant: Entrant, rate: int, seconds: float) -> Callable[[], Answer]:
    request = {**CASE.request(), **entrant.request(CASE), "rate": rate}
    return lambda: stage.ask(**request, tuples=max(1, round(rate * seconds)))


def _medians(answers: Sequence[Answer]) -> Medians:
    cores = [{"cores": each["cpu_s"] / each["seconds"], **each} for each in answers]
    return {name: statistics.median(each[name] for each in cores) for name in MEASURES}


def _grid(rate: int, found: Mapping[tuple[int, Entrant], Medians]) -> Grid:
    rows = {
        entrant.label: tuple(medians[name] for name in MEASURES)
        for (at, entrant), medians in found.items()
        if at == rate
    }
    title = f"latency through {CASE.depth} operators of cost {CASE.cost}, {rate} tuples/s"
    return Grid(title, tuple(name.replace("_", " ") for name in MEASURES), rows)
