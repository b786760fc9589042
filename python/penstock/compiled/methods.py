"""The methods of a flow that take compiled functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from penstock.compiled.operator import compiled_rows
from penstock.operators import Operator
from penstock.schema import SchemaLike

if TYPE_CHECKING:
    from penstock.flow import Flow


class CompiledMethods:
    """What a flow does with compiled functions."""

    if TYPE_CHECKING:

        def _then(
            self, word: str, name: str | None, build: Callable[[pa.Schema, str], Operator]
        ) -> Flow: ...

    def process(
        self, function: Any, out: SchemaLike | None = None, *, name: str | None = None
    ) -> Flow:
        """Give each row to a function `f(row, out)` that is compiled and makes any number of rows.

        Args:
            function: Calls `out.emit(...)`, by position or by name, for each row it makes, or
                `out.keep()` to pass the row on. See `penstock.compiled`.
            out: Schema of the rows it makes; left out, it passes rows on.
            name: Name of the operator.

        >>> import penstock
        >>> def doubled(row, out):
        ...     out.emit(row.n, 2 * row.n)
        ...     out.emit(n=row.n, m=None)
        >>> made = penstock.flow("f", "n long").process(doubled, out="n long, m long")
        >>> made.run(pa.table({"n": [4]})).to_pylist()
        [{'n': 4, 'm': 8}, {'n': 4, 'm': None}]
        """

        def build(given: pa.Schema, operator: str) -> Operator:
            return compiled_rows(given, operator, function, "process", out=out)

        return self._then("process", name, build)


class CompiledKeyedMethods:
    """What a flow does by key with compiled functions."""

    if TYPE_CHECKING:
        then: Callable[[str, str | None, Callable[[pa.Schema, str], Operator]], Flow]
        columns: tuple[str, ...]

    def process(
        self,
        function: Any,
        out: SchemaLike | None = None,
        *,
        state: SchemaLike | None = None,
        name: str | None = None,
    ) -> Flow:
        """Give each row to a compiled function `f(state, row, out)` that remembers its key.

        Args:
            function: Reads and writes the fields of `state`, and makes rows with `out` as for
                `Flow.process`. See `penstock.compiled`.
            out: Schema of the rows it makes; left out, it passes rows on.
            state: What it remembers of a key, such as `n long, last timestamp`: plain values of a
                fixed size, all 0 before the first row of the key. `last array<double, 16>` are
                16 values, `state.last[0]` to `state.last[15]`.
            name: Name of the operator.

        >>> import penstock
        >>> def nth(state, row, out):
        ...     state.n += 1
        ...     out.emit(row.host, state.n)
        >>> seen = penstock.flow("f", "host string").key_by("host")
        >>> seen = seen.process(nth, out="host string, n long", state="n long")
        >>> seen.run(pa.table({"host": ["a", "b", "a"]})).table["n"].to_pylist()
        [1, 1, 2]
        """

        def build(given: pa.Schema, operator: str) -> Operator:
            return compiled_rows(
                given, operator, function, "process", out=out, by=self.columns, state=state
            )

        return self.then("process", name, build)
