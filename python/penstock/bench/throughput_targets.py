"""The goals for throughput, and how far they are reached.

>>> rates = {(Case("pipeline", 10, 1, 1), Entrant("chain")): 2.0}
>>> rates[Case("pipeline", 10, 1, 1), Entrant("manual", 1, 1024)] = 3.0
>>> [(target.name, target.value, target.holds) for target in targets(rates)]
[('pipeline of 10, cost 1: one thread / chain, tuple interface', 1.5, True)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from penstock.bench.contenders import FIXED, OWN_MODELS, REFERENCE, Case, Entrant
from penstock.bench.report import Target

Rates: TypeAlias = "Mapping[tuple[Case, Entrant], float]"
Here: TypeAlias = "Mapping[Entrant, float]"
Goals: TypeAlias = "Callable[[Case, Here], Iterator[Target | None]]"

AS_PRINTED = Entrant("as-printed", 2, 1)


def targets(rates: Rates) -> tuple[Target, ...]:
    """Every goal for which both sides were measured."""
    cases = dict.fromkeys(case for case, _ in rates)
    every: tuple[Goals, ...] = (
        _against_single_tuples,
        _against_hand_batched,
        _against_as_printed,
        _against_chain,
        _second_thread,
        _automatic,
    )
    found: list[Target] = []
    for goals in every:
        for case in cases:
            here = {entrant: rate for (where, entrant), rate in rates.items() if where == case}
            found += [target for target in goals(case, here) if target is not None]
    return tuple(found)


def _against_single_tuples(case: Case, here: Here) -> Iterator[Target | None]:
    goal = {1: 10.0, 100: 1.3, 1_000: 1.0}.get(case.cost)
    if case.shape == "pipeline" and goal is not None:
        peer = here.get(Entrant("tbb-pipeline", 2, 1))
        name = "best model / oneTBB pipeline, tuple interface"
        yield _ratio(case, name, _best(here, OWN_MODELS, "tuple"), peer, goal)


def _against_hand_batched(case: Case, here: Here) -> Iterator[Target | None]:
    if case.shape == "pipeline":
        own = _best(here, OWN_MODELS, "batch")
        goal = 1.3 if case.cost == 1 and case.depth in (10, 1_000) else 1.0
        peer = here.get(Entrant("tbb-pipeline", 2, 64, "batch"))
        yield _ratio(case, "best model / oneTBB in batches of 64", own, peer, goal)
        best = _best(here, ["tbb-pipeline"], "batch")
        yield _ratio(case, "best model / oneTBB in its best batches", own, best, 1.0)


def _against_as_printed(case: Case, here: Here) -> Iterator[Target | None]:
    printed = here.get(AS_PRINTED)
    if case.shape == "pipeline" and case.cost in (1, 100):
        goal = 12.0 if case.cost == 1 else 1.3
        for interface in ("tuple", "batch"):
            conveyor = here.get(Entrant("conveyor", 2, 1024, interface))
            name = f"conveyor, {interface} interface / as printed"
            yield _ratio(case, name, conveyor, printed, goal)
    if case.shape == "pipeline" and case.cost == 1:
        single = here.get(Entrant("dynamic", 2, 1))
        yield _ratio(case, "dynamic with single tuples / as printed", single, printed, 2.0)


def _against_chain(case: Case, here: Here) -> Iterator[Target | None]:
    if case.shape == "pipeline" and case.cost == 1:
        short = case.depth < 100
        for interface, goal in (("tuple", 0.9 if short else 1.5), ("batch", 2.0 if short else 3.5)):
            own = _best(here, OWN_MODELS, interface, threads=1)
            name = f"one thread / chain, {interface} interface"
            yield _ratio(case, name, own, here.get(REFERENCE), goal)


def _second_thread(case: Case, here: Here) -> Iterator[Target | None]:
    # Where channels take turns a tuple passes one operator only: at cost 1 there is nothing to
    # share out, and the best a second thread can do is not to get in the way.
    many = case.operators >= 100 and case.shape != "data parallel"
    goal = 1.8 if case.cost >= 100 else 1.5 if many else 1.0
    for interface in ("tuple", "batch"):
        one = _best(here, OWN_MODELS, interface, threads=1)
        two = _best(here, OWN_MODELS, interface, threads=2)
        yield _ratio(case, f"two threads / one, {interface} interface", two, one, goal)


def _automatic(case: Case, here: Here) -> Iterator[Target | None]:
    for interface in ("tuple", "batch"):
        own = here.get(Entrant("automatic", 2, 1024, interface))
        best = max(
            (_best(here, FIXED, interface, threads=threads) or 0.0 for threads in (1, 2)),
        )
        name = f"automatic / best fixed model, {interface} interface"
        yield _ratio(case, name, own, best or None, 0.9)


def _best(
    here: Here, contenders: Iterable[str], interface: str, threads: int | None = None
) -> float | None:
    names = tuple(contenders)
    rates = (
        rate
        for entrant, rate in here.items()
        if entrant.contender in names
        and entrant.interface == interface
        and (entrant.threads == threads or (threads is None and entrant.threads <= 2))
    )
    return max(rates, default=None)


def _ratio(
    case: Case, name: str, own: float | None, other: float | None, goal: float
) -> Target | None:
    if own is None or other is None:
        return None
    return Target(f"{case.name}: {name}", own / other, least=goal)
