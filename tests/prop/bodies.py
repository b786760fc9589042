"""What the operators of a random flow do with values: the users' code, as it were."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TypeAlias

from tests.prop.cases import SELECTIVITIES, Case, Step

# The values of one batch in, those of at most one out.
Body: TypeAlias = Callable[[list[int]], list[int]]

PRIME = 1_000_003


class Refused(Exception):
    """Raised by the operator that was chosen to fail."""


def body(case: Case, place: int) -> Body:
    """Make the body of one operator, with its memory empty."""
    step = case.steps[place]
    process = _stateless(step) if step.kind == "stateless" else _stateful(step)
    failure = case.failure
    if failure is None or failure.step != place:
        return process

    def picky(values: list[int]) -> list[int]:
        for value in values:
            if _hash(value, step.seed) % failure.modulus == failure.remainder:
                raise Refused(f"{value} at operator {place}")
        return process(values)

    return picky


def _stateless(step: Step) -> Body:
    def process(values: list[int]) -> list[int]:
        _spend(step.cost)
        return [(3 * value + copy) % PRIME for value in values for copy in _copies(value, step)]

    return process


def _stateful(step: Step) -> Body:
    """Depend on every value and on every batch seen before: the least disorder shows."""
    history = 0

    def process(values: list[int]) -> list[int]:
        nonlocal history
        _spend(step.cost)
        made = []
        history = (history * 37 + len(values)) % PRIME
        for value in values:
            history = (history * 31 + value) % PRIME
            made += [(value + history + copy) % PRIME for copy in _copies(value, step)]
        return made

    return process


def _copies(value: int, step: Step) -> range:
    choices = SELECTIVITIES[step.selectivity]
    return range(choices[_hash(value, step.seed) % len(choices)])


def _hash(value: int, seed: int) -> int:
    bits = (value ^ (seed << 20)) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    return bits >> 33


def _spend(cost: int) -> None:
    if cost:
        hashlib.sha256(bytes(cost)).digest()
