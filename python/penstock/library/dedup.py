"""Leaving out rows that came before.

>>> given = pa.schema([("host", pa.string())])
>>> first = Dedup.over(given, "first", ["host"])
>>> first.process(pa.RecordBatch.from_pydict({"host": ["a", "b", "a"]}))["host"].to_pylist()
['a', 'b']
>>> first.body
'dedup by host'
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import pyarrow as pa
from pyarrow import types as is_

from penstock.durations import nanoseconds, ticks
from penstock.errors import FlowError, did_you_mean
from penstock.library.keeping import Keeping
from penstock.running import check_keys
from penstock.schema import quote, type_name

# A length of time, or a number where the time is one.
Span: TypeAlias = "str | int | dt.timedelta"

EVER = -1


@dataclass(frozen=True)
class Dedup(Keeping):
    """Keeps the first row of each key, or of each key and span of time.

    Attributes:
        by: What makes rows equal.
        on: The column of the time, if a row counts as a duplicate for some time only.
        within: That time, as it was written.
        span: The same in the units of the column.
    """

    on: str | None = None
    within: Span | None = None
    span: int = 0

    factory: ClassVar[str] = "dedup"

    @classmethod
    def over(
        cls,
        given: pa.Schema,
        name: str,
        by: Sequence[str],
        within: Span | None = None,
        on: str | None = None,
    ) -> Dedup:
        """Check the columns and build the operator."""
        check_keys(given, by)
        if within is None and on is None:
            return cls(name, given, given, tuple(by))
        if within is None or on is None:
            raise FlowError(
                "within= and on= go together, as in dedup(within='10 minutes', on='ts')"
            )
        if on not in given.names:
            raise FlowError(f"on=: unknown column '{on}'; {did_you_mean(on, given.names)}")
        found = given.field(on).type
        return cls(name, given, given, tuple(by), on, within, _span(within, on, found))

    @property
    def body(self) -> str:
        """What it does."""
        within = f" within {self.within} of {quote(self.on)}" if self.on else ""
        return f"dedup{self.by_key}{within}"

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the engine has to know."""
        on = EVER if self.on is None else self.input.get_field_index(self.on)
        return {"keys": self.key_columns, "on": on, "span": self.span}

    def rows_of(self, batch: pa.RecordBatch) -> Iterator[int]:
        """The rows that are kept."""
        last: dict[Hashable, int] = {}
        times = _whole_numbers(batch, self.on)
        for row, (key, time) in enumerate(zip(self.keys_of(batch), times, strict=True)):
            if time is None:
                yield row  # nothing is known to be near it
            elif key not in last or (self.on and time - last[key] >= self.span):
                last[key] = time
                yield row


def _span(within: Span, on: str, of: pa.DataType) -> int:
    """The span in the units of the column."""
    if is_.is_signed_integer(of):
        if not isinstance(within, int) or isinstance(within, bool) or not 0 < within < 2**63:
            raise FlowError(
                f"column '{on}' is {type_name(of)}, so within= must be a whole number above 0 in "
                f"its own unit, got {within!r}"
            )
        return within
    if not (is_.is_timestamp(of) or is_.is_date32(of)):
        raise FlowError(
            f"on=: column '{on}' is {type_name(of)}, and must be a timestamp, a date or a whole "
            "number"
        )
    span = ticks(nanoseconds(within), of, "within=")
    if not 0 < span < 2**63:
        raise FlowError(f"within= must be a time above 0 that the column can tell, got {within!r}")
    return span


def _whole_numbers(batch: pa.RecordBatch, column: str | None) -> list[int | None]:
    if column is None:
        return [0] * batch.num_rows
    times = batch.column(column)
    width = pa.int32() if times.type.bit_width == 32 else pa.int64()
    is_number = pa.types.is_integer(times.type)
    numbers: list[int | None] = (times if is_number else times.view(width)).to_pylist()
    return numbers
