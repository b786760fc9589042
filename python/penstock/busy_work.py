"""An operator that only costs time, for measuring (G18); no flow of a user has it.

>>> from penstock.flow import flow
>>> made = with_work(flow("f", "n bigint"), "n", rounds=2)
>>> print(made)
f: busy_work busy_work_1
>>> made.operators[0].process(pa.RecordBatch.from_pydict({"n": [0]})).to_pydict()
{'n': [0], 'worked': [6364136223846793006]}
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import pyarrow as pa

from penstock.operators import Operator
from penstock.schema import quote

if TYPE_CHECKING:
    from penstock.flow import Flow

FACTOR = 6364136223846793005
SIGN, WORD = 1 << 63, 1 << 64


@dataclass(frozen=True)
class BusyWork(Operator):
    """Adds what comes of so many multiplications of each row's value, one after the other.

    Attributes:
        column: Position of the value, a bigint.
        rounds: Multiplications for each row.
    """

    column: int
    rounds: int

    native: ClassVar[bool] = True

    @property
    def body(self) -> str:
        """What it does."""
        return f"busy_work {self.rounds} times on {quote(self.input.names[self.column])}"

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Multiply, as the engine does."""
        worked = [self._worked(value or 0) for value in batch.column(self.column).to_pylist()]
        columns = [*batch.columns, pa.array(worked, pa.int64())]
        return pa.RecordBatch.from_arrays(columns, names=self.output.names)

    def _worked(self, value: int) -> int:
        for _ in range(self.rounds):
            value = value * FACTOR + 1
        return (value + SIGN) % WORD - SIGN


def with_work(rows: Flow, column: str, rounds: int) -> Flow:
    """Let every row of a flow cost so many rounds; what came of them is the column `worked`."""
    name = f"busy_work_{len(rows.operators) + 1}"
    output = rows.schema.append(pa.field("worked", pa.int64()))
    place = rows.schema.get_field_index(column)
    work = BusyWork(name, rows.schema, output, place, rounds)
    return replace(rows, operators=(*rows.operators, work))
