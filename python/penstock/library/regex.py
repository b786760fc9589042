r"""Columns from lines of text, by a regular expression.

>>> given = pa.schema([("line", pa.string())])
>>> failed = Regex.over(given, "failed", "line", r"(?P<user>\w+) from (?P<ip>\S+)")
>>> batch = pa.RecordBatch.from_pydict({"line": ["root from ::1", "closed"]})
>>> failed.process(batch)["user"].to_pylist()
['root', None]
>>> failed.body
'regex line by (?P<user>\\w+) from (?P<ip>\\S+)'
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from penstock.errors import FlowError
from penstock.library.parse import check_text, with_columns
from penstock.operators import Operator
from penstock.schema import quote


@dataclass(frozen=True)
class Regex(Operator):
    """Adds the named groups of a regular expression, as strings, found by Arrow's RE2.

    Attributes:
        column: The text.
        pattern: The expression; null where it is found nowhere in the text.
        strict: Whether that is an error.
    """

    column: str
    pattern: str
    strict: bool

    @classmethod
    def over(
        cls, given: pa.Schema, name: str, column: str, pattern: str, *, strict: bool = False
    ) -> Regex:
        """Check the expression and build the operator."""
        check_text(given, column)
        nothing = pa.array([], given.field(column).type)
        try:
            groups = pc.extract_regex(nothing, pattern).type
        except (pa.ArrowException, TypeError) as error:
            raise FlowError(
                f"{pattern!r} is no regular expression with named groups as in "
                rf"'from (?P<ip>\S+)': {error}"
            ) from error
        if groups.num_fields == 0:
            raise FlowError(rf"{pattern!r} names no group, as in 'from (?P<ip>\S+)'")
        output = with_columns(given, [groups.field(place) for place in range(groups.num_fields)])
        return cls(name, given, output, column, pattern, strict)

    @property
    def body(self) -> str:
        """What it does."""
        return f"regex {quote(self.column)} by {self.pattern}"

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Find the groups in all lines at once."""
        found = pc.extract_regex(batch.column(self.column), self.pattern)
        if self.strict and found.null_count:
            row = pc.index(found.is_null(), True).as_py()
            line = batch.column(self.column)[row].as_py()
            raise FlowError(
                f"the line {line!r} does not match; on_mismatch='null' or 'drop' lets it pass"
            )
        return pa.RecordBatch.from_arrays([*batch.columns, *found.flatten()], schema=self.output)
