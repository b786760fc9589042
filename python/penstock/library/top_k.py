"""The best rows, of all or of each key, at the end of the input.

>>> given = pa.schema([("host", pa.string()), ("n", pa.int64())])
>>> best = TopK.over(given, "best", 2, "n")
>>> batch = pa.RecordBatch.from_pydict({"host": ["a", "b", "c"], "n": [1, 3, 2]})
>>> best.process(batch)["host"].to_pylist()
['b', 'c']
>>> best.body
'top_k 2 of n descending'
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import pyarrow as pa
from pyarrow import types as is_

from penstock.errors import FlowError, did_you_mean
from penstock.library.keeping import Keeping
from penstock.library.take import check_rows
from penstock.running import check_keys
from penstock.schema import quote, type_name

# A column, or several of which the first counts most.
Columns: TypeAlias = "str | Sequence[str]"
# Of all of them, or of each.
Directions: TypeAlias = "bool | Sequence[bool]"


@dataclass(frozen=True)
class TopK(Keeping):
    """Keeps the best rows and gives them out at the end, the best first.

    Attributes:
        most: How many.
        best: Columns to compare by, and whether the largest is the best.
    """

    most: int
    best: tuple[tuple[str, bool], ...]

    factory: ClassVar[str] = "top_k"

    @classmethod
    def over(
        cls,
        given: pa.Schema,
        name: str,
        most: int,
        columns: Columns,
        *,
        descending: Directions = True,
        by_key: Sequence[str] | None = None,
    ) -> TopK:
        """Check the columns and build the operator."""
        if by_key is not None:
            check_keys(given, by_key)
        check_rows(most, 1)
        check_plain(given)
        named = (columns,) if isinstance(columns, str) else tuple(columns)
        if not named:
            raise FlowError(f"name a column to compare by; {did_you_mean('', given.names)}")
        largest = (descending,) * len(named) if isinstance(descending, bool) else tuple(descending)
        if len(largest) != len(named):
            raise FlowError(
                f"descending= has {len(largest)} values for {len(named)} columns; give one for "
                "all of them, or one for each"
            )
        for column in named:
            _check_comparable(column, given)
        best = tuple(zip(named, largest, strict=True))
        return cls(name, given, given, tuple(by_key or ()), most, best)

    @property
    def body(self) -> str:
        """What it does."""
        best = (f"{quote(one)} {'des' if largest else 'as'}cending" for one, largest in self.best)
        return f"top_k {self.most} of {', '.join(best)}{self.by_key}"

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the engine has to know."""
        best = [(self.input.get_field_index(column), largest) for column, largest in self.best]
        return {"keys": self.key_columns, "most": self.most, "best": best}

    def rows_of(self, batch: pa.RecordBatch) -> list[int]:
        """The rows that are kept: key by key, the best of each first."""
        # A sort keeps what is equal in its order, so the column that counts most comes last.
        rows = list(range(batch.num_rows))
        for column, largest in reversed(self.best):
            rows = _sorted(rows, batch.column(column), largest=largest, nulls_last=True)
        for place in reversed(self.key_columns):
            rows = _sorted(rows, batch.column(place), largest=False, nulls_last=False)
        keys, made = self.keys_of(batch), list[int]()
        seen: dict[Any, int] = {}
        for row in rows:
            seen[keys[row]] = seen.get(keys[row], 0) + 1
            if seen[keys[row]] <= self.most:
                made.append(row)
        return made


def check_plain(given: pa.Schema) -> None:
    """Refuse columns whose rows cannot be kept."""
    for field in given:
        if is_.is_nested(field.type) or is_.is_dictionary(field.type):
            raise FlowError(
                f"column '{field.name}' is {type_name(field.type)}, which cannot be kept until "
                "the end; select the columns that are needed first"
            )


def _check_comparable(column: Any, given: pa.Schema) -> None:
    if column not in given.names:
        raise FlowError(
            f"unknown column {column!r} to compare by; {did_you_mean(str(column), given.names)}"
        )


def _sorted(rows: list[int], column: pa.Array, *, largest: bool, nulls_last: bool) -> list[int]:
    values = column.to_pylist()
    known = [row for row in rows if values[row] is not None]
    known.sort(key=lambda row: _in_order(values[row]), reverse=largest)
    nulls = [row for row in rows if values[row] is None]
    return known + nulls if nulls_last else nulls + known


def _in_order(value: Any) -> tuple[bool, Any]:
    """NaN is larger than any number."""
    is_nan = isinstance(value, float) and math.isnan(value)
    return is_nan, 0.0 if is_nan else value
