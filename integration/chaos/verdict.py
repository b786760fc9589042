"""Compares what came of a disturbed run with what one thread makes: every row, in its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from integration.chaos.flows import Case, Rows


@dataclass(frozen=True)
class Verdict:
    """How many rows of a result are not as they should be.

    >>> wanted = [(1, 10), (2, 20), (3, 30)]
    >>> Verdict.of([(1, 10), (3, 30), (2, 20), (3, 30)], wanted)
    Verdict(rows=4, lost=0, duplicated=1, misplaced=1)
    >>> Verdict.of([(1, 10), (3, 30)], wanted)
    Verdict(rows=2, lost=1, duplicated=0, misplaced=0)
    """

    rows: int
    lost: int
    duplicated: int
    misplaced: int

    @classmethod
    def of(cls, found: Sequence[tuple[int, int]], wanted: Rows) -> Verdict:
        missing = Counter(wanted) - Counter(found)
        extra = Counter(found) - Counter(wanted)
        place = {row: number for number, row in enumerate(wanted)}
        places = [place[row] for row in dict.fromkeys(found) if row in place]
        descents = sum(a > b for a, b in pairwise(places))
        return cls(len(found), missing.total(), extra.total(), descents)

    @property
    def good(self) -> bool:
        return self.lost == self.duplicated == self.misplaced == 0


def wanted_of(case: Case, rows: int, partitions: int) -> Rows:
    """What `spark.range(0, rows, 1, partitions)` becomes, one partition after the other."""
    made: Rows = []
    for partition in range(partitions):
        made += case.by_one_thread(range_of(partition, rows, partitions))
    return made


def range_of(partition: int, rows: int, partitions: int) -> range:
    """The numbers in one partition of Spark's range."""
    return range(partition * rows // partitions, (partition + 1) * rows // partitions)


def collected(df: Any) -> list[tuple[int, int]]:
    return [(row.id, row.value) for row in df.collect()]
