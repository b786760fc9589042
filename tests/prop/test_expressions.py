"""What the engine makes of an expression is what Arrow makes of it: values, nulls and failures."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import HealthCheck, assume, given, settings
from tests.prop.comparison import EXAMPLES
from tests.prop.expression_cases import SCHEMA, batches, numbers, truths

from penstock import flow
from penstock.errors import FlowError, OperatorError
from penstock.expressions import evaluate
from penstock.flow import Flow
from penstock.operators import Filter

CHECKED = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
DEPTH = 3
START = flow("f", SCHEMA)


def good_rows(expression: pc.Expression, batch: pa.RecordBatch) -> int:
    """How many rows Arrow works out before the first one that fails."""
    for row in range(batch.num_rows):
        try:
            evaluate([expression], batch.slice(row, 1))
        except pa.ArrowInvalid:
            return row
    return batch.num_rows


def check(made: Flow, batch: pa.RecordBatch, good: int) -> None:
    """Compare what the engine makes with what Arrow makes of the rows that it can work out."""
    assert made.operators[0].native
    expected = made.operators[0].process(batch.slice(0, good))
    taken: list[pa.RecordBatch] = []
    if good < batch.num_rows:
        with pytest.raises(OperatorError) as caught:
            taken.extend(made.stream(batch))
        assert (caught.value.operator, caught.value.row) == (made.operators[0].name, good)
        taken = []
        with pytest.raises(OperatorError):
            for one in made.stream(batch):
                taken.append(one)  # noqa: PERF402 - it raises at the end
    else:
        taken.extend(made.stream(batch))
    found = pa.Table.from_batches(taken, made.schema).combine_chunks()
    for name in made.schema.names:
        assert found[name].type == expected.column(name).type
        assert repr(found[name].to_pylist()) == repr(expected.column(name).to_pylist())
    for one in taken:
        one.validate(full=True)


def written(build: object) -> Flow:
    """The flow, if Arrow can do it at all and the engine can, too."""
    try:
        made: Flow = build()  # type: ignore[operator]
    except FlowError:
        assume(False)
    assume(made.operators[0].native)
    return made


@CHECKED
@given(numbers(DEPTH) | truths(DEPTH), batches())
def test_a_column_is_what_arrow_computes(expression: pc.Expression, batch: pa.RecordBatch) -> None:
    made = written(lambda: START.select("text", "bool", made=expression))
    check(made, batch, good_rows(expression, batch))


@CHECKED
@given(truths(DEPTH), batches())
def test_a_filter_keeps_the_rows_that_arrow_keeps(
    expression: pc.Expression, batch: pa.RecordBatch
) -> None:
    made = written(lambda: START.filter(expression))
    assert isinstance(made.operators[0], Filter)
    check(made, batch, good_rows(expression, batch))
