"""How many tuples a second get through: E1 pipelines, E2 data parallel, E3 mixes.

Every contender carries the same tuples through the same operators, in turn with all others.
Before it is measured on a case it must compute what the hand-written chain computes there, and
while it is measured every lost, doubled or late tuple is counted: a contender that is fast
because it breaks the order is shown as one that breaks the order.

Goals that come out close to their line are decided by rounds of the two sides alone.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

from penstock.bench.confirm import (
    Doubt,
    Turn,
    Turns,
    again,
    grids_of,
    is_close,
    points_of,
)
from penstock.bench.contenders import (
    ALL_CASES,
    ENTRANTS,
    QUICK_CASES,
    REFERENCE,
    Case,
    Entrant,
    left_out,
)
from penstock.bench.report import Grid, Point
from penstock.bench.section import Answer, Section, Stage
from penstock.bench.switches import switches_grids, switches_targets
from penstock.bench.throughput_targets import Goal, Rates, gap_targets, goals

# What a reader must know of all contenders alike.
WHAT_RUNS = (
    "What is compared is who carries tuples: Penstock's schedulers, those of the wheel, over a line "
    "of the benchmark's own operators, whose tuples are 16 bytes and no Arrow batches. What a flow "
    "adds for each tuple of rows, cutting, counting and failures by row, is not in these tables; the "
    "suites operators and ordered measure whole flows. `batch` is how operators of a flow are called, "
    "with a tuple of many rows. `tuple` calls them once for each, through one virtual function, for "
    "every contender alike; one that moves many together has an operator take all of them before "
    "the next one begins. oneTBB and the scheduler as printed are given the window and the queue "
    "that did best of those tried, and Penstock's with single tuples longer queues than a flow has. "
    "`automatic` decides every 20 ms instead of 100, whatever else the machine does, and has settled "
    "before its clock starts."
)
TROUBLES = ("lost", "duplicated", "out_of_order")
# Of the first, small run, which shows whether a contender is right and about how fast it is.
CHECKED_TUPLES = 4_000
CHECKED_FLOP = 100_000_000


@dataclass(frozen=True)
class Result:
    """What one entrant reached on one case.

    Attributes:
        case: Where.
        entrant: Who.
        rates: Tuples a second at the sink, of each run.
        cores: CPU seconds a second.
        switches: Context switches a second.
        troubles: Tuples lost, duplicated and out of order in all runs together.
        same: Whether it computed what the chain computes.
    """

    case: Case
    entrant: Entrant
    rates: tuple[float, ...]
    cores: float
    switches: float
    troubles: int
    same: bool

    @property
    def rate(self) -> float:
        """The median."""
        return statistics.median(self.rates)

    @property
    def hops(self) -> float:
        """Operators run for a tuple, a second."""
        return self.rate * self.case.depth

    @property
    def in_order(self) -> bool:
        """Whether every tuple went through every operator once and in order."""
        return self.same and self.troubles == 0

    def point(self) -> Point:
        """The result for the report."""
        return Point(
            f"{self.case.name}/{self.entrant.label}",
            {
                "tuples_per_s": self.rate,
                "hops_per_s": self.hops,
                "least_tuples_per_s": min(self.rates),
                "most_tuples_per_s": max(self.rates),
                "runs": len(self.rates),
                "cores": self.cores,
                "context_switches_per_s": self.switches,
                "order": "kept" if self.in_order else "broken",
            },
        )


def throughput(stage: Stage) -> Section:
    """Measure every entrant that is there on every case."""
    size = stage.size
    cases = QUICK_CASES if size.quick else ALL_CASES
    entrants = [
        entrant
        for entrant in ENTRANTS
        if stage.has(entrant.contender) and (entrant.quick or not size.quick)
    ]
    ends = time.monotonic() + (40.0 if size.quick else 720.0)
    results: list[Result] = []
    turns: dict[tuple[str, str], Turn] = {}
    for done, case in enumerate(cases):
        patience = (ends - time.monotonic()) / (len(cases) - done)
        here = [each for each in entrants if each.fits(case)]
        results += _measure(stage, case, here, patience, turns)
    rates = {(each.case, each.entrant): each.rate for each in results}
    switches = {(each.case, each.entrant): each.switches for each in results}
    decided = decide(stage, rates, turns)
    return Section(
        (*(result.point() for result in results), *decided.points),
        (*decided.targets, *gap_targets(rates), *switches_targets(switches)),
        (*grids(results), *switches_grids(switches), *decided.grids),
        (WHAT_RUNS, *left_out(cases, entrants)),
    )


def decide(stage: Stage, rates: Rates, turns: Turns) -> Section:
    """Every goal, and what decided those that were close."""
    found = {goal: goal.ratio(rates) for goal in goals(rates)}
    doubts = {
        goal: _doubt(goal, value) for goal, value in found.items() if is_close(value, goal.least)
    }
    seconds = 15.0 if stage.size.quick else 540.0
    made = again(stage, doubts.values(), turns, seconds)
    values = {goal: made[each].ratio for goal, each in doubts.items() if each in made}
    return Section(
        points_of(made),
        tuple(goal.target(values.get(goal, value)) for goal, value in found.items()),
        grids_of("throughput", tuple(dict.fromkeys(doubts.values())), made),
    )


def _doubt(goal: Goal, value: float) -> Doubt:
    margin = value / goal.least
    own, other = goal.own.label, goal.other.label
    return Doubt(goal.case.name, own, other, "tuples_per_s", value, margin)


def grids(results: Sequence[Result]) -> list[Grid]:
    """One table for each shape and cost: entrants by size, in millions of operators a second."""
    found: list[Grid] = []
    for shape, cost in dict.fromkeys((each.case.shape, each.case.cost) for each in results):
        here = [each for each in results if (each.case.shape, each.case.cost) == (shape, cost)]
        sizes = list(dict.fromkeys(each.case.size for each in here))
        cells = {(each.entrant.label, each.case.size): _cell(each) for each in here}
        rows = {
            label: tuple(cells.get((label, size), "") for size in sizes)
            for label in dict.fromkeys(each.entrant.label for each in here)
        }
        title = f"{shape}, cost {cost}: operators run for a tuple, M/s (* order broken)"
        found.append(Grid(title, tuple(f"{size} operators" for size in sizes), rows))
    return found


def _cell(result: Result) -> str:
    return f"{result.hops / 1e6:.3g}" + ("" if result.in_order else "*")


def _measure(
    stage: Stage,
    case: Case,
    entrants: Sequence[Entrant],
    patience: float,
    turns: dict[tuple[str, str], Turn],
) -> list[Result]:
    tuples = max(1, min(CHECKED_TUPLES, CHECKED_FLOP // (case.operators * case.cost)))
    stage.tell(f"{case.name}: checking")
    checked = {each: _ask(stage, case, each, tuples) for each in entrants}
    seconds = stage.size.scale * (0.03 if stage.size.quick else 0.1)
    for each in entrants:
        turns[case.name, each.label] = _at_last_rate(stage, case, each, checked[each], seconds)
    rounds = 3 if stage.size.quick else 7
    mine = {each.label: turns[case.name, each.label] for each in entrants}
    answers = stage.rounds_of(mine, rounds, patience, f"{case.name}: ")
    wanted = checked[REFERENCE]["checksum"]
    return [
        _result(case, each, answers[each.label], checked[each]["checksum"] == wanted)
        for each in entrants
    ]


def _ask(stage: Stage, case: Case, entrant: Entrant, tuples: int, warm: int = 0) -> Answer:
    return stage.ask(**case.request(), **entrant.request(case), tuples=tuples, warm=warm)


def _at_last_rate(
    stage: Stage, case: Case, entrant: Entrant, first: Answer, seconds: float
) -> Turn:
    # A number of tuples and not a time is given, because a scheduler that fills its queues first
    # would go on for long after the time is over. What it did last tells how many are enough.
    last = first

    def measure() -> Answer:
        nonlocal last
        rate = last["tuples_per_s"]
        warm_up = stage.size.scale * entrant.warm_up(case, rate)
        last = _ask(stage, case, entrant, max(1, round(rate * seconds)), round(rate * warm_up))
        return last

    return measure


def _result(case: Case, entrant: Entrant, answers: Sequence[Answer], same: bool) -> Result:
    seconds = sum(each["seconds"] for each in answers)
    return Result(
        case,
        entrant,
        tuple(each["tuples_per_s"] for each in answers),
        sum(each["cpu_s"] for each in answers) / seconds,
        sum(each["context_switches"] for each in answers) / seconds,
        sum(each[trouble] for each in answers for trouble in TROUBLES),
        same,
    )
