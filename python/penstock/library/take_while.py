"""The rows before a condition ends, of all or of each key.

>>> given = pa.schema([("n", pa.int64()), ("good", pa.bool_())])
>>> while_good = TakeWhile.over(given, "while_good", "good")
>>> batch = pa.RecordBatch.from_pydict({"n": [1, 2, 3], "good": [True, False, True]})
>>> while_good.process(batch)["n"].to_pylist()
[1]
>>> while_good.body
'take_while good'
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from penstock.errors import FlowError, did_you_mean
from penstock.library.keeping import Keeping
from penstock.running import check_keys
from penstock.schema import quote, type_name


@dataclass(frozen=True)
class TakeWhile(Keeping):
    """Keeps the rows before the first in which a boolean column is not true; null is not."""

    column: str

    factory: ClassVar[str] = "take_while"

    @classmethod
    def over(
        cls, given: pa.Schema, name: str, column: Any, by: Sequence[str] | None = None
    ) -> TakeWhile:
        """Check the column and build the operator."""
        if by is not None:
            check_keys(given, by)
        if column not in given.names:
            raise FlowError(f"unknown column {column!r}; {did_you_mean(str(column), given.names)}")
        found = given.field(column).type
        if not pa.types.is_boolean(found):
            raise FlowError(
                f"column '{column}' is {type_name(found)}, but take_while needs a boolean; compare "
                f"it with something, as in pc.field({column!r}) > 3"
            )
        return cls(name, given, given, tuple(by or ()), column)

    @property
    def body(self) -> str:
        """What it does."""
        return f"take_while {quote(self.column)}{self.by_key}"

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the engine has to know."""
        return {"keys": self.key_columns, "column": self.input.get_field_index(self.column)}

    def rows_of(self, batch: pa.RecordBatch) -> Iterator[int]:
        """The rows that are kept."""
        ended: set[Hashable] = set()
        goes_on = batch.column(self.column).to_pylist()
        for row, (key, good) in enumerate(zip(self.keys_of(batch), goes_on, strict=True)):
            if not good:
                ended.add(key)
            if key not in ended:
                yield row
