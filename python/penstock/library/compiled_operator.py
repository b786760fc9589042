"""Operators whose function was compiled against `penstock_operator.h`, wherever that was."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import pyarrow as pa
from pyarrow import types as is_

from penstock.library.native_operator import NativeOperator

# What penstock_operator.h has room for; of strings and binary the ones with 32-bit offsets.
FITTING = (
    *(is_.is_boolean, is_.is_integer, is_.is_float32, is_.is_float64, is_.is_date32),
    *(is_.is_timestamp, is_.is_duration, is_.is_time, is_.is_decimal128),
    *(is_.is_string, is_.is_binary),
)


@dataclass(frozen=True)
class CompiledOperator(NativeOperator):
    """Gives rows to a compiled function, which makes any number of rows of each.

    Attributes:
        by: Key columns; none if it remembers nothing.
        state_bytes: Of the record that it keeps of each key; 0 if it remembers nothing.
        reads: Positions of the input columns that the function reads, in its order.
        makes_columns: Whether it makes rows of its own; otherwise it passes rows on.
    """

    by: tuple[str, ...]
    state_bytes: int
    reads: tuple[int, ...]
    makes_columns: bool

    factory: ClassVar[str] = "compiled_rows"
    divides_itself: ClassVar[bool] = True

    @property
    def kind(self) -> str:
        """What it remembers."""
        return "keyed" if self.state_bytes else "stateless"

    @property
    def kept(self) -> Mapping[str, str]:
        """What is passed on is as it was."""
        return {} if self.makes_columns else {name: name for name in self.input.names}

    @property
    def key_columns(self) -> list[int]:
        """The keys by position."""
        return [self.input.get_field_index(name) for name in self.by]

    @abstractmethod
    def load(self) -> tuple[int, object]:
        """Find the function in this process: its address, and what it lives in."""

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch | None:
        """Apply it to a batch as if no row had come before, in an engine of its own."""
        from penstock.flow import Flow  # noqa: PLC0415 - a flow is built on this module

        made = Flow("alone", self.input, (self,)).run(batch).table
        return made.combine_chunks().to_batches()[0] if made.num_rows else None


def fits(found: pa.DataType) -> bool:
    """Whether a compiled function can have a column of this type."""
    return any(is_it(found) for is_it in FITTING)
