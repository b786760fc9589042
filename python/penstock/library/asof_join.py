"""As-of join of two branches: what was known when a row came.

>>> from penstock import flow
>>> import pyarrow.compute as pc
>>> start = flow("f", "what string, symbol string, ts long, price double")
>>> trades, quotes = start.split(pc.field("what") == "trade")
>>> priced = trades.select("symbol", "ts").join_asof(
...     quotes.select("symbol", "ts", "price"), on="ts", by="symbol"
... )
>>> rows = [("quote", "a", 1, 9.5), ("trade", "a", 2, None), ("trade", "b", 2, None)]
>>> given = pa.table([*map(list, zip(*rows))], names=["what", "symbol", "ts", "price"])
>>> for row in priced.run(given).to_pylist():
...     print(row)
{'symbol': 'a', 'ts': 2, 'ts_right': 1, 'price': 9.5}
{'symbol': 'b', 'ts': 2, 'ts_right': None, 'price': None}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from penstock.library.native_operator import NativeOperator
from penstock.library.spans import span_of
from penstock.library.two_sides import LEFT, TwoSides, batch_of
from penstock.schema import quote


@dataclass(frozen=True)
class AsofJoin(NativeOperator):
    """Adds to each left row the last right row of its key that came before it."""

    by: tuple[str, ...]
    sides: TwoSides
    tolerance: int | None
    span: str

    factory: ClassVar[str] = "asof_join"

    @classmethod
    def over(cls, sides: TwoSides, name: str, *, tolerance: Any) -> AsofJoin:
        """Check what was asked for, and build the operator."""
        limit = None
        if tolerance is not None:
            limit = span_of("tolerance", tolerance, sides.left.field(sides.time).type)
        output = sides.output(outer=True)
        return cls(name, sides.tagged, output, sides.by, sides, limit, str(tolerance))

    @property
    def kind(self) -> str:
        """Without a key all rows go by one."""
        return "keyed" if self.by else "stateful"

    @property
    def body(self) -> str:
        """What it does."""
        by = f" by {', '.join(map(quote, self.by))}" if self.by else ""
        near = "" if self.tolerance is None else f" within {self.span}"
        return f"join_asof on {quote(str(self.sides.time))}{by}{near}"

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the engine has to know."""
        return {
            "keys": [self.input.get_field_index(one) for one in self.by],
            "sides": self.sides.sides,
            "tolerance": self.tolerance,
        }

    @property
    def kept(self) -> Mapping[str, str]:
        """The key stays what it is."""
        return {one: one for one in self.by}

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch | None:
        """Join a batch of tagged rows, as it is defined: row by row."""
        made: list[tuple[Any, ...]] = []
        latest: dict[Any, int] = {}
        last_right: dict[Any, tuple[int, tuple[Any, ...]]] = {}
        for row in self.sides.rows(batch):
            if row.meets_none or row.time is None:
                made += [row.values + self.sides.nothing] if row.side == LEFT else []
                continue
            if row.time < latest.get(row.key, row.time):
                raise ValueError(f"column '{self.sides.time}' descends within the rows of one key")
            latest[row.key] = row.time
            if row.side != LEFT:
                last_right[row.key] = row.time, row.values
                continue
            time, values = last_right.get(row.key, (row.time, self.sides.nothing))
            near = self.tolerance is None or row.time - time <= self.tolerance
            made.append(row.values + (values if near else self.sides.nothing))
        return batch_of(made, self)
