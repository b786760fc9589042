"""The Python functions of a flow: checked where they are written, and named without addresses.

>>> name_of(len)
'builtins:len'
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import pyarrow as pa
from pyarrow import types as is_

from penstock.errors import FlowError
from penstock.fit import Fit
from penstock.schema import SchemaLike, as_schema, to_ddl

MapFunction: TypeAlias = Callable[[pa.RecordBatch], pa.RecordBatch]
FlatMapFunction: TypeAlias = Callable[
    [pa.RecordBatch], "pa.RecordBatch | pa.Table | Iterable[pa.RecordBatch]"
]


def name_of(function: Callable[..., Any]) -> str:
    """Name a callable by module and qualified name, which no two runs change."""
    if isinstance(function, functools.partial):
        return f"partial({name_of(function.func)})"
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{named.__module__ or 'builtins'}:{named.__qualname__}"


def check_callable(function: Any) -> None:
    """Refuse what cannot be called with one batch."""
    if not callable(function):
        raise FlowError(
            f"a function of one RecordBatch is needed, got {type(function).__name__} {function!r}"
        )
    check_takes_one(function, "RecordBatch")


def check_takes_one(function: Callable[..., Any], what: str) -> None:
    """Refuse a function that cannot be called with one argument."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # some builtins have no signature to look at
    try:
        signature.bind(object())
    except TypeError as error:
        raise FlowError(
            f"{name_of(function)}{signature} cannot be called with one {what}: {error}"
        ) from None


def output_schema(
    call: Callable[[pa.RecordBatch], pa.RecordBatch | None],
    function: Callable[..., Any],
    given: pa.Schema,
    out: SchemaLike | None,
) -> pa.Schema:
    """Find the schema a function returns by trying it on a batch without rows.

    Args:
        call: Calls `function` and turns what it returns into one batch, or None for nothing.
        function: What the user wrote, for messages.
        given: Schema of the batches the function gets.
        out: What the user declared; None to take what the trial returns.
    """
    declared = None if out is None else as_schema(out)
    empty = pa.RecordBatch.from_arrays([pa.nulls(0, f.type) for f in given], schema=given)
    try:
        tried = call(empty)
    except FlowError:
        raise
    except Exception as error:
        if declared is not None:
            return declared  # what a function cannot do without rows is checked while it runs
        raise FlowError(
            f"{name_of(function)} raised {type(error).__name__} ({error}) when tried on a batch "
            "without rows; give out= with the schema of what it returns"
        ) from error
    if tried is None:
        if declared is not None:
            return declared
        raise FlowError(
            f"{name_of(function)} returned nothing when tried on a batch without rows; "
            "give out= with the schema of what it returns"
        )
    if declared is None:
        _reject_untyped(function, tried.schema, given)
        return as_schema(tried.schema.remove_metadata())
    try:
        Fit(declared).check(tried.schema)
    except FlowError as error:
        raise FlowError(
            f"{name_of(function)} returned '{to_ddl(tried.schema)}' for a batch without rows, "
            f"which is not out='{to_ddl(declared)}': {error}"
        ) from None
    return declared


def _reject_untyped(function: Callable[..., Any], made: pa.Schema, given: pa.Schema) -> None:
    # An array of an empty Python list has no type; with rows it would have another.
    for field in made:
        if _untyped(field.type) and field not in given:
            raise FlowError(
                f"{name_of(function)} gave column '{field.name}' no type ({field.type}) when tried "
                "on a batch without rows; give out= with the schema of what it returns"
            )


def _untyped(kind: pa.DataType) -> bool:
    if is_.is_struct(kind):
        return any(_untyped(kind.field(i).type) for i in range(kind.num_fields))
    if is_.is_map(kind):
        return _untyped(kind.key_type) or _untyped(kind.item_type)
    if is_.is_list(kind) or is_.is_large_list(kind):
        return _untyped(kind.value_type)
    return bool(is_.is_null(kind))


def advice_for(returned: Any) -> str:
    """How to make a RecordBatch of what a function returned; empty where there is no telling."""
    package = type(returned).__module__.partition(".")[0]
    if isinstance(returned, pa.Table):
        return "; of a table, table.combine_chunks().to_batches()[0] is one if it has any rows"
    if package == "pandas":
        return "; of a DataFrame, pa.RecordBatch.from_pandas(frame, preserve_index=False) makes one"
    if package == "numpy":
        return "; of an array, pa.RecordBatch.from_pydict({'column': array}) makes one"
    if package == "polars":
        return "; of a DataFrame, frame.to_arrow() makes a Table, which flat_map takes"
    if isinstance(returned, dict):
        return "; of a dict, pa.RecordBatch.from_pydict(columns) makes one"
    return ""


def check_whole(made: pa.RecordBatch | pa.Table, maker: str) -> None:
    """Refuse rows whose buffers contradict each other. Nothing else may be done to such rows."""
    try:
        made.validate(full=True)
    except pa.ArrowException as error:
        raise FlowError(f"{maker} returned a broken batch: {error}") from error


def one_batch(
    returned: Any, function: Callable[..., Any], *, full_check: bool = False
) -> pa.RecordBatch | None:
    """Join what a flat_map function returned into one batch; None when that is nothing."""
    if full_check and isinstance(returned, (pa.RecordBatch, pa.Table)):
        check_whole(returned, name_of(function))
    if isinstance(returned, pa.RecordBatch):
        return returned
    if isinstance(returned, pa.Table):
        return _join(returned)
    advice = advice_for(returned)
    if advice or not isinstance(returned, Iterable) or isinstance(returned, (str, bytes)):
        raise FlowError(
            f"{name_of(function)} must return a RecordBatch, a Table or an iterable of "
            f"RecordBatch, got {type(returned).__name__}{advice}"
        )
    batches = list(returned)
    for batch in batches:
        if not isinstance(batch, pa.RecordBatch):
            raise FlowError(
                f"{name_of(function)} must yield RecordBatch, got {type(batch).__name__}"
                f"{advice_for(batch)}"
            )
        if full_check:
            check_whole(batch, name_of(function))
    return _join(pa.Table.from_batches(batches)) if batches else None


def _join(table: pa.Table) -> pa.RecordBatch:
    batches = table.unify_dictionaries().combine_chunks().to_batches()
    if not batches:
        columns = [pa.nulls(0, field.type) for field in table.schema]
        return pa.RecordBatch.from_arrays(columns, schema=table.schema)
    if len(batches) > 1:
        raise FlowError(
            "the rows returned for one tuple exceed 2 GiB in a column; set "
            "spark.penstock.tuple.rows so that fewer rows are given at a time"
        )
    return batches[0]
