from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from penstock import flow
from penstock.errors import FlowError, OperatorError

START = flow("f", "line string, n long")
ROWS = pa.table({"line": ["root from ::1 port 22", "closed", None], "n": [0, 1, 2]})
PATTERN = r"(?P<user>\w+) from (?P<ip>\S+)"


def test_named_groups_become_columns_of_strings() -> None:
    made = START.regex("line", PATTERN).run(ROWS).table
    assert made["user"].to_pylist() == ["root", None, None]
    assert made["ip"].to_pylist() == ["::1", None, None]


def test_a_row_that_does_not_match_is_dropped_or_an_error() -> None:
    dropped = START.regex("line", PATTERN, on_mismatch="drop", name="found")
    assert dropped.run(ROWS).table["n"].to_pylist() == [0]
    assert [step.name for step in dropped.operators] == ["found", "found.matched"]
    with pytest.raises(OperatorError, match="the line 'closed' does not match") as caught:
        START.regex("line", PATTERN, on_mismatch="error").run(ROWS)
    assert caught.value.row == 1


def test_it_holds_the_gil_and_says_so() -> None:
    made = START.regex("line", PATTERN).explanation()
    assert r"regex line by (?P<user>\w+) from (?P<ip>\S+)" in made
    assert "stateless, holds the GIL" in made


@pytest.mark.parametrize(
    ("column", "pattern", "how", "problem"),
    [
        ("lime", PATTERN, {}, "unknown column 'lime'"),
        ("n", PATTERN, {}, "column 'n' is bigint, and must be a string"),
        ("line", "(?P<a>", {}, "is no regular expression with named groups"),
        ("line", "(a)", {}, "is no regular expression with named groups"),
        ("line", "a", {}, "names no group"),
        ("line", "(?P<n>a)", {}, "column 'n' is there already"),
        ("line", PATTERN, {"on_mismatch": "skip"}, "on_mismatch= must be one of null, drop"),
    ],
)
def test_what_cannot_be_is_refused_where_it_is_written(
    column: str, pattern: str, how: dict[str, Any], problem: str
) -> None:
    with pytest.raises(FlowError, match=f"operator 'regex_1': .*{problem}"):
        START.regex(column, pattern, **how)
