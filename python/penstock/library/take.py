"""The first rows, of all or of each key.

>>> given = pa.schema([("host", pa.string())])
>>> two = Take.over(given, "two", 2)
>>> two.process(pa.RecordBatch.from_pydict({"host": ["a", "b", "c"]}))["host"].to_pylist()
['a', 'b']
>>> two.body, two.kind
('take 2', 'stateful')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from penstock.errors import FlowError
from penstock.library.keeping import Keeping
from penstock.running import check_keys

MOST_ROWS = 2**63 - 1


@dataclass(frozen=True)
class Take(Keeping):
    """Keeps the first rows, so many, and none behind them."""

    rows: int

    factory: ClassVar[str] = "take"

    @classmethod
    def over(cls, given: pa.Schema, name: str, rows: int, by: Sequence[str] | None = None) -> Take:
        """Check the number and build the operator."""
        if by is not None:
            check_keys(given, by)
        check_rows(rows, 0)
        return cls(name, given, given, tuple(by or ()), rows)

    @property
    def body(self) -> str:
        """What it does."""
        return f"take {self.rows}{self.by_key}"

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the engine has to know."""
        return {"keys": self.key_columns, "rows": self.rows}

    def rows_of(self, batch: pa.RecordBatch) -> Iterator[int]:
        """The rows that are kept."""
        seen: Counter[Hashable] = Counter()
        for row, key in enumerate(self.keys_of(batch)):
            seen[key] += 1
            if seen[key] <= self.rows:
                yield row


def check_rows(rows: Any, least: int) -> None:
    """Refuse what is no number of rows."""
    if not isinstance(rows, int) or isinstance(rows, bool) or not least <= rows <= MOST_ROWS:
        raise FlowError(f"a number of rows is a whole number from {least} on, got {rows!r}")
