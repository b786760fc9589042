from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from tests.python.arrow_cases import CASES, Case, changing_dictionaries

from penstock import Flow, flow


def same(batch: pa.RecordBatch) -> pa.RecordBatch:
    return batch


def identity(schema: pa.Schema) -> Flow:
    """Every way to pass rows on: natively, through a function, an expression and a join."""
    return (
        flow("same", schema)
        .select(*schema.names)
        .map(same)
        .filter(pc.scalar(True))
        .flat_map(lambda batch: [batch.slice(0, 1), batch.slice(1)])
    )


@pytest.mark.parametrize("rows_per_tuple", [0, 1, 4])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_type_passes_unchanged(case: Case, rows_per_tuple: int) -> None:
    batches = case.batches()
    settings = {"spark.penstock.tuple.rows": rows_per_tuple, "spark.penstock.check.batches": "full"}
    made = identity(case.schema()).run(batches, settings=settings)
    assert made.schema == case.schema()
    assert made.table.combine_chunks().equals(pa.Table.from_batches(batches).combine_chunks())


@pytest.mark.parametrize("rows_per_tuple", [0, 1, 2])
def test_dictionaries_that_change_between_batches_keep_their_values(rows_per_tuple: int) -> None:
    batches = changing_dictionaries()
    settings = {"spark.penstock.tuple.rows": rows_per_tuple}
    made = identity(batches[0].schema).run(batches, settings=settings)
    expected = [value for batch in batches for value in batch["c"].to_pylist()]
    assert [row["c"] for row in made.to_pylist()] == expected
    assert made.schema.field("c").type == batches[0].schema.field("c").type


def test_a_flow_without_functions_hands_over_the_very_same_buffers() -> None:
    batch = pa.RecordBatch.from_pydict({"a": pa.array(range(1000)), "b": pa.array(range(1000))})
    made = flow("pick", batch.schema).select("b").run(batch).batches[0]
    assert made["b"].buffers()[1].address == batch["b"].buffers()[1].address
