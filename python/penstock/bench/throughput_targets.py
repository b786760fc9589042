"""The goals for throughput, and how far they are reached.

>>> rates = {(Case("pipeline", 10, 1, 1), Entrant("chain")): 2.0}
>>> rates[Case("pipeline", 10, 1, 1), Entrant("manual", 1, 1024)] = 3.0
>>> [(target.name, target.value, target.holds) for target in targets(rates)]
[('pipeline of 10, cost 1: one thread / chain, tuple interface', 1.5, True)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from penstock.bench.contenders import FIXED, OWN_MODELS, REFERENCE, Case, Entrant
from penstock.bench.report import Target

Rates: TypeAlias = "Mapping[tuple[Case, Entrant], float]"
Here: TypeAlias = "Mapping[Entrant, float]"
Goals: TypeAlias = "Callable[[Case, Here], Iterator[Goal | None]]"

AS_PRINTED = Entrant("as-printed", 2, 1)
MANUAL = Entrant("manual", 1, 1024)
DYNAMIC = Entrant("dynamic", 2, 1024)
DEDICATED = Entrant("dedicated", 2, 1024)
AUTOMATIC = Entrant("automatic", 2, 1024)


@dataclass(frozen=True, slots=True)
class Goal:
    """So many times the rate of one entrant another one shall reach.

    Attributes:
        case: Where.
        name: What is compared.
        own: Who shall be fast.
        other: Whom it is compared with.
        least: How many times as fast at least.
    """

    case: Case
    name: str
    own: Entrant
    other: Entrant
    least: float

    def ratio(self, rates: Rates) -> float:
        """What the two reached."""
        return rates[self.case, self.own] / rates[self.case, self.other]

    def target(self, value: float) -> Target:
        """The goal with what was measured."""
        return Target(f"{self.case.name}: {self.name}", value, least=self.least)


def targets(rates: Rates) -> tuple[Target, ...]:
    """Every goal for which both sides were measured, as far as these rates tell."""
    return tuple(goal.target(goal.ratio(rates)) for goal in goals(rates))


def goals(rates: Rates) -> tuple[Goal, ...]:
    """Every goal for which both sides were measured; where the best counts, who that is."""
    cases = dict.fromkeys(case for case, _ in rates)
    every: tuple[Goals, ...] = (
        _against_single_tuples,
        _against_hand_batched,
        _against_as_printed,
        _against_chain,
        _second_thread,
        _automatic,
        _experiments,
    )
    found: list[Goal] = []
    for each in every:
        for case in cases:
            here = {entrant: rate for (where, entrant), rate in rates.items() if where == case}
            found += [goal for goal in each(case, here) if goal is not None]
    return tuple(found)


def _against_single_tuples(case: Case, here: Here) -> Iterator[Goal | None]:
    least = {1: 10.0, 100: 1.3, 1_000: 1.0}.get(case.cost)
    if case.shape == "pipeline" and least is not None:
        peer = _there(here, Entrant("tbb-pipeline", 2, 1))
        name = "best model / oneTBB pipeline, tuple interface"
        yield _goal(case, name, _best(here, OWN_MODELS, "tuple"), peer, least)


def _against_hand_batched(case: Case, here: Here) -> Iterator[Goal | None]:
    own = _best(here, OWN_MODELS, "batch")
    short_or_long = case.shape == "pipeline" and case.depth in (10, 1_000)
    least = 1.3 if case.cost == 1 and short_or_long else 1.0
    peer = _there(here, Entrant("tbb-pipeline", 2, 64, "batch"))
    yield _goal(case, "best model / oneTBB in batches of 64", own, peer, least)
    best = _best(here, ["tbb-pipeline"], "batch")
    yield _goal(case, "best model / oneTBB in its best batches", own, best, 1.0)


def _against_as_printed(case: Case, here: Here) -> Iterator[Goal | None]:
    printed = _there(here, AS_PRINTED)
    if case.shape == "pipeline" and case.cost in (1, 100):
        least = 12.0 if case.cost == 1 else 1.3
        for interface in ("tuple", "batch"):
            conveyor = _there(here, Entrant("conveyor", 2, 1024, interface))
            name = f"conveyor, {interface} interface / as printed"
            yield _goal(case, name, conveyor, printed, least)
    if case.shape == "pipeline" and case.cost == 1:
        single = _there(here, Entrant("dynamic", 2, 1))
        yield _goal(case, "dynamic with single tuples / as printed", single, printed, 2.0)


def _against_chain(case: Case, here: Here) -> Iterator[Goal | None]:
    if case.shape == "pipeline" and case.cost == 1:
        short = case.depth < 100
        for interface, least in (
            ("tuple", 0.9 if short else 1.5),
            ("batch", 2.0 if short else 3.5),
        ):
            own = _best(here, FIXED, interface, threads=1)
            name = f"one thread / chain, {interface} interface"
            yield _goal(case, name, own, _there(here, REFERENCE), least)


def _second_thread(case: Case, here: Here) -> Iterator[Goal | None]:
    # Also where channels take turns and a tuple passes one operator only: what is asked for is said
    # of the operators that there are.
    least = 1.8 if case.cost >= 100 else 1.5 if case.operators >= 100 else 1.0
    for interface in ("tuple", "batch"):
        one = _best(here, FIXED, interface, threads=1)
        two = _best(here, OWN_MODELS, interface, threads=2)
        yield _goal(case, f"two threads / one, {interface} interface", two, one, least)


def _automatic(case: Case, here: Here) -> Iterator[Goal | None]:
    for interface in ("tuple", "batch"):
        own = _there(here, Entrant("automatic", 2, 1024, interface))
        best = _best(here, FIXED, interface)
        name = f"automatic / best fixed model, {interface} interface"
        yield _goal(case, name, own, best, 0.9)


# What Schneider & Wu found that two cores can show: E1 to E3.
def _experiments(case: Case, here: Here) -> Iterator[Goal | None]:
    manual, dynamic, dedicated, automatic = (
        _there(here, each) for each in (MANUAL, DYNAMIC, DEDICATED, AUTOMATIC)
    )
    if case.shape == "pipeline" and case.depth >= 100 and case.cost == 1_000:
        yield _goal(case, "E1, dynamic with two threads / manual", dynamic, manual, 1.3)
    if case.shape == "data parallel" and case.width == 1_000 and case.cost == 1:
        yield _goal(case, "E2, manual / dynamic", manual, dynamic, 1.0)
        yield _goal(case, "E2, dynamic / dedicated", dynamic, dedicated, 1.0)
    if case.shape == "data parallel" and case.width == 1_000 and case.cost == 10_000:
        yield _goal(case, "E2, dynamic with two threads / manual", dynamic, manual, 1.5)
        yield _goal(case, "E2, dynamic / dedicated", dynamic, dedicated, 1.0)
    if case.shape == "mix" and case.cost >= 100:
        yield _goal(case, "E3, automatic / manual", automatic, manual, 1.0)
    if case.shape == "mix" and case.cost == 1_000 and manual and dedicated:
        best = max(manual, dedicated, key=here.__getitem__)
        name = "E3, automatic / better of manual and dedicated"
        yield _goal(case, name, automatic, best, 0.95)


def gap_targets(rates: Rates) -> tuple[Target, ...]:
    """E1: the more operators cost, the less it matters whether each has a thread of its own."""
    found: list[Target] = []
    for case in dict.fromkeys(case for case, _ in rates):
        cheap = replace(case, cost=1)
        if case.shape != "pipeline" or case.depth < 100 or case.cost != 1_000:
            continue
        gaps = [
            abs(1 - rates[where, DEDICATED] / rates[where, DYNAMIC])
            for where in (case, cheap)
            if (where, DEDICATED) in rates and (where, DYNAMIC) in rates
        ]
        if len(gaps) == 2:
            name = f"pipeline of {case.size}: E1, gap of dedicated and dynamic, cost 1000 / cost 1"
            found.append(Target(name, gaps[0] / max(gaps[1], 1e-9), most=1))
    return tuple(found)


def _there(here: Here, entrant: Entrant) -> Entrant | None:
    return entrant if entrant in here else None


def _best(
    here: Here, contenders: Iterable[str], interface: str, threads: int | None = None
) -> Entrant | None:
    names = tuple(contenders)
    entrants = (
        entrant
        for entrant in here
        if entrant.contender in names
        and entrant.interface == interface
        and (entrant.threads == threads or (threads is None and entrant.threads <= 2))
    )
    return max(entrants, key=here.__getitem__, default=None)


def _goal(
    case: Case, name: str, own: Entrant | None, other: Entrant | None, least: float
) -> Goal | None:
    if own is None or other is None:
        return None
    return Goal(case, name, own, other, least)
