"""Whether two results are the same, and what is wrong with the second when they are not."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass

from tests.prop.oracle import Outcome

# Cases for each property and model. More for a long run, with pytest's --timeout=0.
EXAMPLES = int(os.environ.get("PENSTOCK_PROP_EXAMPLES", "60"))


@dataclass
class Tally:
    """What was compared so far."""

    flows: int = 0
    operators: int = 0
    rows: int = 0
    failures: int = 0


tally = Tally()


def check_same(made: Outcome, right: Outcome) -> None:
    """Fail unless every row came once, in its place and in its batch, and the end is the same."""
    if made == right:
        return
    given = [value for batch in made.batches for value in batch]
    wanted = [value for batch in right.batches for value in batch]
    lost, duplicated = Counter(wanted) - Counter(given), Counter(given) - Counter(wanted)
    displaced = sum(one != other for one, other in zip(given, wanted, strict=False))
    raise AssertionError(
        f"lost {lost.total()}, duplicated or made up {duplicated.total()}, "
        f"out of order {displaced} of {len(wanted)} rows\n  made  {made}\n  right {right}"
    )


def count(operators: int, right: Outcome) -> None:
    """Take note of a case that was compared."""
    tally.flows += 1
    tally.operators += operators
    tally.rows += sum(map(len, right.batches))
    tally.failures += bool(right.operator)
