"""What discovery promises: to run each key by itself changes nothing."""

from __future__ import annotations

from textwrap import indent

import pytest
from hypothesis import given, note, settings
from tests.python.discovery.classes import module
from tests.python.discovery.programs import (
    COLUMNS,
    HEAD,
    HONEST,
    OTHERS,
    Row,
    apart,
    programs,
    rows,
    together,
)

from penstock.discovery import discover

# Every key with every other column, twice and in an order in which keys take turns.
SWEEP = [Row(k, j, v) for _ in range(2) for v in range(3) for j in range(3) for k in range(3)]


def program(statement: str) -> str:
    """A class in which the statement matters: all its dictionaries are in use by key."""
    before = "key = row.k\nself.n[key] += 1\nself.w[row.k] = [1]\nself.d.setdefault(row.k, row)"
    after = "self.n[key] += 1\nyield self.n[key]"
    text = statement.replace("KEY", "row.k").replace("VALUE", "row.v")
    body = indent(f"{before}\n{text}\n{after}\n", " " * 8)
    return f"{HEAD}\n    def process(self, row):\n{body}"


@settings(max_examples=300, deadline=None)
@given(source=programs(), given_rows=rows)
def test_an_operator_that_is_called_keyed_can_run_key_by_key(
    source: str, given_rows: list[Row]
) -> None:
    found = discover(module(source)["Op"](), COLUMNS)
    note(f"{found.reason}\n{source}")
    if found.key is None:
        return
    columns = found.key
    separate = apart(source, given_rows, lambda row: tuple(row[name] for name in columns))
    assert separate == together(source, given_rows)


@pytest.mark.parametrize("statement", HONEST)
def test_an_honest_statement_is_keyed(statement: str) -> None:
    source = program(statement)
    assert discover(module(source)["Op"](), COLUMNS).key == ("k",)
    assert apart(source, SWEEP, lambda row: row.k) == together(source, SWEEP)


@pytest.mark.parametrize("statement", OTHERS)
def test_any_other_statement_is_serial_and_for_a_reason(statement: str) -> None:
    """Without this the random operators could be harmless, and the property empty."""
    source = program(statement)
    assert discover(module(source)["Op"](), COLUMNS).key is None
    assert apart(source, SWEEP, lambda row: row.k) != together(source, SWEEP)
