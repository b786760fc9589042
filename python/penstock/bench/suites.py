"""The suites there are: a name, what it shows, and the module that runs it.

A suite's module has one function `measure(size, tell)` and is loaded only when it is run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from penstock.bench.report import Findings
from penstock.errors import PenstockError, did_you_mean

Tell: TypeAlias = Callable[[str], None]


class BenchError(PenstockError):
    """A benchmark cannot be run as asked."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much to measure.

    Attributes:
        quick: End within a minute on two cores, at the price of noisier numbers.
        scale: Multiplies the amount of data.
        peers: The program with other runtimes, for suites that have such; None to look for it.
    """

    quick: bool = False
    scale: float = 1.0
    peers: Path | None = None

    def rows(self, full: int) -> int:
        """How many rows to use where a full run uses so many."""
        return max(1, round(full * self.scale * (0.25 if self.quick else 1.0)))

    @property
    def rounds(self) -> int:
        """How often each contender is measured."""
        return 5 if self.quick else 11

    @property
    def seconds(self) -> float:
        """After how long no new round may begin, so that a busy machine ends in time too."""
        return 36.0 if self.quick else 600.0


@dataclass(frozen=True, slots=True)
class Suite:
    """A benchmark that can be asked for by name."""

    name: str
    shows: str
    module: str

    def measure(self, size: Size, tell: Tell) -> Findings:
        """Run the suite.

        Args:
            size: How much to measure.
            tell: Takes a line about what is being done; results do not go there.
        """
        findings: Findings = import_module(self.module).measure(size, tell)
        return findings


SUITES = (
    Suite(
        "transport",
        "what an identity flow costs over an identity mapInArrow",
        "penstock.bench.transport",
    ),
    Suite(
        "scheduler",
        "what the threading models cost and gain against each other and other runtimes",
        "penstock.bench.scheduler",
    ),
    Suite(
        "ordered",
        "what keeping the order costs, and how fast operators with keys run, also with skew",
        "penstock.bench.ordered",
    ),
    Suite(
        "operators",
        "what compiled functions, expressions and operators under the GIL cost",
        "penstock.bench.operators",
    ),
    Suite(
        "policies",
        "what scheduling policies and driver loops cost and gain",
        "penstock.bench.policies",
    ),
    Suite(
        "executor",
        "what flows gain and lose as some of several in one executor of Spark",
        "penstock.bench.executor",
    ),
    Suite(
        "spark",
        "how flows compare with what people do in Spark and Python today",
        "penstock.bench.headline.suite",
    ),
)


def find(name: str) -> Suite:
    """Return the suite of that name."""
    for suite in SUITES:
        if suite.name == name:
            return suite
    raise BenchError(f"no suite '{name}'; {did_you_mean(name, [suite.name for suite in SUITES])}")
