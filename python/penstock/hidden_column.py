"""The column that carries metrics among a task's rows, on the way to an Observation of Spark.

It is null in every row but one, the last, which is there for it alone: the driver's side takes row
and column away again. That row must fit the schema, so columns that may not be null hold a value
that means nothing.

>>> given = pa.RecordBatch.from_pydict({"n": [1, 2]})
>>> with_hidden_column(given).column(HIDDEN).null_count
2
>>> hidden_row(given.schema, "{}").to_pylist()
[{'n': None, '__penstock_metrics': '{}'}]
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pyarrow as pa
from pyarrow import types as is_

HIDDEN = "__penstock_metrics"


def with_hidden_column(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Add the column to rows that carry nothing."""
    columns = [*batch.columns, pa.nulls(batch.num_rows, pa.string())]
    return pa.RecordBatch.from_arrays(columns, schema=_with_hidden(batch.schema))


def hidden_row(schema: pa.Schema, text: str) -> pa.RecordBatch:
    """Make the one row that carries something."""
    columns = [pa.array([_value(field)], field.type) for field in schema]
    columns.append(pa.array([text], pa.string()))
    return pa.RecordBatch.from_arrays(columns, schema=_with_hidden(schema))


def _with_hidden(schema: pa.Schema) -> pa.Schema:
    return schema.append(pa.field(HIDDEN, pa.string()))


def _value(field: pa.Field) -> Any:
    """Null where that is allowed, else the plainest value of the type."""
    kind = field.type
    if field.nullable or is_.is_null(kind):
        return None
    if is_.is_struct(kind):
        return {inner.name: _value(inner) for inner in kind}
    for belongs, value in PLAINEST:
        if belongs(kind):
            return value
    return bytes(kind.byte_width) if is_.is_fixed_size_binary(kind) else 0


# Of types whose values are neither numbers nor times since 1970.
PLAINEST: tuple[tuple[Callable[[pa.DataType], bool], Any], ...] = (
    (is_.is_nested, []),
    (is_.is_string, ""),
    (is_.is_large_string, ""),
    (is_.is_binary, b""),
    (is_.is_large_binary, b""),
    (is_.is_boolean, False),
    (is_.is_decimal, Decimal(0)),
    (is_.is_interval, pa.MonthDayNano([0, 0, 0])),
)
