"""A checkpoint keeps the state that is declared to be kept, and says of which operator it keeps none."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from penstock import Flow, flow, state

HOSTS = pa.table({"host": ["a", "b", "a"]})
START = flow("f", "host string")


class Forgetful:
    """Counts the rows of a key, and does not say that the count is to be kept."""

    seen = state.Value("long")

    def process(self, row: Any) -> Iterator[Any]:
        self.seen.put(self.seen.get(0) + 1)
        yield row


class Keeping(Forgetful):
    """Keeps the count, and something else only for now."""

    seen = state.Value("long", persistence="checkpointed")
    scratch = state.Value("long")


class Stateless:
    """Has nothing to keep."""

    def process(self, row: Any) -> Iterator[Any]:
        yield row


class Plain:
    """Counts in a dictionary of its own."""

    def __init__(self) -> None:
        self.seen: dict[str, int] = {}

    def process(self, row: Any) -> Iterator[Any]:
        self.seen[row.host] = self.seen.get(row.host, 0) + 1
        yield row


def warned(made: Flow, **how: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        states = made.run(HOSTS, **how).states
    assert not states
    assert {one.filename for one in caught} <= {__file__}, "it points at who called run"
    return [str(one.message) for one in caught]


def test_state_that_is_not_declared_to_be_kept_is_named_with_what_to_do() -> None:
    (message,) = warned(START.key_by("host").apply(Forgetful(), name="op"), checkpoint=True)
    assert message == (
        "flow 'f', operator 'op': checkpoint=True keeps nothing of it, because its state ('seen') is "
        'transient; declare it with persistence="checkpointed"'
    )


@pytest.mark.parametrize(
    "made",
    [
        START.apply(Plain(), name="op"),
        START.key_by("host").apply(Plain(), name="op"),
        START.parallel(lambda rows: rows.apply(Plain(), name="op"), by="host"),
    ],
)
def test_state_that_was_found_is_named_with_what_to_do(made: Flow) -> None:
    (message,) = warned(made, checkpoint=True)
    assert message == (
        "flow 'f', operator 'op': checkpoint=True keeps nothing of it, because what was found in its "
        "source ('seen') is transient; declare it with penstock.state and "
        "persistence=\"checkpointed\", behind key_by('host')"
    )


def test_nothing_is_said_without_a_checkpoint_or_where_there_is_nothing_to_lose() -> None:
    assert warned(START.key_by("host").apply(Forgetful())) == []
    assert warned(START.key_by("host").apply(Stateless()), checkpoint=True) == []


def test_what_is_declared_to_be_kept_is_kept_and_what_stands_beside_it_is_left_out() -> None:
    made = START.key_by("host").apply(Keeping(), name="op")
    kept = made.run(HOSTS, checkpoint=True).states["op"]
    assert kept.column_names == ["host", "seen"]
    assert sorted(kept["seen"].to_pylist(), key=str) == [{"value": 1}, {"value": 2}]
