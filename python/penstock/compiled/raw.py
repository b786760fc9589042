"""Columns as the raw values that a compiled function sees, and back."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa
from pyarrow import types as is_


def raw_values(column: pa.Array) -> list[Any]:
    """Days, microseconds, scaled decimals and bytes as plain numbers and bytes."""
    kind = column.type
    if is_.is_decimal(kind):
        return [None if one is None else int(one.scaleb(kind.scale)) for one in column.to_pylist()]
    if is_.is_string(kind):
        column = column.cast(pa.binary())
    elif is_.is_date32(kind):
        column = column.cast(pa.int32())
    elif is_.is_timestamp(kind) or is_.is_duration(kind) or is_.is_time64(kind):
        column = column.cast(pa.int64())
    return list(column.to_pylist())


def as_column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """The column of this type that has these raw values."""
    if is_.is_decimal(kind):
        scaled = [None if one is None else Decimal(one).scaleb(-kind.scale) for one in values]
        return pa.array(scaled, kind)
    if is_.is_string(kind):
        return pa.array(values, pa.binary()).cast(kind)
    if is_.is_date32(kind):
        return pa.array(values, pa.int32()).cast(kind)
    if is_.is_timestamp(kind) or is_.is_duration(kind) or is_.is_time64(kind):
        return pa.array(values, pa.int64()).cast(kind)
    return pa.array(values, kind)
