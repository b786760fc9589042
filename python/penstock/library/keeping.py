"""What operators have in common that keep some of the rows, as they are, of each key or of all."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

import pyarrow as pa

from penstock.library.native_operator import NativeOperator
from penstock.running import as_key
from penstock.schema import quote


@dataclass(frozen=True)
class Keeping(NativeOperator):
    """Keeps some rows; what it remembers is of the key of a row, or of all rows without `by`."""

    by: tuple[str, ...]

    @property
    def kind(self) -> str:
        """What it remembers between rows."""
        return "keyed" if self.by else "stateful"

    @property
    def kept(self) -> Mapping[str, str]:
        """All columns stay."""
        return {name: name for name in self.input.names}

    @property
    def key_columns(self) -> list[int]:
        """The keys by position."""
        return [self.input.get_field_index(name) for name in self.by]

    @property
    def by_key(self) -> str:
        """The key, for people."""
        return f" by {', '.join(map(quote, self.by))}" if self.by else ""

    def keys_of(self, batch: pa.RecordBatch) -> list[Hashable]:
        """The key of each row, as keys are compared."""
        columns = [map(as_key, batch.column(place).to_pylist()) for place in self.key_columns]
        return list(zip(*columns, strict=True)) if columns else [()] * batch.num_rows

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Apply it to a batch as if no row had come before, and none came behind."""
        return batch.take(pa.array(self.rows_of(batch), pa.int64()))

    @abstractmethod
    def rows_of(self, batch: pa.RecordBatch) -> Iterable[int]:
        """The rows of a batch that it keeps, row by row as it is defined."""
