"""Marks behind some rows, at which batches of the result end.

>>> given = pa.schema([("n", pa.int64()), ("last", pa.bool_())])
>>> Punctuate.over(given, "pairs", 2, None).body
'punctuate every 2 rows'
>>> Punctuate.over(given, "parts", None, "last").body
'punctuate after last'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from penstock.errors import FlowError, did_you_mean
from penstock.library.native_operator import NativeOperator
from penstock.schema import quote, type_name


@dataclass(frozen=True)
class Punctuate(NativeOperator):
    """Passes every row on and puts marks behind some."""

    every: int | None
    after: str | None

    kind: ClassVar[str] = "stateful"
    factory: ClassVar[str] = "punctuate"

    @classmethod
    def over(cls, given: pa.Schema, name: str, every: Any, after: Any) -> Punctuate:
        """Check where marks are to be and build the operator."""
        if (every is None) == (after is None):
            raise FlowError("punctuate takes every=, a number of rows, or after=, a boolean column")
        if every is not None and (
            not isinstance(every, int) or isinstance(every, bool) or every < 1
        ):
            raise FlowError(f"every= must be a whole number of rows above 0, got {every!r}")
        if after is not None:
            if after not in given.names:
                raise FlowError(
                    f"unknown column {after!r}; {did_you_mean(str(after), given.names)}"
                )
            found = given.field(after).type
            if not pa.types.is_boolean(found):
                raise FlowError(
                    f"after= needs a boolean column, and '{after}' is {type_name(found)}; make "
                    "one with with_column"
                )
        return cls(name, given, given, every, after)

    @property
    def body(self) -> str:
        """What it does."""
        if self.after is None:
            return f"punctuate every {self.every} rows"
        return f"punctuate after {quote(self.after)}"

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the engine has to know."""
        column = None if self.after is None else self.input.get_field_index(self.after)
        return {"every": self.every or 0, "column": column}

    @property
    def kept(self) -> Mapping[str, str]:
        """All columns stay."""
        return {name: name for name in self.input.names}

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Pass the rows on."""
        return batch
