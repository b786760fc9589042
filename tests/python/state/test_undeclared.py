"""An operator by key may change nothing but the state that it declares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from penstock import FlowError, OperatorError, flow, state
from penstock.rows import Row

HOSTS = pa.table({"host": ["a", "b", "a"]})


class Counted:
    seen = state.Value("long")

    def __init__(self) -> None:
        self.limit = 2
        self.notes: list[str] = []
        self.table = {"a": 1}

    def process(self, row: Row) -> Iterator[Row]:
        self.seen.put(self.seen.get(0) + 1)
        self.remember(row)
        yield row

    def remember(self, row: Row) -> None:
        """Does nothing here."""


class Sets(Counted):
    def process(self, row: Row) -> Iterator[Row]:
        self.limit += 1
        yield row


class SetsOneOfTwo(Counted):
    def process(self, row: Row) -> Iterator[Row]:
        first, self.latest = row.host, row.host
        yield {"host": first}  # type: ignore[misc]


class SetsElsewhere(Counted):
    def remember(self, row: Row) -> None:
        self.limit = len(row.host) + 5


class Adds(Counted):
    def remember(self, row: Row) -> None:
        self.latest = row.host


class Appends(Counted):
    def remember(self, row: Row) -> None:
        self.notes.append(row.host)


class Replaces(Counted):
    def remember(self, row: Row) -> None:
        self.table["a"] = len(row.host) + 700


class Removes(Counted):
    def remember(self, _row: Row) -> None:
        self.__dict__.pop("notes", None)


class HasProperty(Counted):
    @property
    def scale(self) -> int:
        return 1

    @scale.setter
    def scale(self, _value: int) -> None:
        """Changes nothing."""

    def process(self, row: Row) -> Iterator[Row]:
        self.scale = 3
        yield row


def by_host(work: Any) -> Any:
    return flow("f", "host string").key_by("host").apply(work, name="work")


@pytest.mark.parametrize("work", [Counted(), HasProperty()])
def test_declared_state_and_attributes_that_stay_are_fine(work: Any) -> None:
    assert by_host(work).run(HOSTS).table.equals(HOSTS)


@pytest.mark.parametrize(("work", "name"), [(Sets(), "limit"), (SetsOneOfTwo(), "latest")])
def test_an_attribute_set_in_process_is_refused_where_it_is_written(work: Any, name: str) -> None:
    words = rf"operator 'work': .*process changes self\.{name}, .*penstock\.state\.Value"
    with pytest.raises(FlowError, match=words):
        by_host(work)


@pytest.mark.parametrize(
    ("work", "name"),
    [
        (SetsElsewhere(), "limit"),
        (Adds(), "latest"),
        (Appends(), "notes"),
        (Replaces(), "table"),
        (Removes(), "notes"),
    ],
)
@pytest.mark.parametrize("channels", [None, 2])
def test_an_attribute_that_changes_is_refused_while_it_runs(
    work: Any, name: str, channels: int | None
) -> None:
    made = by_host(work)
    if channels:
        made = flow("f", "host string").parallel(
            lambda rows: rows.key_by("host").apply(work, name="work"), by="host", channels=channels
        )
    with pytest.raises(OperatorError, match=rf"operator 'work'.*process changes self\.{name}, "):
        made.run(HOSTS)


def test_the_same_operator_may_do_so_without_keys() -> None:
    class Plain:
        def __init__(self) -> None:
            self.seen = 0

        def process(self, row: Row) -> Iterator[Row]:
            self.seen += 1
            yield row

    assert flow("f", "host string").apply(Plain()).run(HOSTS).table.equals(HOSTS)
