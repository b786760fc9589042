"""What the engine makes of an expression is what Arrow makes of it: values, nulls and failures."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import HealthCheck, assume, given, reject, settings
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
DEPTH = 2
START = flow("f", SCHEMA)


def good_rows(expression: pc.Expression, batch: pa.RecordBatch) -> int:
    """How many rows Arrow works out before the first one that fails."""
    good, bad = 0, batch.num_rows + 1
    while bad - good > 1:
        middle = bad - 1 if bad > batch.num_rows else (good + bad) // 2
        try:
            evaluate([expression], batch.slice(0, middle))
            good = middle
        except pa.ArrowInvalid:
            bad = middle
    return good


def taken(made: Flow, batch: pa.RecordBatch) -> tuple[list[pa.RecordBatch], OperatorError | None]:
    """What the engine makes, and how it failed, if it did."""
    batches: list[pa.RecordBatch] = []
    try:
        for one in made.stream(batch):
            batches.append(one)  # noqa: PERF402 - it may raise at the end
    except OperatorError as error:
        return batches, error
    return batches, None


def check(made: Flow, expression: pc.Expression, batch: pa.RecordBatch) -> None:
    """Compare what the engine makes with what Arrow makes of the rows that it can work out."""
    good = good_rows(expression, batch)
    expected = made.operators[0].process(batch.slice(0, good))
    assert expected is not None
    found, failure = taken(made, batch)
    assert (failure is None) == (good == batch.num_rows)
    if failure is not None:
        assert (failure.operator, failure.row) == (made.operators[0].name, good)
    for one in found:
        one.validate(full=True)
    table = pa.Table.from_batches(found, made.schema)
    for name in made.schema.names:
        assert repr(table[name].to_pylist()) == repr(expected.column(name).to_pylist())


def written(build: Callable[[], Flow]) -> Flow:
    """The flow, if Arrow can do it at all and the engine can, too."""
    try:
        made = build()
    except FlowError:
        reject()
    assume(made.operators[0].native)
    return made


@CHECKED
@given(numbers(DEPTH) | truths(DEPTH), batches())
def test_a_column_is_what_arrow_computes(expression: pc.Expression, batch: pa.RecordBatch) -> None:
    made = written(lambda: START.select("text", "bool", made=expression))
    check(made, expression, batch)


@CHECKED
@given(truths(DEPTH), batches())
def test_a_filter_keeps_the_rows_that_arrow_keeps(
    expression: pc.Expression, batch: pa.RecordBatch
) -> None:
    made = written(lambda: START.filter(expression))
    assert isinstance(made.operators[0], Filter)
    check(made, expression, batch)
