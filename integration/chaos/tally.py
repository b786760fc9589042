"""Counts what was done to Spark and what came of it: a run that hurt nobody proves nothing."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from dataclasses import dataclass, field

from integration.chaos.verdict import Verdict

# What has to happen in each run, by kind; see docs/guarantees.md.
LEAST = {
    "worker kills": 20,
    "daemon kills": 3,
    "executor kills": 3,
    "driver kills": 4,
    "kills during migration": 1,
    "cancels": 5,
    "limits": 3,
    "speculations": 2,
}
KILLS = [kind for kind in LEAST if kind.endswith(" kills")]
LEAST_KILLS = 30
MOST_CANCEL_SECONDS = 5.0


def chosen_seed() -> int:
    """`PENSTOCK_CHAOS_SEED`, or another one in each run."""
    return int(os.environ.get("PENSTOCK_CHAOS_SEED") or time.time_ns() % 1_000_000)


@dataclass
class Tally:
    """What happened so far."""

    seed: int
    done: Counter[str] = field(default_factory=Counter)
    verdicts: list[Verdict] = field(default_factory=list)
    failed_as_they_should: int = 0
    cancel_seconds: list[float] = field(default_factory=list)

    def random(self, name: str) -> random.Random:
        """A source of choices of its own for each test, so that one can be run alone."""
        return random.Random(f"{self.seed} {name}")

    def judge(self, verdict: Verdict) -> None:
        assert verdict.good, f"PENSTOCK_CHAOS_SEED={self.seed}: {verdict}"
        self.verdicts.append(verdict)

    @property
    def kills(self) -> int:
        return sum(self.done[kind] for kind in KILLS)

    def __str__(self) -> str:
        counts = ", ".join(f"{self.done[kind]} {kind}" for kind in LEAST)
        wrong = sum(v.lost + v.duplicated + v.misplaced for v in self.verdicts)
        slowest = max(self.cancel_seconds, default=0.0)
        return (
            f"chaos, PENSTOCK_CHAOS_SEED={self.seed}: {self.kills} kills ({counts}); "
            f"{len(self.verdicts)} results of {sum(v.rows for v in self.verdicts):,} rows, "
            f"{wrong} rows lost, double or misplaced; {self.failed_as_they_should} jobs failed as "
            f"they should; slowest cancel {slowest:.1f} s"
        )
