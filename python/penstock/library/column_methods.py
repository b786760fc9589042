"""Methods of a flow that make columns of expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa

from penstock.arguments import as_expression, check_column, wanted_columns
from penstock.errors import FlowError
from penstock.operators import Operator, project

if TYPE_CHECKING:
    import pyarrow.compute as pc

    from penstock.flow import Flow


class ColumnMethods:
    """Of all rows of a flow."""

    def select(
        self, *columns: str, name: str | None = None, **named_expressions: pc.Expression
    ) -> Flow:
        """Make rows of some columns, and of expressions under new names.

        Columns alone, kept as they are or renamed with `new=pc.field("old")`, cost nothing: the
        engine picks them natively without touching a row.

        >>> import pyarrow.compute as pc
        >>> from penstock import flow
        >>> flow("f", "a int, b int").select("b", c=pc.field("a") + 1).schema.names
        ['b', 'c']
        """

        def build(given: pa.Schema, operator: str) -> Operator:
            wanted = wanted_columns(columns, named_expressions, given.names)
            return project(given, operator, wanted)

        return cast("Flow", self)._then("select", name, build)

    def with_column(
        self, column: str, expression: pc.Expression, *, name: str | None = None
    ) -> Flow:
        """Add a column computed by an expression, or replace the one of that name.

        >>> import pyarrow.compute as pc
        >>> from penstock import flow
        >>> flow("f", "a int").with_column("b", pc.field("a") * 2).schema.names
        ['a', 'b']
        """

        def build(given: pa.Schema, operator: str) -> Operator:
            check_column(column)
            kept: dict[str, Any] = {each: each for each in given.names}
            return project(given, operator, [*(kept | {column: as_expression(expression)}).items()])

        return cast("Flow", self)._then("with_column", name, build)

    def with_columns(self, *, name: str | None = None, **named: pc.Expression) -> Flow:
        """Add several columns at once, or replace those of the same names.

        All expressions see the columns as they came: a column that is replaced is the old one in
        each of them.

        >>> import pyarrow.compute as pc
        >>> from penstock import flow
        >>> made = flow("f", "a long, b long").with_columns(
        ...     a=pc.field("b"), total=pc.field("a") + pc.field("b")
        ... )
        >>> made.run(pa.table({"a": [1, 2], "b": [10, 20]})).to_pylist()
        [{'a': 10, 'b': 10, 'total': 11}, {'a': 20, 'b': 20, 'total': 22}]
        """

        def build(given: pa.Schema, operator: str) -> Operator:
            if not named:
                raise FlowError("name at least one column, as in with_columns(b=pc.field('a') * 2)")
            kept: dict[str, Any] = {each: each for each in given.names}
            for column, expression in named.items():
                check_column(column)
                kept[column] = as_expression(expression)
            return project(given, operator, [*kept.items()])

        return cast("Flow", self)._then("with_columns", name, build)
