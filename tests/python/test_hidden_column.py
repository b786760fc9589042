from __future__ import annotations

import pyarrow as pa
import pytest

from penstock.hidden_column import HIDDEN, hidden_row, with_hidden_column

TYPES = [
    *(pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.float32(), pa.float64(), pa.bool_()),
    *(pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.binary(4)),
    *(pa.date32(), pa.timestamp("us"), pa.timestamp("us", "UTC"), pa.duration("us")),
    *(pa.decimal128(10, 2), pa.decimal128(38, 18), pa.month_day_nano_interval()),
    *(pa.list_(pa.int32()), pa.map_(pa.string(), pa.int64())),
    pa.struct([pa.field("x", pa.int32(), nullable=False), pa.field("y", pa.date32())]),
    pa.struct([pa.field("s", pa.struct([pa.field("z", pa.bool_(), nullable=False)]), False)]),
]


@pytest.mark.parametrize("kind", TYPES, ids=str)
@pytest.mark.parametrize("nullable", [True, False])
def test_the_row_fits_a_schema_of_any_type(kind: pa.DataType, nullable: bool) -> None:
    schema = pa.schema([pa.field("a", kind, nullable)])
    row = hidden_row(schema, "told")
    row.validate(full=True)
    assert row.schema == schema.append(pa.field(HIDDEN, pa.string()))
    assert row.column(HIDDEN).to_pylist() == ["told"]
    assert row.column(0).null_count == nullable


def test_other_rows_keep_what_they_hold() -> None:
    given = pa.RecordBatch.from_pydict({"n": [1, None], "s": ["a", "b"]})
    made = with_hidden_column(given)
    assert made.select(["n", "s"]) == given
    assert made.column(HIDDEN).to_pylist() == [None, None]


def test_a_batch_without_rows_stays_one() -> None:
    made = with_hidden_column(pa.RecordBatch.from_pydict({"n": pa.array([], pa.int64())}))
    assert made.num_rows == 0
