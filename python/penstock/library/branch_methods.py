"""Methods of a flow that part it into branches and bring branches together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal, cast

import pyarrow as pa

from penstock.errors import FlowError
from penstock.library.asof_join import AsofJoin
from penstock.library.branches import Branches, as_branch, come_together, same_columns
from penstock.library.join import Join
from penstock.library.ordered_union import OrderedUnion, tags
from penstock.library.spans import check_time
from penstock.library.two_sides import TwoSides
from penstock.operators import Filter, Operator

if TYPE_CHECKING:
    import pyarrow.compute as pc

    from penstock.flow import Flow


class BranchMethods:
    """What a flow does with other flows that have the same beginning."""

    def split(self, expression: pc.Expression, *, name: str | None = None) -> tuple[Flow, Flow]:
        """Part a flow in two: rows for which an expression is true, and all others.

        Rows for which it is null are among the others. `union` and the joins bring the two
        together again.

        >>> import penstock, pyarrow as pa, pyarrow.compute as pc
        >>> big, rest = penstock.flow("f", "n long").split(pc.field("n") > 10)
        >>> rest.run(pa.table({"n": [1, None, 20]})).table["n"].to_pylist()
        [1, None]
        """
        flow = cast("Flow", self)

        def others(given: pa.Schema, operator: str) -> Operator:
            return Filter.over(given, operator, expression.is_null() | ~expression)

        true = flow._then("split", name, lambda given, n: Filter.over(given, n, expression))
        return true, flow._then("rest", None if name is None else f"{name}.rest", others)

    def union(self, *others: Flow, order_by: str | None = None, name: str | None = None) -> Flow:
        """Bring branches of a flow together; all must make the same columns.

        Args:
            others: Flows that have a beginning in common with this one. Every row of what they
                have in common goes to each of them.
            order_by: A column in which each branch ascends, null first. Rows leave in its order,
                equal ones by branch: a row waits until every branch has shown one at least as
                late, and the rest leaves at the end. None leaves them in the order of the input
                rows they came from, and of one row by branch.
            name: Name of the operator.

        >>> import penstock, pyarrow as pa, pyarrow.compute as pc
        >>> start = penstock.flow("f", "n long")
        >>> twice = start.with_column("n", pc.field("n") * 2)
        >>> start.union(twice).run(pa.table({"n": [1, 2]})).table["n"].to_pylist()
        [1, 2, 2, 4]
        >>> start.union(twice, order_by="n").run(pa.table({"n": [1, 2, 3]})).table["n"].to_pylist()
        [1, 2, 2, 3, 4, 6]
        """
        flow = cast("Flow", self)
        if not others:
            raise FlowError(f"flow '{flow.name}': union needs another flow, as in big.union(rest)")
        flows = [flow, *(as_branch("union", flow, other) for other in others)]
        common, parted = come_together("union", flows, name)

        def build(_given: pa.Schema, operator: str) -> Operator:
            for other in flows[1:]:
                if difference := same_columns(flow.schema, other.schema):
                    raise FlowError(f"{difference}; use select to make them the same")
            if order_by is None:
                return replace(parted, name=operator)
            return OrderedUnion.over(flow.schema, operator, len(flows), order_by)

        if order_by is None:
            return common._then("union", parted.name, build)
        behind = tags(parted.name, flow.schema, len(flows))
        return _tagged(common, parted, behind, "union", build)

    def join(
        self,
        other: Flow,
        *,
        on: str | tuple[str, ...],
        how: Literal["inner", "left"] = "inner",
        within: str | timedelta | int | None = None,
        on_time: str | None = None,
        suffix: str = "_right",
        name: str | None = None,
    ) -> Flow:
        """Join two branches of a flow by equal columns, in the order of arrival.

        Each row meets all rows of the other side that came before it and have the same key; null
        equals nothing. A joined row leaves where the later one of the two came. Without `within`
        every row is remembered to the end: `spark.penstock.state.maxBytes` is the limit.

        Args:
            other: A flow that has a beginning in common with this one.
            on: Columns that both have.
            how: `left` also keeps left rows that met none, with null on the right. They leave when
                they are forgotten, or at the end, by key.
            within: How far apart in time two rows may be, such as "10 minutes", or a number where
                times are numbers. A row is forgotten when one of its key is later by more than
                that, so rows of a key that come out of order by more may not meet.
            on_time: The column of times, which both have.
            suffix: Is added to names on the right that are taken on the left.
            name: Name of the operator.

        >>> import penstock, pyarrow as pa, pyarrow.compute as pc
        >>> start = penstock.flow("f", "what string, user string")
        >>> clicks, buys = start.split(pc.field("what") == "click")
        >>> clicks.join(buys, on="user").schema.names
        ['what', 'user', 'what_right']
        """
        by = (on,) if isinstance(on, str) else tuple(on)

        def build(sides: TwoSides, operator: str) -> Operator:
            return Join.over(sides, operator, how=how, within=within)

        return _joined(
            "join", self, other, (by, "on_time", on_time, suffix), name=name, build=build
        )

    def join_asof(
        self,
        other: Flow,
        *,
        on: str,
        by: str | tuple[str, ...] = (),
        tolerance: str | timedelta | int | None = None,
        suffix: str = "_right",
        name: str | None = None,
    ) -> Flow:
        """Add to each row the last row of another branch that came before it, by key.

        The times of each key must not descend; then that is the last row with a time up to its
        own. Of equal times, a right row counts if it came first: sorted so, the result is that of
        `pandas.merge_asof`. Null in the key or in the time meets nothing.

        Args:
            other: A flow that has a beginning in common with this one.
            on: The column of times, which both have.
            by: Columns in which rows must be equal; none for all rows.
            tolerance: How old the other row may be, such as "2 s".
            suffix: Is added to names on the right that are taken on the left.
            name: Name of the operator.

        >>> import penstock, pyarrow as pa, pyarrow.compute as pc
        >>> start = penstock.flow("f", "trade boolean, symbol string, ts timestamp, price double")
        >>> trades, quotes = start.split(pc.field("trade"))
        >>> priced = trades.select("symbol", "ts").join_asof(
        ...     quotes.select("symbol", "ts", "price"), on="ts", by="symbol", tolerance="2 s"
        ... )
        >>> priced.schema.names
        ['symbol', 'ts', 'ts_right', 'price']
        """
        keys = (by,) if isinstance(by, str) else tuple(by)

        def build(sides: TwoSides, operator: str) -> Operator:
            return AsofJoin.over(sides, operator, tolerance=tolerance)

        return _joined("join_asof", self, other, (keys, "on", on, suffix), name=name, build=build)


def _joined(
    word: str,
    one: Any,
    other: Any,
    columns: tuple[tuple[str, ...], str, str | None, str],
    *,
    name: str | None,
    build: Callable[[TwoSides, str], Operator],
) -> Flow:
    left = cast("Flow", one)
    right = as_branch(word, left, other)
    common, parted = come_together(word, [left, right], name)
    by, argument, time, suffix = columns
    try:
        if time is not None:
            for schema in (left.schema, right.schema):
                check_time(schema, argument, time)
        sides = TwoSides.over(left.schema, right.schema, by, time, suffix)
    except FlowError as error:
        raise FlowError(f"flow '{left.name}', operator '{parted.name}': {error}") from None
    tagging = sides.tags(parted.name)
    return _tagged(common, parted, tagging, word, lambda _, operator: build(sides, operator))


def _tagged(
    common: Flow,
    parted: Branches,
    tagging: Sequence[Operator],
    word: str,
    build: Callable[[pa.Schema, str], Operator],
) -> Flow:
    """Add the branches, each with its tag, and the operator that works on both."""
    branches = tuple((*branch, tag) for branch, tag in zip(parted.branches, tagging, strict=True))
    inputs = replace(
        parted, name=f"{parted.name}.inputs", output=tagging[0].output, branches=branches
    )
    together = common._then("inputs", inputs.name, lambda _given, _name: inputs)
    return together._then(word, parted.name, build)
