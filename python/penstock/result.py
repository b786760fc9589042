"""What a flow made, once it has run to its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from penstock.metrics import Decision, FlowMetrics
from penstock.schema import to_ddl

if TYPE_CHECKING:
    from penstock.flow import Flow


@dataclass(frozen=True)
class Result:
    """The rows a flow made, in order.

    >>> batch = pa.RecordBatch.from_pydict({"n": [1, 2]})
    >>> result = Result(batch.schema, (batch,))
    >>> result
    Result(2 rows of n bigint)
    >>> result.to_pylist()
    [{'n': 1}, {'n': 2}]

    Attributes:
        schema: Schema of the rows.
        batches: The rows as the engine handed them over.
        metrics: What the run did and how long it took; None when
            `spark.penstock.metrics.enabled` is false.
        decisions: What an elastic flow decided about its threads and channels while it ran, and
            why.
        states: By operator, what it remembered of its keys in the end, if the run was told to
            keep it with `checkpoint=True`: a row for each key.
        flow: What was run, which a notebook draws.
    """

    schema: pa.Schema
    batches: tuple[pa.RecordBatch, ...]
    metrics: FlowMetrics | None = field(default=None, compare=False)
    decisions: tuple[Decision, ...] = field(default=(), compare=False)
    states: Mapping[str, pa.Table] = field(default_factory=dict, compare=False)
    flow: Flow | None = field(default=None, compare=False)

    @property
    def table(self) -> pa.Table:
        """All rows as one table; no row is copied."""
        return pa.Table.from_batches(self.batches, self.schema)

    @property
    def num_rows(self) -> int:
        """How many rows there are."""
        return sum(batch.num_rows for batch in self.batches)

    def to_pylist(self) -> list[dict[str, Any]]:
        """All rows as dictionaries."""
        rows: list[dict[str, Any]] = self.table.to_pylist()
        return rows

    def to_pandas(self, **options: Any) -> Any:
        """All rows as a pandas DataFrame; takes the options of `pyarrow.Table.to_pandas`."""
        return self.table.to_pandas(**options)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return self.num_rows

    def _repr_html_(self) -> str:
        from penstock.drawing.page import result_html  # noqa: PLC0415 - only notebooks ask

        return result_html(self)

    def __repr__(self) -> str:
        rows = "row" if self.num_rows == 1 else "rows"
        return f"Result({self.num_rows} {rows} of {to_ddl(self.schema)})"
