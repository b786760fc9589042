"""A flow of several inputs, each with columns of its own.

>>> trades, quotes = inputs("quoted", trades="sym string, ts long", quotes="sym string, ts long")
>>> both = trades.union(quotes)
>>> made = both.run(
...     trades=pa.table({"sym": ["a"], "ts": [2]}),
...     quotes=pa.table({"sym": ["b"], "ts": [1]}),
...     order_by="ts",
... )
>>> made.table["sym"].to_pylist()
['b', 'a']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from penstock.errors import FlowError, did_you_mean
from penstock.fit import Fit
from penstock.loops.layout import Layout
from penstock.schema import SchemaLike, as_schema, quote, type_name

if TYPE_CHECKING:
    from penstock.flow import Flow

TAG = "penstock_input"
RESERVED = {"df", "data", "settings", "trace", "restore", "checkpoint", "progress"} | {
    "order_by",
    "key",
    "profile",
}
UNSAID: Any = object()  # what nobody gave, not even None


def inputs(name: str, /, **schemas: SchemaLike) -> tuple[Flow, ...]:
    """Start a flow that has several inputs; gives one branch for each, in their order.

    What the branches come together in, by `union`, a join or a loop, is called with a DataFrame
    for each input, as in `flow(trades=df1, quotes=df2, order_by="ts", key="ticker")`, and run
    without Spark with `flow.run(trades=table1, quotes=table2, order_by="ts")`.

    Args:
        name: Name of the flow.
        schemas: Columns of each input, by its name.
    """
    from penstock.flow import flow  # noqa: PLC0415 - a flow is called through this module

    if len(schemas) < 2:
        raise FlowError(
            f"flow '{name}': inputs needs two or more, by name, as in inputs({name!r}, "
            "trades='ticker string', quotes='ticker string')"
        )
    declared = {}
    for port, schema in schemas.items():
        if port in RESERVED:
            raise FlowError(f"flow '{name}': an input cannot be called '{port}'; rename it")
        try:
            declared[port] = as_schema(schema)
        except FlowError as error:
            raise FlowError(f"flow '{name}', input '{port}': {error}") from error.__cause__
    layout = Layout.of(declared, TAG)
    start = flow(name, layout.schema)._with_inputs(layout)
    made = []
    for number, port in enumerate(declared, start=1):
        rows, columns = layout.rows_of(port, f"input_{number}")
        found = start._then("input", rows.name, lambda _given, _name, one=rows: one)  # type: ignore[misc]
        made.append(found._then("input", columns.name, lambda _given, _name, one=columns: one))  # type: ignore[misc]
    return tuple(made)


def one_input(flow: Flow, given: Mapping[str, Any], order_by: Any, key: Any) -> Any:
    """Make one DataFrame, or one Table, of what was given for each input of a flow."""
    layout = flow.several
    try:
        if layout is None:
            raise FlowError(
                f"has one input, so {', '.join(f'{one}=' for one in given)} cannot be given; start "
                "it with penstock.inputs(...) for several"
            )
        _check_names(layout, given)
        order = _columns(layout, "order_by", order_by)
        if all(callable(getattr(one, "selectExpr", None)) for one in given.values()):
            return _dataframe(layout, given, order, key)
        if key is not UNSAID and key is not None:
            _columns(layout, "key", key)
        return _table(layout, given, order)
    except FlowError as error:
        raise FlowError(f"flow '{flow.name}': {error}") from error.__cause__


def _check_names(layout: Layout, given: Mapping[str, Any]) -> None:
    declared = [name for name, _ in layout.ports]
    for name in given:
        if name not in declared:
            raise FlowError(f"has no input '{name}'; {did_you_mean(name, declared)}")
    for name in declared:
        if name not in given:
            raise FlowError(f"input '{name}' is missing; give it as {name}=")


def _columns(layout: Layout, word: str, wanted: Any) -> tuple[str, ...]:
    """Check columns that every input must have, of the same type."""
    if wanted is UNSAID:
        raise FlowError(
            f"{word}= is missing: "
            + (
                "name the columns that say in which order rows of all inputs come, or None for any"
                if word == "order_by"
                else "name the columns whose rows belong together, or None for one partition"
            )
        )
    columns = () if wanted is None else (wanted,) if isinstance(wanted, str) else tuple(wanted)
    for column in columns:
        types = []
        for name, schema in layout.ports:
            if column not in schema.names:
                known = did_you_mean(str(column), schema.names)
                raise FlowError(f"{word}={column!r} is not a column of input '{name}'; {known}")
            types.append(schema.field(column).type)
        if len(set(types)) > 1:
            texts = ", ".join(
                f"{type_name(found)} in '{name}'"
                for found, (name, _) in zip(types, layout.ports, strict=True)
            )
            raise FlowError(f"{word}={column!r} is {texts}; make them the same")
    return columns


def _table(layout: Layout, given: Mapping[str, Any], order: Sequence[str]) -> pa.Table:
    from penstock.local import batches_of  # noqa: PLC0415 - it is built on flows

    made = []
    for port, schema in layout.ports:
        fit, tag = Fit(schema, by_name=True), layout.tagger(port)
        try:
            for batch in batches_of(given[port]):
                columns = fit(batch).columns
                labelled = [
                    one if one.type == field.type else one.cast(field.type)
                    for one, field in zip(columns, schema, strict=True)
                ]
                made.append(tag(pa.RecordBatch.from_arrays(labelled, schema=schema)))
        except FlowError as error:
            raise FlowError(f"input '{port}': {error}") from error.__cause__
    whole = pa.Table.from_batches([one.cast(layout.schema) for one in made], layout.schema)
    if not order:
        return whole
    # Whether there is a value sorts null to the front, and the number of the row keeps the rest.
    keys = [column for one in order for column in (pc.is_valid(whole[one]), whole[one])]
    keys.append(pa.array(range(whole.num_rows), pa.int64()))
    names = [str(number) for number in range(len(keys))]
    places = pc.sort_indices(pa.table(keys, names=names), [(one, "ascending") for one in names])
    return whole.take(places)


def _dataframe(layout: Layout, given: Mapping[str, Any], order: Sequence[str], key: Any) -> Any:
    from penstock.dataframe import check_columns, spark_type  # noqa: PLC0415 - built on flows

    keys = _columns(layout, "key", key)
    parts = []
    for number, (port, schema) in enumerate(layout.ports):
        try:
            check_columns(given[port], schema)
        except FlowError as error:
            raise FlowError(f"input '{port}': {error}") from error.__cause__
        sources = dict(zip(layout.places(port), schema.names, strict=True))
        columns = [f"CAST({number} AS TINYINT) AS {layout.schema.names[0]}"]
        for place in range(1, len(layout.schema)):
            field = layout.schema.field(place)
            source = f"CAST(NULL AS {spark_type(field)})"
            if place in sources:
                source = quote(sources[place], always=True)
            columns.append(f"{source} AS {quote(field.name, always=True)}")
        parts.append(given[port].selectExpr(*columns))
    made = reduce(lambda one, other: one.unionAll(other), parts)
    made = made.repartition(*keys) if keys else made.repartition(1)
    return made.sortWithinPartitions(*order, layout.schema.names[0]) if order else made
