"""Methods of a flow that make more of a row: rows of its lists, columns of its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pyarrow as pa
import pyarrow.compute as pc

from penstock.library.explode import Explode
from penstock.library.parse import Mismatch, Parse, check_mismatch
from penstock.library.regex import Regex

if TYPE_CHECKING:
    from penstock.flow import Flow


class UnfoldingMethods:
    """Of the rows of a flow."""

    def explode(
        self,
        column: str,
        *,
        into: str | None = None,
        outer: bool = False,
        position: str | None = None,
        name: str | None = None,
    ) -> Flow:
        """Make a row of each item of a list, with the item in the place of the list.

        Args:
            column: The list. What it holds may be anything, also lists.
            into: Name of the column of items, if it is to be another.
            outer: Make a row with null of a list without items and of null; they make none
                otherwise.
            position: Name of one more column: where in its list an item was, from 0 on.
            name: Name of the operator.

        >>> from penstock import flow
        >>> tags = flow("f", "host string, tags array<string>").explode("tags", into="tag")
        >>> rows = pa.table({"host": ["a", "b"], "tags": [["x", "y"], []]})
        >>> tags.run(rows).to_pylist()
        [{'host': 'a', 'tag': 'x'}, {'host': 'a', 'tag': 'y'}]
        """
        return _of(self)._then(
            "explode",
            name,
            lambda given, n: Explode.over(
                given, n, column, into=into, outer=outer, position=position
            ),
        )

    def parse(
        self,
        column: str,
        template: str,
        *,
        on_mismatch: Mismatch = "null",
        name: str | None = None,
    ) -> Flow:
        """Add columns found in a line of text by a template of literals and fields.

        Args:
            column: The text.
            template: Fields are in braces: `{user}` is a string, `{port:int}` has a type (string,
                int, long, double), `{at:timestamp:%Y-%m-%d %H:%M:%S}` also a format (%Y %m %b %d
                %H %M %S %f %z; without a zone it is UTC), and `{}` is passed over. A field goes up
                to the first place where the text behind it begins, and the last one up to the end
                of the line, or to the text that ends it. Braces of the text are written twice.
            on_mismatch: What becomes of a row whose line, or a field of it, is of another form:
                `null` in all new columns, `drop` the row, or `error`.
            name: Name of the operator.

        >>> from penstock import flow
        >>> failed = flow("f", "line string").parse(
        ...     "line", "Failed password for {user} from {} port {port:int}", on_mismatch="drop"
        ... )
        >>> lines = ["Failed password for root from ::1 port 22", "Connection closed"]
        >>> failed.select("user", "port").run(pa.table({"line": lines})).to_pylist()
        [{'user': 'root', 'port': 22}]
        """
        return _of(self)._then(
            "parse", name, lambda given, n: Parse.over(given, n, column, template, on_mismatch)
        )

    def regex(
        self,
        column: str,
        pattern: str,
        *,
        on_mismatch: Mismatch = "null",
        name: str | None = None,
    ) -> Flow:
        r"""Add columns of strings found in a line by the named groups of a regular expression.

        It is of RE2's kind and found anywhere in the line unless `^` and `$` say where. Arrow
        evaluates it, which holds the GIL between batches; `parse` does not.

        Args:
            column: The text.
            pattern: With groups such as `(?P<ip>\S+)`; each becomes a column.
            on_mismatch: What becomes of a row in which it is not found: `null` in all new columns,
                `drop` the row, which a filter does, or `error`.
            name: Name of the operator.

        >>> from penstock import flow
        >>> ips = flow("f", "line string").regex("line", r"from (?P<ip>\S+)").select("ip")
        >>> ips.run(pa.table({"line": ["root from ::1 port 22", "closed"]})).to_pylist()
        [{'ip': '::1'}, {'ip': None}]
        """

        def build(given: pa.Schema, operator: str) -> Regex:
            check_mismatch(on_mismatch)
            return Regex.over(given, operator, column, pattern, strict=on_mismatch == "error")

        made = _of(self)._then("regex", name, build)
        if on_mismatch != "drop":
            return made
        matched = pc.is_valid(pc.field(made.schema.names[-1]))
        return made.filter(matched, name=None if name is None else f"{name}.matched")


def _of(methods: UnfoldingMethods) -> Flow:
    return cast("Flow", methods)
