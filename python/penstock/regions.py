"""Which operators can run at the same time without being asked: what a flow's operators allow.

>>> from penstock import agg, flow
>>> made = flow("f", "host string, n int").select("host").key_by("host").running(rows=agg.count())
>>> for run in runs_of(made.operators):
...     print(run)
select_1: any thread at once
running_2: divided by host into parts
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from penstock.channels import MOST_CHANNELS, Elastic
from penstock.library.branches import Branches
from penstock.lineage import Lineage, Origin
from penstock.operators import Operator
from penstock.parallel import Region
from penstock.replicable import keys_of, text_of_key
from penstock.row_operator import RowOperator

# Who may be in a stateless operator. Where it has a queue it is serial, to keep the order.
STATELESS = {
    "manual": "the caller's thread; in conveyor any thread at once",
    "dedicated": "a thread each",
    "dynamic": "one thread at a time each",
    "conveyor": "any thread at once",
    "automatic": "any thread at once, or one at a time each while there are queues",
}


@dataclass(frozen=True)
class Run:
    """Neighbouring operators that are run in the same way.

    Attributes:
        operators: First to last.
        how: In words.
        by: The key they share, if each tuple is cut by it once for all of them.
    """

    operators: tuple[Operator, ...]
    how: str
    by: tuple[Origin, ...] = ()

    def __str__(self) -> str:
        return f"{', '.join(operator.name for operator in self.operators)}: {self.how}"


def runs_of(operators: Sequence[Operator], model: str = "conveyor") -> Iterator[Run]:
    """Find the longest runs, first to last; together they are all operators.

    Args:
        operators: Of a flow.
        model: The threading model that the words are about. The runs are the same in all.
    """
    place = 0
    while place < len(operators):
        run = _run_at(operators[place:], STATELESS[model])
        yield run
        place += len(run.operators)


def joined(operators: Sequence[Operator], parts: int) -> Iterator[Operator]:
    """Put neighbours of the same key into regions of so many channels."""
    for run in runs_of(operators):
        if not run.by or parts == 1:
            yield from run.operators
            continue
        channels = min(parts, MOST_CHANNELS)
        yield Region(
            name="+".join(operator.name for operator in run.operators),
            input=run.operators[0].input,
            output=run.operators[-1].output,
            operators=run.operators,
            by=run.by,
            channels=Elastic(channels, channels),
            order="stream",
        )


def _run_at(operators: Sequence[Operator], stateless_how: str) -> Run:
    first = operators[0]
    if isinstance(first, Region):
        how = f"by {text_of_key(first.by)}" if first.by else "in turn"
        return Run((first,), f"{first.channels} {how}")
    if isinstance(first, Branches):
        return Run((first,), f"{len(first.branches)} branches, each in the order of the rows")
    if first.kind == "stateful":
        return Run((first,), _why_serial(first))
    if first.kind == "keyed":
        return _keyed_run(operators)
    stateless = 0
    while stateless < len(operators) and _is_stateless(operators[stateless]):
        stateless += 1
    together = tuple(operators[:stateless])
    held = [f"'{operator.name}'" for operator in together if not operator.native]
    lane = f", but one at a time under the GIL: {', '.join(held)}" if held else ""
    return Run(together, f"{stateless_how}{lane}")


def _why_serial(operator: Operator) -> str:
    reason = operator.reason if isinstance(operator, RowOperator) else ""
    return reason or f"serial, because '{operator.name}' is stateful"


def _keyed_run(operators: Sequence[Operator]) -> Run:
    first = operators[0]
    key: tuple[Origin, ...] = keys_of(first)
    if not first.native:
        return Run(
            (first,),
            f"serial, because '{first.name}' is written in Python; in a region by "
            f"{text_of_key(key)} it runs on several channels",
        )
    how = f"divided by {text_of_key(key)} into parts"
    count, end = _same_key(operators, key)
    together = tuple(operators[:count])
    if all(operator.divides_itself for operator in together if operator.kind == "keyed"):
        # Apart they were three to six times as fast: they select rows, where a region copies them.
        if count > 1:
            end = _apart(operators[1:], "both cut tuples without copying rows")
        return Run((first,), f"{how}{end}")
    return Run(together, f"{how}{' together' if count > 1 else ''}{end}", key)


def _same_key(operators: Sequence[Operator], key: tuple[Origin, ...]) -> tuple[int, str]:
    """How many of the operators go by this key, with those in between, and why no more do."""
    lineage = Lineage.of(operators[0].input)
    last = 1
    for place, operator in enumerate(operators):
        if reason := _why_not_within(operator, lineage, key):
            return last, _apart(operators[place:], reason)
        if operator.kind == "keyed":
            last = place + 1
        lineage = lineage.through(operator)
    return last, ""


def _why_not_within(operator: Operator, lineage: Lineage, key: tuple[Origin, ...]) -> str:
    """Why an operator cannot be in a region by this key, which is made without being asked."""
    if operator.inner:
        return f"'{operator.name}' holds operators of its own"
    if not operator.native:
        return f"'{operator.name}' is not native"
    if operator.kind != "keyed":
        return f"'{operator.name}' is stateful" if operator.kind == "stateful" else ""
    origins = lineage.of_columns(keys_of(operator))
    if origins is None:
        return f"what '{operator.name}' goes by is not known to be the same"
    same = set(origins) == set(key) and len(origins) == len(key)
    return "" if same else f"'{operator.name}' goes by another key"


def _apart(behind: Sequence[Operator], reason: str) -> str:
    """Why the next operator with keys, if there is one, is divided for itself."""
    keyed = next((operator.name for operator in behind if operator.kind == "keyed"), None)
    return f"; apart from '{keyed}', because {reason}" if keyed else ""


def _is_stateless(operator: Operator) -> bool:
    return operator.kind == "stateless" and not isinstance(operator, (Region, Branches))
