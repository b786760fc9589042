from __future__ import annotations

import ctypes

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock.bodies import body_of
from penstock.errors import FlowError
from penstock.operators import Filter, FlatMap, Operator

BATCH = pa.RecordBatch.from_pydict({"n": [1, 2, 3]})
EMPTY_WORDS = [0] * 10


def call(operator: Operator, batch: pa.RecordBatch) -> tuple[int, pa.RecordBatch | None]:
    """Call a body as the engine does, by the addresses of two C structs."""
    given, made = (ctypes.c_uint64 * 10)(), (ctypes.c_uint64 * 10)()
    batch._export_to_c(ctypes.addressof(given))
    rows = body_of(operator, full_check=False)(ctypes.addressof(given), ctypes.addressof(made))
    assert given[8] == 0, "the array given was taken over"
    if list(made) == EMPTY_WORDS:
        return rows, None
    return rows, pa.RecordBatch._import_from_c(ctypes.addressof(made), operator.output)


def test_a_body_exports_what_its_operator_made() -> None:
    rows, made = call(Filter.over(BATCH.schema, "keep", pc.field("n") > 1), BATCH)
    assert rows == 2
    assert made is not None
    assert made.to_pydict() == {"n": [2, 3]}


@pytest.mark.parametrize("nothing", [[], [BATCH.slice(0, 0)]])
def test_a_body_that_makes_no_rows_exports_nothing(nothing: list[pa.RecordBatch]) -> None:
    operator = FlatMap.over(BATCH.schema, "none", lambda _: nothing, "n long")
    assert call(operator, BATCH) == (0, None)


def test_a_body_gives_its_rows_the_labels_of_the_declared_schema() -> None:
    zoned = pa.record_batch([pa.array([1], pa.timestamp("us", "Asia/Tokyo"))], ["t"])
    operator = FlatMap.over(BATCH.schema, "zone", lambda _: zoned, "t timestamp")
    _, made = call(operator, BATCH)
    assert made is not None
    assert made.schema.field("t").type == pa.timestamp("us", "UTC")


def test_a_schema_that_differs_is_refused_even_without_rows() -> None:
    wrong = pa.RecordBatch.from_pydict({"m": pa.array([], pa.int64())})
    operator = FlatMap.over(
        BATCH.schema, "wrong", lambda batch: wrong if batch.num_rows else batch, "n long"
    )
    with pytest.raises(FlowError, match=r"flat_map .* returned another schema: columns 'n' were"):
        call(operator, BATCH)
