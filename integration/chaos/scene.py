"""What every fault needs: a place for its gates, its choices, and what there was before it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from integration.chaos.leftovers import Held, nothing_left
from integration.chaos.tally import Tally
from integration.chaos.verdict import Verdict


@dataclass(frozen=True)
class Scene:
    """One test: it makes its choices by `chance`, and is over when nothing is left of it."""

    tally: Tally
    chance: random.Random
    folder: Path
    here: Path
    before: Held

    @property
    def gates(self) -> Path:
        return self.here / "gates"

    def count(self, kind: str) -> None:
        self.tally.done[kind] += 1

    def judge(self, verdict: Verdict) -> None:
        self.tally.judge(verdict)

    def nothing_is_left(self, *, executor_killed: bool = False) -> None:
        nothing_left(self.folder, self.before, but_status_files=executor_killed)
