"""How long a tuple takes from the source to the sink, at equal input rates.

The tuples of each 50 us become due together; a contender whose source has nothing to do sleeps
until then. Latency counts from the moment a tuple was due, so holding up the source is no way
to look fast. A model that looks for its threads has found them before the clock starts. Two rates
are fixed, and one is half of what the hand-written chain carries.

What is late in one run in a hundred depends on the machine's moods most of all: where a host takes
a core away for some milliseconds, that is the latency of a whole run. So runs are short and many,
goals are decided by rounds of the sides alone, and the median of the rounds counts: one that was
disturbed does not.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from penstock.bench.confirm import Doubt, Turn, Turns, again, grids_of, points_of
from penstock.bench.contenders import Case, Entrant
from penstock.bench.report import Grid, Point, Target
from penstock.bench.section import Answer, Section, Stage

CASE = Case("pipeline", depth=10, width=1, cost=100)
LOW, HIGH, HALF = "10000 tuples/s", "100000 tuples/s", "half load"
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
MEASURES = ("p50_us", "p99_us", "cores", "source_late_p99_us", "tuples_per_s")
KEPT_UP = 0.95  # of the tuples that were due

SECONDS = 0.1  # of a run
WARM = 0.01  # seconds before its clock starts
SETTLING = 0.5  # likewise, of a model that looks for its threads first
ROUNDS = 21
DECIDING_ROUNDS = 61

Medians = Mapping[str, float]
Found = Mapping[tuple[str, Entrant], Medians]


@dataclass(frozen=True, slots=True)
class Goal:
    """How much of what another entrant takes one may take.

    Attributes:
        name: What is compared, for the report.
        measure: What of the answers is compared.
        load: At which rate.
        own: Who shall take little.
        other: Whom it is compared with.
        most: How much of that at most.
    """

    name: str
    measure: str
    load: str
    own: Entrant
    other: Entrant
    most: float

    @property
    def title(self) -> str:
        """The goal in words."""
        return f"{self.name} at {self.load}: {self.own.contender} / {self.other.contender}"

    def doubt(self, found: Found) -> Doubt:
        """What the first rounds said, which always is in doubt."""
        ratio = (
            found[self.load, self.own][self.measure] / found[self.load, self.other][self.measure]
        )
        own, other = self.own.label, self.other.label
        margin = self.most / ratio if ratio else math.inf
        return Doubt(self.load, own, other, self.measure, ratio, margin)

    def target(self, value: float) -> Target:
        """The goal with what was measured."""
        return Target(self.title, value, most=self.most)


GOALS = tuple(
    Goal(name, measure, load, own, other, most)
    for own in (CONVEYOR, AUTOMATIC)
    for name, measure, load, other, most in (
        ("p50", "p50_us", HIGH, CHAIN, 2.0),
        ("p99", "p99_us", HIGH, PEER, 1.0),
        ("CPU", "cores", LOW, PEER, 0.5),
        ("p50", "p50_us", HALF, CHAIN, 2.0),
        ("p99", "p99_us", HALF, PEER, 1.0),
    )
)


def latency(stage: Stage) -> Section:
    """Measure every entrant that is there at all rates."""
    entrants = [each for each in ENTRANTS if stage.has(each.contender)]
    rates = {LOW: 10_000, HIGH: 100_000, HALF: half_load(stage)}
    found: dict[tuple[str, Entrant], Medians] = {}
    turns: dict[tuple[str, str], Turn] = {}
    for load, rate in rates.items():
        turns |= {(load, each.label): _turn(stage, each, rate) for each in entrants}
        here = {each.label: turns[load, each.label] for each in entrants}
        rounds = 3 if stage.size.quick else ROUNDS
        answers = stage.rounds_of(here, rounds, 40.0, f"latency at {load}: ")
        found |= {(load, each): _medians(answers[each.label]) for each in entrants}
    points = tuple(
        Point(f"latency at {load}/{each.label}", {**medians, "due_per_s": rates[load]})
        for (load, each), medians in found.items()
    )
    decided = decide(stage, found, turns)
    return Section(
        (*points, *decided.points),
        decided.targets,
        (*(_grid(load, rate, found) for load, rate in rates.items()), *decided.grids),
        overloaded(found, rates),
    )


def half_load(stage: Stage) -> int:
    """Half of the tuples a second that the hand-written chain carries."""
    request = {**CASE.request(), **CHAIN.request(CASE)}
    rate: float = stage.ask(**request, tuples=4_000)["tuples_per_s"]
    tuples = max(1, round(rate * SECONDS * stage.size.scale))

    def measure() -> Answer:
        return stage.ask(**request, tuples=tuples)

    rounds = 3 if stage.size.quick else 9
    answers = stage.rounds_of({CHAIN.label: measure}, rounds, 10.0, "half load of ")
    median: float = statistics.median(each["tuples_per_s"] for each in answers[CHAIN.label])
    return max(1, round(median / 2))


def decide(stage: Stage, found: Found, turns: Turns) -> Section:
    """Every goal for which both sides take part, decided by rounds of all such sides at a rate.

    The few that the seconds do not reach are judged by the first rounds.
    """
    doubts = {goal: goal.doubt(found) for goal in goals_of(found)}
    seconds = 15.0 if stage.size.quick else 240.0
    decided = again(stage, doubts.values(), turns, seconds, DECIDING_ROUNDS)
    return Section(
        points_of(decided),
        tuple(
            goal.target(decided[each].ratio if each in decided else each.found)
            for goal, each in doubts.items()
        ),
        grids_of("latency", tuple(doubts.values()), decided),
    )


def goals_of(found: Found) -> list[Goal]:
    """Those for which both sides take part."""
    return [g for g in GOALS if (g.load, g.own) in found and (g.load, g.other) in found]


def overloaded(found: Found, rates: Mapping[str, float]) -> tuple[str, ...]:
    """Who could not keep up, for a reader must know what latency means there.

    >>> overloaded({(HALF, PEER): {"tuples_per_s": 8.0}}, {HALF: 10})[0][:59]
    'At half load, 10 tuples/s, tbb-pipeline x2 b1 tuple did not'
    """
    notes: list[str] = []
    for load, rate in rates.items():
        slow = [
            entrant.label
            for (at, entrant), medians in found.items()
            if at == load and medians["tuples_per_s"] < KEPT_UP * rate
        ]
        if slow:
            notes.append(
                f"At {_in_words(load, rate)} {' and '.join(slow)} did not keep up: the latency "
                "is that of a queue which grows while the run lasts, and a longer run has a longer one."
            )
    return tuple(notes)


def _turn(stage: Stage, entrant: Entrant, rate: int) -> Turn:
    seconds = SECONDS * stage.size.scale
    warm = SETTLING * stage.size.scale if entrant.contender == AUTOMATIC.contender else WARM
    request = {
        **CASE.request(),
        **entrant.request(CASE),
        "rate": rate,
        "tuples": max(1, round(rate * seconds)),
        "warm": round(rate * warm),
    }

    def measure() -> Answer:
        answer = stage.ask(**request)
        return {"cores": answer["cpu_s"] / answer["seconds"], **answer}

    return measure


def _medians(answers: Sequence[Answer]) -> Medians:
    return {name: statistics.median(each[name] for each in answers) for name in MEASURES}


def _in_words(load: str, rate: float) -> str:
    return f"{load}, {rate:.0f} tuples/s," if load == HALF else load


def _grid(load: str, rate: int, found: Found) -> Grid:
    rows = {
        entrant.label: tuple(medians[name] for name in MEASURES)
        for (at, entrant), medians in found.items()
        if at == load
    }
    at = _in_words(load, rate).removesuffix(",")
    title = f"latency through {CASE.depth} operators of cost {CASE.cost}, {at}"
    return Grid(title, tuple(name.replace("_", " ") for name in MEASURES), rows)
