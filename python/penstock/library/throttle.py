"""Letting so many rows pass in a second.

>>> slow = Throttle.over(pa.schema([("n", pa.int64())]), "slow", 100)
>>> slow.body
'throttle to 100 rows a second'
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from penstock.errors import FlowError
from penstock.library.native_operator import NativeOperator


@dataclass(frozen=True)
class Throttle(NativeOperator):
    """Passes every row on, at no more than a rate."""

    rows_per_second: float

    kind: ClassVar[str] = "stateful"
    factory: ClassVar[str] = "throttle"

    @classmethod
    def over(cls, given: pa.Schema, name: str, rows_per_second: Any) -> Throttle:
        """Check the rate and build the operator."""
        number = isinstance(rows_per_second, (int, float)) and not isinstance(rows_per_second, bool)
        if not number or not 0 < rows_per_second < math.inf:
            raise FlowError(f"rows_per_second= must be a number above 0, got {rows_per_second!r}")
        return cls(name, given, given, rows_per_second)

    @property
    def body(self) -> str:
        """What it does."""
        return f"throttle to {self.rows_per_second:g} rows a second"

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the engine has to know."""
        return {"rows_per_second": float(self.rows_per_second)}

    @property
    def kept(self) -> Mapping[str, str]:
        """All columns stay."""
        return {name: name for name in self.input.names}

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Pass the rows on."""
        return batch
