"""Methods of a flow that keep some of its rows as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa
import pyarrow.compute as pc

from penstock.errors import FlowError
from penstock.expressions import bind, text_of
from penstock.library.dedup import Dedup, Span
from penstock.library.punctuate import Punctuate
from penstock.library.take import Take
from penstock.library.take_while import TakeWhile
from penstock.library.throttle import Throttle
from penstock.library.top_k import Columns, Directions, TopK
from penstock.operators import Operator, project
from penstock.schema import type_name

if TYPE_CHECKING:
    from penstock.flow import Flow
    from penstock.keyed import Then


class KeepingMethods:
    """Of all rows of a flow."""

    def dedup(
        self,
        *columns: str,
        within: Span | None = None,
        on: str | None = None,
        name: str | None = None,
    ) -> Flow:
        """Keep the first of the rows that are equal in some columns; without any, in all.

        `flow.dedup("a", "b")` is `flow.key_by("a", "b").dedup()`.

        Args:
            columns: What makes rows equal.
            within: A row counts as a duplicate only this long: `"10 minutes"`, a timedelta, or a
                number where `on` is one. It is kept if it is at least that much later than the
                last one kept that is equal to it.
            on: The column with the time of a row. A row whose time is null is always kept.
            name: Name of the operator.

        >>> from penstock import flow
        >>> hosts = flow("f", "host string, n long").dedup("host")
        >>> hosts.run(pa.table({"host": ["a", "b", "a"], "n": [1, 2, 3]})).to_pylist()
        [{'host': 'a', 'n': 1}, {'host': 'b', 'n': 2}]
        """
        return _of(self)._then(
            "dedup",
            name,
            lambda given, n: Dedup.over(given, n, columns or given.names, within, on),
        )

    def take(self, rows: int, *, name: str | None = None) -> Flow:
        """Keep the first rows, so many. The rest of the input is read all the same.

        >>> from penstock import flow
        >>> flow("f", "n long").take(2).run(pa.table({"n": [5, 6, 7]})).to_pylist()
        [{'n': 5}, {'n': 6}]
        """
        return _of(self)._then("take", name, lambda given, n: Take.over(given, n, rows))

    def take_while(self, condition: str | pc.Expression, *, name: str | None = None) -> Flow:
        """Keep the rows before the first for which a condition is not true; null is not true.

        Args:
            condition: A boolean column, or an expression. What an expression gives is added as a
                column and taken away again, by operators of their own.
            name: Name of the operator.

        >>> import pyarrow.compute as pc
        >>> from penstock import flow
        >>> small = flow("f", "n long").take_while(pc.field("n") < 7)
        >>> small.run(pa.table({"n": [5, 6, 7, 5]})).to_pylist()
        [{'n': 5}, {'n': 6}]
        """
        return _while(_of(self)._then, condition, None, name)

    def top_k(
        self, k: int, by: Columns, *, descending: Directions = True, name: str | None = None
    ) -> Flow:
        """Keep the k best rows; they leave at the end of the input, the best first.

        Args:
            k: How many.
            by: The column to compare by, or several of which the first counts most. A null is
                worse than any value, and NaN counts as larger than any number. Of rows that are
                equally good the one that came first is the better.
            descending: Whether the largest is the best; one for all columns, or one for each.
            name: Name of the operator.

        >>> from penstock import flow
        >>> best = flow("f", "host string, n long").top_k(2, by="n")
        >>> best.run(pa.table({"host": ["a", "b", "c"], "n": [1, 3, 2]})).to_pylist()
        [{'host': 'b', 'n': 3}, {'host': 'c', 'n': 2}]
        """
        return _of(self)._then(
            "top_k", name, lambda given, n: TopK.over(given, n, k, by, descending=descending)
        )

    def throttle(self, *, rows_per_second: float, name: str | None = None) -> Flow:
        """Let no more than so many rows pass in a second of the clock: for demos, and slow sinks.

        A tuple leaves as a whole, when the last of its rows may; `spark.penstock.tuple.rows` says
        how many it has. Few rows now give no right to more of them later. One thread waits here,
        without the GIL.

        >>> from penstock import flow
        >>> slow = flow("f", "n long").throttle(rows_per_second=1000)
        >>> slow.run(pa.table({"n": [1, 2, 3]})).table.num_rows
        3
        """
        return _of(self)._then(
            "throttle", name, lambda given, n: Throttle.over(given, n, rows_per_second)
        )

    def punctuate(
        self, *, every: int | None = None, after: str | None = None, name: str | None = None
    ) -> Flow:
        """Put marks behind some rows: a batch of the result ends at each.

        Operators behind it pass marks on in their place among the rows.

        Args:
            every: Behind every so many rows.
            after: A boolean column: behind each row for which it is true.
            name: Name of the operator.

        >>> from penstock import flow
        >>> pairs = flow("f", "n long").punctuate(every=2)
        >>> [batch.num_rows for batch in pairs.stream(pa.table({"n": [1, 2, 3, 4, 5]}))]
        [2, 2, 1]
        """
        return _of(self)._then(
            "punctuate", name, lambda given, n: Punctuate.over(given, n, every, after)
        )


class KeyedKeepingMethods:
    """Of the rows of each key."""

    then: Then
    columns: tuple[str, ...]

    def dedup(
        self, *, within: Span | None = None, on: str | None = None, name: str | None = None
    ) -> Flow:
        """Keep the first row of each key; the arguments are those of `Flow.dedup`.

        >>> import datetime as dt
        >>> from penstock import flow
        >>> alarms = flow("f", "host string, at timestamp")
        >>> alarms = alarms.key_by("host").dedup(within="10 minutes", on="at")
        >>> at = [dt.datetime(2026, 1, 1, 12, minute) for minute in (0, 9, 10)]
        >>> rows = pa.table({"host": ["a"] * 3, "at": pa.array(at, pa.timestamp("us", "UTC"))})
        >>> [row["at"].minute for row in alarms.run(rows).to_pylist()]
        [0, 10]
        """
        return self.then(
            "dedup", name, lambda given, n: Dedup.over(given, n, self.columns, within, on)
        )

    def take(self, rows: int, *, name: str | None = None) -> Flow:
        """Keep the first rows of each key, so many.

        >>> from penstock import flow
        >>> first = flow("f", "host string").key_by("host").take(1)
        >>> first.run(pa.table({"host": ["a", "b", "a"]})).to_pylist()
        [{'host': 'a'}, {'host': 'b'}]
        """
        return self.then("take", name, lambda given, n: Take.over(given, n, rows, self.columns))

    def take_while(self, condition: str | pc.Expression, *, name: str | None = None) -> Flow:
        """Keep the rows of each key before the first for which a condition is not true.

        >>> import pyarrow.compute as pc
        >>> from penstock import flow
        >>> calm = flow("f", "host string, n long").key_by("host").take_while(pc.field("n") < 7)
        >>> rows = pa.table({"host": ["a", "b", "a", "b"], "n": [1, 9, 2, 1]})
        >>> calm.run(rows).to_pylist()
        [{'host': 'a', 'n': 1}, {'host': 'a', 'n': 2}]
        """
        return _while(self.then, condition, self.columns, name)

    def top_k(
        self, k: int, by: Columns, *, descending: Directions = True, name: str | None = None
    ) -> Flow:
        """Keep the k best rows of each key; they leave at the end, key by key, the best first.

        The arguments are those of `Flow.top_k`. Keys come in their order, null first.

        >>> from penstock import flow
        >>> best = flow("f", "host string, n long").key_by("host").top_k(1, by="n")
        >>> best.run(pa.table({"host": ["b", "a", "b"], "n": [1, 2, 3]})).to_pylist()
        [{'host': 'a', 'n': 2}, {'host': 'b', 'n': 3}]
        """
        return self.then(
            "top_k",
            name,
            lambda given, n: TopK.over(given, n, k, by, descending=descending, by_key=self.columns),
        )


def _of(methods: KeepingMethods) -> Flow:
    return cast("Flow", methods)


def _while(then: Then, condition: Any, by: tuple[str, ...] | None, name: str | None) -> Flow:
    if not isinstance(condition, pc.Expression):
        return then("take_while", name, lambda given, n: TakeWhile.over(given, n, condition, by))
    before, behind = (None, None) if name is None else (f"{name}.condition", f"{name}.columns")
    made = then("with_column", before, lambda given, n: _with_condition(given, n, condition))
    *names, hidden = made.schema.names
    made = made._then("take_while", name, lambda given, n: TakeWhile.over(given, n, hidden, by))
    return made.select(*names, name=behind)


def _with_condition(given: pa.Schema, name: str, condition: pc.Expression) -> Operator:
    found = bind(condition, given)
    if not pa.types.is_boolean(found):
        raise FlowError(
            f"{text_of(condition)} is {type_name(found)}, but take_while needs a boolean; compare "
            "it with something"
        )
    hidden = "condition"
    while hidden in given.names:
        hidden += "_"
    return project(given, name, [*((each, each) for each in given.names), (hidden, condition)])
