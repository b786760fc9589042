"""pyarrow.compute expressions: checked where they are written, evaluated batch by batch.

>>> import pyarrow.compute as pc
>>> batch = pa.RecordBatch.from_pydict({"tries": [1, 5]})
>>> evaluate([pc.field("tries") > 3], batch)[0].to_pylist()
[False, True]
>>> bind(pc.field("trys") > 3, batch.schema)
Traceback (most recent call last):
    ...
penstock.errors.FlowError: unknown column 'trys'; did you mean 'tries'? Known: 'tries'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from penstock.errors import FlowError, did_you_mean

UNKNOWN = re.compile(r"No match for (FieldRef\..*) in ")
NAMES = re.compile(r"FieldRef\.Name\((.*?)\)(?: |\)|$)")


def bind(expression: Any, schema: pa.Schema) -> pa.DataType:
    """Return the type of an expression over `schema`, or say why it has none."""
    if not isinstance(expression, pc.Expression):
        raise FlowError(_not_an_expression(expression))
    try:
        bound: pa.DataType = evaluate([expression], empty_batch(schema))[0].type
    except pa.ArrowException as error:
        raise FlowError(_why_not(expression, schema, error)) from error
    _reject_aggregates(expression, schema)
    return bound


def types_of(expressions: Sequence[pc.Expression], schema: pa.Schema) -> list[pa.DataType]:
    """The types of expressions that are known to fit a schema."""
    return [made.type for made in evaluate(expressions, empty_batch(schema))]


def evaluate(expressions: Sequence[pc.Expression], batch: pa.RecordBatch) -> list[pa.Array]:
    """Compute expressions over the rows of a batch, in their order, on the calling thread."""
    # It loads pyarrow.dataset as well, a cost that importing penstock must not have.
    from pyarrow import acero  # noqa: PLC0415

    names = [str(number) for number in range(len(expressions))]
    plan = acero.Declaration.from_sequence(
        [
            acero.Declaration(
                "table_source", acero.TableSourceNodeOptions(pa.Table.from_batches([batch]))
            ),
            acero.Declaration("project", acero.ProjectNodeOptions(list(expressions), names)),
        ]
    )
    computed = plan.to_table(use_threads=False)
    return [_one_array(column) for column in computed.columns]


def empty_batch(schema: pa.Schema) -> pa.RecordBatch:
    """A batch of a schema that has no rows."""
    return pa.RecordBatch.from_arrays([pa.nulls(0, field.type) for field in schema], schema=schema)


def text_of(expression: pc.Expression) -> str:
    """Write an expression on one line, without the option that `is_null()` always has."""
    return re.sub(r"\s+", " ", str(expression)).replace(", {nan_is_null=false})", ")")


def _one_array(column: pa.ChunkedArray) -> pa.Array:
    if column.num_chunks == 1:
        return column.chunk(0)
    if column.num_chunks == 0:
        return pa.array([], column.type)
    return pa.concat_arrays(column.unify_dictionaries().chunks)


def _reject_aggregates(expression: pc.Expression, schema: pa.Schema) -> None:
    # Arrow binds sum(x) like a function of one row and refuses it only once there are rows.
    columns = [pa.nulls(1, field.type) for field in schema]
    one_row = pa.RecordBatch.from_arrays(columns, names=schema.names)
    try:
        evaluate([expression], one_row)
    except pa.ArrowException as error:
        if "non-scalar" in str(error):
            raise FlowError(
                f"{text_of(expression)} does not give one value per row; use only functions of "
                "single rows here, and flat_map for what looks at several"
            ) from error


def _why_not(expression: pc.Expression, schema: pa.Schema, error: Exception) -> str:
    unknown = UNKNOWN.search(str(error))
    if unknown is None:
        types = ", ".join(f"{field.name} {field.type}" for field in schema)
        return f"{text_of(expression)} does not fit the columns ({types}): {error}"
    path = NAMES.findall(unknown[1]) or [unknown[1].removeprefix("FieldRef.")]
    if path[0] in schema.names:
        return f"unknown field '{'.'.join(path)}' in column {schema.field(path[0])}"
    return f"unknown column '{path[0]}'; {did_you_mean(path[0], schema.names)}"


def _not_an_expression(value: object) -> str:
    advice = "write it with pyarrow.compute, as in pc.field('tries') > 3"
    if isinstance(value, bool):
        advice = "a Python comparison has already been decided; " + advice
    elif type(value).__module__.startswith("pyspark"):
        advice = "a pyspark Column works on a DataFrame only; " + advice
    elif callable(value):
        advice += ", or give the function to map or flat_map"
    return f"a pyarrow.compute expression is needed, got {type(value).__name__}; {advice}"
