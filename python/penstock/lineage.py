"""Where the columns of a stream come from, operator by operator, as far as that can be proven.

>>> import pyarrow.compute as pc
>>> from penstock.flow import flow
>>> made = flow("f", "a int, b int").select(x=pc.field("a"), b=pc.field("b") + 1)
>>> lineage = Lineage.of(made.input_schema).through(made.operators[0])
>>> lineage.origins
{'x': 'a', 'b': Expression<add_checked(b, 1)>}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import pyarrow as pa

from penstock.busy_work import BusyWork
from penstock.errors import FlowError
from penstock.expressions import bind
from penstock.library.branches import Branches
from penstock.library.native_operator import NativeOperator
from penstock.operators import Compute, Expression, Filter, Operator, Select
from penstock.running import RunningAggregate

# A column of the rows at the beginning, or an expression over them.
Origin: TypeAlias = "str | Expression"


@dataclass(frozen=True)
class Lineage:
    """What the columns behind some operators are, in terms of the rows before them.

    Attributes:
        origins: By column; a column of which nothing is known is not there.
    """

    origins: Mapping[str, Origin]

    @classmethod
    def of(cls, given: pa.Schema) -> Lineage:
        """Begin: every column is itself."""
        return cls({name: name for name in given.names})

    def through(self, operator: Operator) -> Lineage:
        """Go on behind an operator."""
        origins = {
            made: self.origins[given]
            for made, given in unchanged(operator).items()
            if given in self.origins
        }
        if isinstance(operator, Compute):
            # An expression means the same here and there if the columns it reads are the same.
            same = [field for field in operator.input if self.origins.get(field.name) == field.name]
            for name, made in zip(operator.output.names, operator.columns, strict=True):
                if isinstance(made, Expression) and reads_only(made, pa.schema(same)):
                    origins[name] = made
        return Lineage(origins)

    def of_columns(self, columns: tuple[str, ...]) -> tuple[Origin, ...] | None:
        """The origins of these columns; None unless all are known."""
        if not all(column in self.origins for column in columns):
            return None
        return tuple(self.origins[column] for column in columns)


def unchanged(operator: Operator) -> dict[str, str]:
    """By output column, the input column that it is, value for value in the rows that remain."""
    if isinstance(operator, (BusyWork, Filter, RunningAggregate)):
        return {name: name for name in operator.input.names}
    if isinstance(operator, (Select, Compute)):
        return {
            name: operator.input.names[made]
            for name, made in zip(operator.output.names, operator.columns, strict=True)
            if isinstance(made, int)
        }
    if isinstance(operator, NativeOperator):
        return dict(operator.kept)
    if isinstance(operator, Branches):
        ways = [_unchanged_through(operator.input, branch) for branch in operator.branches]
        return {
            made: given
            for made, given in ways[0].items()
            if all(w.get(made) == given for w in ways)
        }
    return {}


def _unchanged_through(given: pa.Schema, operators: tuple[Operator, ...]) -> dict[str, str]:
    lineage = Lineage.of(given)
    for operator in operators:
        lineage = lineage.through(operator)
    return {made: origin for made, origin in lineage.origins.items() if isinstance(origin, str)}


def reads_only(expression: Expression, columns: pa.Schema) -> bool:
    """Whether an expression needs no other columns than these."""
    try:
        bind(expression.value, columns)
    except FlowError:
        return False
    return True
