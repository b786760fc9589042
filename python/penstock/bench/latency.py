"""How long a tuple takes from the source to the sink, at equal input rates.

The tuples of each 50 us become due together; a contender whose source has nothing to do sleeps
until then. Latency counts from the moment a tuple was due, so holding up the source is no way
to look fast. What is late in one run in a hundred depends on the machine's moods most of all, so
goals are decided by rounds of the two sides alone.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from penstock.bench.confirm import Turn, again
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


@dataclass(frozen=True, slots=True)
class Goal:
    """How much of what another entrant takes one may take.

    Attributes:
        name: What is compared, for the report.
        measure: What of the answers is compared.
        rate: At so many tuples a second.
        own: Who shall take little.
        other: Whom it is compared with.
        most: How much of that at most.
    """

    name: str
    measure: str
    rate: int
    own: Entrant
    other: Entrant
    most: float

    @property
    def title(self) -> str:
        """The goal in words."""
        return f"{self.name} at {self.rate} tuples/s: {self.own.contender} / {self.other.contender}"


GOALS = tuple(
    Goal(name, measure, rate, own, other, most)
    for own in (CONVEYOR, AUTOMATIC)
    for name, measure, rate, other, most in (
        ("p50", "p50_us", HIGH, CHAIN, 2.0),
        ("p99", "p99_us", HIGH, PEER, 1.0),
        ("CPU", "cores", LOW, PEER, 0.5),
    )
)

Found = Mapping[tuple[int, Entrant], Medians]


def latency(stage: Stage) -> Section:
    """Measure every entrant that is there at a low and at a high rate."""
    seconds = stage.size.scale * (0.1 if stage.size.quick else 0.5)
    entrants = [each for each in ENTRANTS if stage.has(each.contender)]
    found: dict[tuple[int, Entrant], Medians] = {}
    turns: dict[tuple[int, Entrant], Turn] = {}
    for rate in (LOW, HIGH):
        turns |= {(rate, each): _turn(stage, each, rate, seconds) for each in entrants}
        here = {each.label: turns[rate, each] for each in entrants}
        what = f"latency at {rate} tuples/s: "
        answers = stage.rounds_of(here, 3 if stage.size.quick else 7, 60.0, what)
        found |= {(rate, each): _medians(answers[each.label]) for each in entrants}
    ratios = decided(stage, goals_of(found), turns)
    points = tuple(
        Point(f"latency at {rate} tuples/s/{each.label}", medians)
        for (rate, each), medians in found.items()
    )
    alone = tuple(
        Point(f"the two alone, {goal.title}", {"ratio": ratio, "runs": runs})
        for goal, (ratio, runs) in ratios.items()
    )
    grids = tuple(_grid(rate, found) for rate in (LOW, HIGH))
    return Section((*points, *alone), targets(ratios), grids)


def decided(
    stage: Stage, goals: Sequence[Goal], turns: Mapping[tuple[int, Entrant], Turn]
) -> dict[Goal, tuple[float, int]]:
    """The ratio that decides each goal, and in how many rounds."""
    made: dict[Goal, tuple[float, int]] = {}
    for goal in goals:
        sides = turns[goal.rate, goal.own], turns[goal.rate, goal.other]
        seconds = 5.0 if stage.size.quick else 40.0
        for _, ratio, runs in again(stage, {goal.title: sides}, goal.measure, seconds):
            made[goal] = ratio, runs
    return made


def targets(ratios: Mapping[Goal, tuple[float, int]]) -> tuple[Target, ...]:
    """The goals as they were decided."""
    return tuple(Target(goal.title, ratio, most=goal.most) for goal, (ratio, _) in ratios.items())


def goals_of(found: Found) -> list[Goal]:
    """Those for which both sides take part."""
    return [g for g in GOALS if (g.rate, g.own) in found and (g.rate, g.other) in found]


def _turn(stage: Stage, entrant: Entrant, rate: int, seconds: float) -> Turn:
    request = {**CASE.request(), **entrant.request(CASE), "rate": rate}

    def measure() -> Answer:
        answer = stage.ask(**request, tuples=max(1, round(rate * seconds)))
        return {"cores": answer["cpu_s"] / answer["seconds"], **answer}

    return measure


def _medians(answers: Sequence[Answer]) -> Medians:
    return {name: statistics.median(each[name] for each in answers) for name in MEASURES}


def _grid(rate: int, found: Found) -> Grid:
    rows = {
        entrant.label: tuple(medians[name] for name in MEASURES)
        for (at, entrant), medians in found.items()
        if at == rate
    }
    title = f"latency through {CASE.depth} operators of cost {CASE.cost}, {rate} tuples/s"
    return Grid(title, tuple(name.replace("_", " ") for name in MEASURES), rows)
