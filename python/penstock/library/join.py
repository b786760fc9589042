"""Equi-join of two branches.

>>> from penstock import flow
>>> import pyarrow.compute as pc
>>> start = flow("f", "what string, user string, n long")
>>> clicks, buys = start.split(pc.field("what") == "click")
>>> both = clicks.select("user", click=pc.field("n")).join(
...     buys.select("user", buy=pc.field("n")), on="user"
... )
>>> rows = [("click", "ann", 1), ("click", "bob", 2), ("buy", "ann", 3), ("click", "ann", 4)]
>>> given = pa.table([*map(list, zip(*rows))], names=["what", "user", "n"])
>>> for row in both.run(given).to_pylist():
...     print(row)
{'user': 'ann', 'click': 1, 'buy': 3}
{'user': 'ann', 'click': 4, 'buy': 3}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from penstock.errors import FlowError
from penstock.library.native_operator import NativeOperator
from penstock.library.spans import span_of
from penstock.library.two_sides import LEFT, SidedRow, TwoSides, batch_of
from penstock.schema import quote

HOWS = ("inner", "left")


@dataclass(frozen=True)
class Join(NativeOperator):
    """Every row meets the rows of the other side that came before it, and have the same key."""

    by: tuple[str, ...]
    sides: TwoSides
    within: int | None
    how: str
    span: str

    factory: ClassVar[str] = "join"
    kind: ClassVar[str] = "keyed"

    @classmethod
    def over(cls, sides: TwoSides, name: str, *, how: Any, within: Any) -> Join:
        """Check what was asked for, and build the operator."""
        if how not in HOWS:
            raise FlowError(f"how={how!r} is not possible; allowed is 'inner' or 'left'")
        if (within is None) != (sides.time is None):
            raise FlowError(
                "within= and on_time= belong together: how far apart rows may be, and the column "
                "with their times"
            )
        limit = None
        if sides.time is not None:
            limit = span_of("within", within, sides.left.field(sides.time).type)
        output = sides.output(outer=how == "left")
        return cls(name, sides.tagged, output, sides.by, sides, limit, how, str(within))

    @property
    def body(self) -> str:
        """What it does."""
        near = f" within {self.span} by {quote(self.sides.time)}" if self.sides.time else ""
        return f"join {self.how} on {', '.join(map(quote, self.by))}{near}"

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the engine has to know."""
        return {
            "keys": [self.input.get_field_index(one) for one in self.by],
            "sides": self.sides.sides,
            "within": self.within,
            "keeps_left": self.how == "left",
        }

    @property
    def kept(self) -> Mapping[str, str]:
        """The key stays what it is."""
        return {one: one for one in self.by}

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch | None:
        """Join a batch of tagged rows, as it is defined: row by row."""
        made: list[tuple[Any, ...]] = []
        known: dict[Any, list[SidedRow]] = {}
        for row in self.sides.rows(batch):
            if row.meets_none:
                made += self._unmatched(row)
                continue
            remembered = known.setdefault(row.key, [])
            last = max((_time(row), *map(_time, remembered)))
            for one in sorted(filter(lambda one: self._over(one, last), remembered), key=_time):
                made += self._unmatched(one)
                remembered.remove(one)
            others = [one for one in remembered if one.side != row.side and self._near(one, row)]
            for other in sorted(others, key=_time):
                left, right = (row, other) if row.side == LEFT else (other, row)
                made.append(left.values + right.values)
                row.met = other.met = True
            if self._over(row, last):
                made += self._unmatched(row)
            else:
                remembered.append(row)
        for _, remembered in sorted(known.items()):
            for row in sorted(remembered, key=_time):
                made += self._unmatched(row)
        return batch_of(made, self)

    def _near(self, one: SidedRow, other: SidedRow) -> bool:
        return self.within is None or abs(_time(one) - _time(other)) <= self.within

    def _over(self, row: SidedRow, last: int) -> bool:
        return self.within is not None and _time(row) < last - self.within

    def _unmatched(self, row: SidedRow) -> list[tuple[Any, ...]]:
        leaves = self.how == "left" and row.side == LEFT and not row.met
        return [row.values + self.sides.nothing] if leaves else []


def _time(row: SidedRow) -> int:
    return row.time or 0
