"""Finds out from its source whether a plain class can run by key (Gedik et al., appendix A).

An operator is a class with a method `process(self, row)`, called for every row in order. If all
that it remembers is in dictionaries, and every access to them goes by the same columns of the
row, then rows of different keys never meet, and each key can run anywhere:

    class Threshold:
        def __init__(self, limit):
            self.limit = limit
            self.last = {}

        def process(self, row):
            previous = self.last.get(row.sensor)
            if previous is None or abs(row.value - previous) > self.limit:
                yield row
            self.last[row.sensor] = row.value

    discover(Threshold(5), ["sensor", "value"]).reason
    # keyed by sensor: state 'last' is always indexed by row.sensor

Safety goes first: `process`, the methods it calls and the functions they call are followed, and
whatever is not proven leaves the operator serial, with the line that made it so. What follows is
relied on, and has to be kept by whoever runs the operator:

* `process` is run to its end, and what it yields is copied, before the next row is given to it;
  so it may yield a value that a later row of the same key changes.
* A row, and what its columns hold, is not handed to another operator or row.
* Rows whose keys are equal in Python are rows of one key.
* What a module binds once at its top is not changed from outside it.
* A dictionary that the operator only reads is a table: nobody else changes it meanwhile.

The operator itself is looked at, not only its `__init__`: which attributes are dictionaries, that
they start empty, and that the rest cannot change are facts. Its code is never run.

A function without source is doubted unless it is known to remember nothing (`trusted.py`). So the
clock, random numbers and files leave an operator serial: channels would call them in another
order. A function with source is followed like a method.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.discovery.doubt import Doubt
from penstock.discovery.proof import Proof
from penstock.discovery.result import Discovery

__all__ = ["Discovery", "discover"]


def discover(operator: object, columns: Sequence[str]) -> Discovery:
    """Find the key that an operator's state goes by, if it can be proven that it goes by one.

    Args:
        operator: An object with a method `process(self, row)`; none of its code is run.
        columns: The columns of the rows it will be given.
    """
    try:
        return Proof(operator, columns).conclude()
    except Doubt as doubt:
        return Discovery(None, (), f"serial: {doubt}")
    except RecursionError:
        return Discovery(None, (), f"serial: {type(operator).__name__} is too deeply nested")
