"""Python values become Arrow values, or an error; they never become other values."""

from __future__ import annotations

import datetime
from typing import Any

import pyarrow as pa
import pytest

from penstock.typed_array import UNFIT, typed_array


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1.5, pa.int64()),
        (2.0, pa.int8()),
        (1.5, pa.timestamp("us")),
        (1.5, pa.date32()),
        (2**40, pa.int32()),
        ("1", pa.int64()),
        (1, pa.string()),
        (2**60 + 1, pa.float64()),
    ],
)
def test_what_would_become_another_value_is_refused(value: Any, kind: pa.DataType) -> None:
    with pytest.raises(UNFIT):
        typed_array([None, value], kind)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1, pa.int8()),
        (1, pa.float64()),
        (None, pa.int64()),
        (datetime.date(2024, 5, 1), pa.date32()),
    ],
)
def test_what_fits_is_taken(value: Any, kind: pa.DataType) -> None:
    assert typed_array([value], kind).to_pylist() == [value]
