"""Two or more inputs as one: the beginning of flows that join them.

>>> clicks = pa.table({"user": ["ann", "bob"], "ts": [1, 5], "page": ["x", "y"]})
>>> buys = pa.table({"user": ["ann"], "ts": [3], "price": [9.5]})
>>> both = together(clicks=clicks, buys=buys, order_by="ts")
>>> for row in both.to_pylist():
...     print(row)
{'input': 'clicks', 'user': 'ann', 'ts': 1, 'page': 'x', 'price': None}
{'input': 'buys', 'user': 'ann', 'ts': 3, 'page': None, 'price': 9.5}
{'input': 'clicks', 'user': 'bob', 'ts': 5, 'page': 'y', 'price': None}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from penstock.errors import FlowError, did_you_mean
from penstock.schema import quote

INPUT = "input"
PLACE = "penstock_input_number"


def together(
    *,
    by: str | Sequence[str] = (),
    order_by: str | Sequence[str] = (),
    **inputs: Any,
) -> Any:
    """Make one input of several DataFrames, or of several Arrow tables.

    Its rows are those of all inputs, with the name of the input in the column `input` and null in
    columns that an input does not have. A flow over it parts them again with `split` or `filter`,
    and joins or merges the branches.

    Args:
        by: Rows that are equal in these columns go to the same partition of the DataFrame.
        order_by: Each partition is sorted by these columns, null first, and rows that are equal in
            them in the order in which the inputs are given here.
        inputs: DataFrames, or Tables, by name. Columns of the same name have the same type.
    """
    if len(inputs) < 2:
        raise FlowError(
            "together needs two inputs or more, by name: together(clicks=..., buys=...)"
        )
    keys = (by,) if isinstance(by, str) else tuple(by)
    order = (order_by,) if isinstance(order_by, str) else tuple(order_by)
    if all(isinstance(one, pa.Table) for one in inputs.values()):
        _check(keys, order, {name: one.schema.names for name, one in inputs.items()})
        return _tables(inputs, order)
    for name, one in inputs.items():
        if not callable(getattr(one, "selectExpr", None)):
            raise FlowError(
                f"together: '{name}' is a {type(one).__name__}; all inputs must be Spark "
                "DataFrames, or all pyarrow Tables"
            )
    _check(keys, order, {name: one.columns for name, one in inputs.items()})
    return _dataframes(inputs, keys, order)


def _check(keys: Sequence[str], order: Sequence[str], columns: Mapping[str, Sequence[str]]) -> None:
    for name, names in columns.items():
        for reserved in (INPUT, PLACE):
            if reserved in names:
                raise FlowError(f"together: '{name}' has a column '{reserved}'; rename it before")
        for wanted in (*keys, *order):
            if wanted not in names:
                raise FlowError(
                    f"together: '{name}' has no column '{wanted}'; {did_you_mean(wanted, names)}"
                )


def _same_type(known: dict[str, Any], column: str, found: Any, name: str) -> None:
    if known.setdefault(column, found) != found:
        raise FlowError(
            f"together: column '{column}' is {found} in '{name}' and {known[column]} in another "
            "input; cast one of them"
        )


def _tables(inputs: Mapping[str, pa.Table], order: Sequence[str]) -> pa.Table:
    types: dict[str, Any] = {}
    for name, table in inputs.items():
        for field in table.schema:
            _same_type(types, field.name, field.type, name)
    schema = pa.schema([(INPUT, pa.string()), *types.items(), (PLACE, pa.int32())])
    parts = []
    for place, (name, table) in enumerate(inputs.items()):
        rows = table.num_rows
        columns = [
            table[column] if column in table.schema.names else pa.nulls(rows, found)
            for column, found in types.items()
        ]
        tags = pa.array([name] * rows, pa.string()), pa.array([place] * rows, pa.int32())
        parts.append(pa.table([tags[0], *columns, tags[1]], schema=schema))
    made = pa.concat_tables(parts)
    if order:
        # Whether there is a value sorts null to the front, and the number of the row keeps the rest.
        keys = pa.table(
            [column for one in order for column in (pc.is_valid(made[one]), made[one])]
            + [made[PLACE], pa.array(range(made.num_rows), pa.int64())],
            names=[str(number) for number in range(2 * len(order) + 2)],
        )
        made = made.take(pc.sort_indices(keys, [(one, "ascending") for one in keys.column_names]))
    return made.drop_columns([PLACE])


def _dataframes(inputs: Mapping[str, Any], keys: Sequence[str], order: Sequence[str]) -> Any:
    types: dict[str, str] = {}
    for name, df in inputs.items():
        for field in df.schema.fields:
            _same_type(types, field.name, field.dataType.simpleString(), name)
    parts = []
    for place, (name, df) in enumerate(inputs.items()):
        columns = [
            quote(column, always=True)
            if column in df.columns
            else f"CAST(NULL AS {found}) AS {quote(column, always=True)}"
            for column, found in types.items()
        ]
        parts.append(df.selectExpr(f"'{name}' AS {INPUT}", *columns, f"{place} AS {PLACE}"))
    made = reduce(lambda one, other: one.unionAll(other), parts)
    if keys:
        made = made.repartition(*keys)
    if order:
        made = made.sortWithinPartitions(*order, PLACE)
    return made.drop(PLACE)
