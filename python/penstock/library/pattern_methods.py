"""The method of a keyed flow that finds patterns."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from penstock.library.pattern import Pattern, predicates

if TYPE_CHECKING:
    import pyarrow.compute as pc

    from penstock.flow import Flow
    from penstock.keyed import KeyedFlow


class PatternMethods:
    """What a flow by key does with sequences of rows."""

    def pattern(
        self,
        text: str,
        *,
        on: str,
        within: str | timedelta | int | None = None,
        name: str | None = None,
        **steps: pc.Expression,
    ) -> Flow:
        """Find sequences of rows of each key; makes a row for each that it finds.

        The first sequence to be complete counts, and of several that end with the same row the one
        that began first; the next one begins behind it. A row made has the key, the times of the
        `first` and the `last` row, and how many `rows` of the key there are from the one to the
        other. The times of a key must not descend; rows without a time are left out.

        Args:
            text: Steps with `then` between them, where other rows may come in between, or `next`,
                where none may. A step is a name and how often it comes: `a`, `a+`, `a{3}`,
                `a{3,}`, `a{3,5}`, other rows in between being skipped.
            on: The column of times.
            within: How long a sequence may last, such as "5 minutes". Without it a sequence that
                has begun is remembered until it is complete.
            name: Name of the operator.
            steps: For each name what must be true of its rows.

        >>> import penstock, pyarrow as pa, pyarrow.compute as pc
        >>> calls = penstock.flow("f", "caller string, ts timestamp, seconds int").key_by("caller")
        >>> short = calls.pattern(
        ...     "short{3} next long",
        ...     on="ts",
        ...     within="1 hour",
        ...     short=pc.field("seconds") < 5,
        ...     long=pc.field("seconds") > 600,
        ... )
        >>> short.schema.names
        ['caller', 'first', 'last', 'rows']
        """
        keyed = cast("KeyedFlow", self)
        by = keyed.columns
        named: dict[str, Any] = dict(steps)
        flow = keyed.then(
            "steps",
            None if name is None else f"{name}.steps",
            lambda given, n: predicates(given, n, by, text=text, on=on, named=named),
        )
        return flow._then(
            "pattern", name, lambda given, n: Pattern.over(given, n, by, text, within)
        )
