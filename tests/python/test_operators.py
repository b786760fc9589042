from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock.errors import FlowError
from penstock.operators import Compute, Expression, Filter, FlatMap, Map, Select, project

BATCH = pa.RecordBatch.from_pydict({"a": [1, 2, None], "b c": ["x", "y", "z"]})
SCHEMA = BATCH.schema


def test_a_filter_drops_what_is_false_and_what_is_null() -> None:
    keep = Filter.over(SCHEMA, "keep", pc.field("a") > 1)
    assert keep.process(BATCH).to_pydict() == {"a": [2], "b c": ["y"]}
    assert (keep.input, keep.output, keep.kind) == (SCHEMA, SCHEMA, "stateless")


def test_columns_alone_are_selected_natively() -> None:
    pick = project(SCHEMA, "pick", [("b", pc.field("b c")), ("a", "a")])
    assert isinstance(pick, Select)
    assert (pick.native, pick.columns) == (True, (1, 0))
    assert pick.process(BATCH).to_pydict() == {"b": ["x", "y", "z"], "a": [1, 2, None]}
    assert pick.body == "select b = `b c`, a"


def test_columns_and_expressions_are_computed_together() -> None:
    made = project(SCHEMA, "made", [("b c", "b c"), ("d", pc.field("a") * 2), ("e", pc.scalar(7))])
    assert isinstance(made, Compute)
    assert made.native
    assert made.process(BATCH).to_pydict() == {
        "b c": ["x", "y", "z"],
        "d": [2, 4, None],
        "e": [7, 7, 7],
    }
    assert made.body == "compute `b c`, d = multiply_checked(a, 2), e = 7"


def test_a_column_keeps_what_is_known_of_it_when_it_is_renamed() -> None:
    schema = pa.schema([pa.field("a", pa.int8(), False, {"comment": "x"})])
    renamed = project(schema, "renamed", [("b", pc.field("a"))]).output.field(0)
    assert (renamed.name, renamed.nullable, renamed.metadata) == ("b", False, {b"comment": b"x"})


def test_a_map_that_loses_rows_is_told_to_be_a_flat_map() -> None:
    losing = Map.over(SCHEMA, "losing", lambda batch: batch.slice(0, 1), None)
    with pytest.raises(FlowError, match=r"returned 1 rows for 3; .* use flat_map"):
        losing.process(BATCH)


def test_a_flat_map_may_return_more_less_or_nothing() -> None:
    def copies(batch: pa.RecordBatch) -> list[pa.RecordBatch]:
        return [batch] * len(set(batch["a"].to_pylist()))

    many = FlatMap.over(SCHEMA, "many", copies, SCHEMA)
    made = many.process(BATCH)
    assert made is not None
    assert made.num_rows == 9
    assert many.process(BATCH.slice(0, 0)) is None


def test_expressions_are_compared_by_what_they_mean() -> None:
    one, same, other = (Expression(pc.field("a") > limit) for limit in (1, 1, 2))
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != "(a > 1)"
    assert repr(one) == "Expression<(a > 1)>"
