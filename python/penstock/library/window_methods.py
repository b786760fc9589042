"""`window(...)` of a flow and of a keyed flow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from penstock.agg import Aggregate
from penstock.library.window_aggregate import WindowAggregate
from penstock.operators import Operator
from penstock.windows import Windows

if TYPE_CHECKING:
    from penstock.flow import Flow
    from penstock.keyed import Then


@dataclass(frozen=True)
class WindowedFlow:
    """A flow whose rows are gathered in windows; made by `window(...)`.

    Attributes:
        then: Adds an operator to the flow.
        columns: What makes up the key; nothing for all rows.
        windows: Which.
        flush: Whether those that are open at the end leave.
    """

    then: Then
    columns: tuple[str, ...]
    windows: Windows
    flush: bool | None

    def agg(self, *, name: str | None = None, **aggregates: Aggregate) -> Flow:
        """Make a row of each window: the key, `window_start`, `window_end`, and the aggregates.

        The row leaves when the window closes, in place of the row that closed it.

        >>> import penstock
        >>> from penstock import agg, windows
        >>> rides = penstock.flow("f", "ts timestamp_ntz, km double")
        >>> by_hour = rides.window(windows.tumbling(time="1 hour", on="ts"), flush=True)
        >>> by_hour.agg(rides=agg.count(), km=agg.sum("km")).schema.names
        ['window_start', 'window_end', 'rides', 'km']
        """
        return self.then(
            "window",
            name,
            lambda given, n: WindowAggregate.over(
                given, n, self.columns, self.windows, aggregates, flush=self.flush
            ),
        )


class WindowMethods:
    """What `Flow` has for windows over all rows."""

    if TYPE_CHECKING:

        def _then(
            self, word: str, name: str | None, build: Callable[[pa.Schema, str], Operator]
        ) -> Flow: ...

    def window(self, windows: Windows, *, flush: bool | None = None) -> WindowedFlow:
        """Gather all rows in windows, to make a row of each with `agg`.

        Args:
            windows: What `penstock.windows` makes: `tumbling`, `sliding` or `session`.
            flush: Must be said: whether windows that are open at the end of the input leave as
                they are, or are left out. A run that others go on from leaves them out: they are
                in its checkpoint.

        >>> import penstock
        >>> from penstock import agg, windows
        >>> pairs = penstock.flow("f", "n int").window(windows.tumbling(rows=2), flush=True)
        >>> made = pairs.agg(n=agg.sum("n"))
        >>> made.run(pa.table({"n": pa.array([1, 2, 3], pa.int32())})).to_pylist()
        [{'window_start': 0, 'window_end': 2, 'n': 3}, {'window_start': 2, 'window_end': 3, 'n': 3}]
        """
        return WindowedFlow(self._then, (), windows, flush)


class KeyedWindowMethods:
    """What `KeyedFlow` has for windows of the rows of each key."""

    then: Then
    columns: tuple[str, ...]

    def window(self, windows: Windows, *, flush: bool | None = None) -> WindowedFlow:
        """Gather the rows of each key in windows, to make a row of each with `agg`.

        Args:
            windows: What `penstock.windows` makes: `tumbling`, `sliding` or `session`.
            flush: Must be said: whether windows that are open at the end of the input leave as
                they are, in the order of the keys, or are left out. A run that others go on from
                leaves them out: they are in its checkpoint.

        >>> import penstock
        >>> from penstock import agg, windows
        >>> logins = penstock.flow("f", "host string, at timestamp_ntz").key_by("host")
        >>> visits = logins.window(windows.session(gap="30 minutes", on="at"), flush=True)
        >>> print(visits.agg(logins=agg.count(), name="visits"))
        f: window visits
        """
        return WindowedFlow(self.then, self.columns, windows, flush)
