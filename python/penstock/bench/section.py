"""A part of a suite: what it measures with, and what it found."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, TypeAlias

from penstock.bench.core_distance import CoreDistance
from penstock.bench.interleave import interleave
from penstock.bench.programs import Program
from penstock.bench.report import Findings, Grid, Point, Target
from penstock.bench.suites import Size, Tell

Answer: TypeAlias = "dict[str, Any]"


@dataclass(frozen=True)
class Section:
    """What one part found."""

    points: tuple[Point, ...] = ()
    targets: tuple[Target, ...] = ()
    grids: tuple[Grid, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass
class Stage:
    """What the parts measure with.

    Attributes:
        size: How much to measure.
        tell: Takes a line about what is being done.
        programs: The programs that run.
        distance: Looks how far apart the cores are, now and then, if given.
    """

    size: Size
    tell: Tell
    programs: tuple[Program, ...]
    distance: CoreDistance | None = None
    _owners: dict[str, Program] = field(init=False)

    def __post_init__(self) -> None:
        self._owners = {name: each for each in self.programs for name in each.contenders}

    def has(self, contender: str) -> bool:
        """Whether a contender takes part."""
        return contender in self._owners

    def ask(self, **request: str | float) -> Answer:
        """Measure a contender once."""
        return self._owners[str(request["contender"])].ask(**request)

    def rounds_of(
        self,
        contenders: Mapping[str, Callable[[], Answer]],
        rounds: int,
        patience: float,
        what: str,
        *,
        warm_ups: int = 1,
        least: int = 1,
    ) -> dict[str, list[Answer]]:
        """Let contenders take turns; what each answered, without the rounds to get warm.

        Args:
            contenders: How to measure each once, by label.
            rounds: Rounds that count.
            patience: After so many seconds no other round begins, once enough were made.
            what: What is measured, told before each label.
            warm_ups: Rounds before these, which do not count.
            least: How many rounds are enough when patience ends.
        """
        answers: dict[str, list[Answer]] = {label: [] for label in contenders}

        def recorded(label: str, run: Callable[[], Answer]) -> Callable[[], None]:
            return lambda: answers[label].append(run())

        turns = {label: recorded(label, run) for label, run in contenders.items()}
        if self.distance is not None:
            self.distance.look()
        interleave(
            turns,
            rounds,
            warm_ups=warm_ups,
            patience=patience,
            least=least,
            on_run=lambda label: self.tell(what + label),
        )
        if self.distance is not None:
            self.distance.look()
        return {label: each[warm_ups:] for label, each in answers.items()}

    def rounds_of_cases(
        self, cases: Mapping[str, Mapping[str, Callable[[], Answer]]], seconds: float
    ) -> dict[tuple[str, str], list[Answer]]:
        """Let the contenders of one case after another take turns; answers by case and contender.

        Args:
            cases: The contenders of each case, as `rounds_of` takes them.
            seconds: For all cases together; what one leaves over goes to those behind it.
        """
        rounds = 3 if self.size.quick else 9
        ends = time.monotonic() + seconds
        found: dict[tuple[str, str], list[Answer]] = {}
        for done, (case, contenders) in enumerate(cases.items()):
            patience = (ends - time.monotonic()) / (len(cases) - done)
            answers = self.rounds_of(contenders, rounds, patience, f"{case}: ")
            found |= {(case, label): each for label, each in answers.items()}
        return found


def together(sections: Sequence[Section], notes: Sequence[str] = ()) -> Findings:
    """What all sections found, in their order, after notes about the whole."""
    return Findings(
        tuple(chain.from_iterable(each.points for each in sections)),
        tuple(chain.from_iterable(each.targets for each in sections)),
        tuple(chain.from_iterable(each.grids for each in sections)),
        (*notes, *chain.from_iterable(each.notes for each in sections)),
    )
