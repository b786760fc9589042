"""State of the key of the row at hand: values, lists and maps, in flows of every kind."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pyarrow as pa
import pytest

from penstock import flow, state
from penstock.errors import FlowError, OperatorError
from penstock.rows import Row
from penstock.state import Stores
from penstock.state.declared import declared_by
from penstock.state.keys import NAN
from penstock.threading_model import MODELS

ROWS = pa.table({"k": ["a", "b", "a", None, "a", None], "n": [1, 2, 3, 4, 5, 6]})


class Recorded:
    """Makes one row of text for each row: what a step of a test says about its state."""

    value = state.Value("bigint")
    items = state.List("bigint")
    entries = state.Map("string", "bigint")

    def __init__(self, step: Callable[[Recorded, Row], Any]) -> None:
        self.step = step

    def process(self, row: Row) -> list[tuple[str]]:
        return [(str(self.step(self, row)),)]


def said(step: Callable[[Recorded, Row], Any], rows: pa.Table = ROWS) -> list[str]:
    made = flow("f", "k string, n long").key_by("k").apply(Recorded(step), "said string")
    return [row["said"] for row in made.run(rows).to_pylist()]


def test_a_value_is_of_the_rows_own_key() -> None:
    def total(self: Recorded, row: Row) -> Any:
        self.value.put(self.value.get(0) + row.n)
        return self.value.get()

    assert said(total) == ["1", "2", "4", "4", "9", "10"]


def test_a_value_is_there_from_the_first_put_to_its_removal() -> None:
    def toggle(self: Recorded, row: Row) -> Any:
        before = self.value.has(), self.value.get(), self.value.get(-1)
        if self.value.has():
            self.value.remove()
            self.value.remove()
        else:
            self.value.put(None if row.k is None else row.n)
        return before

    none = "(False, None, -1)"
    assert said(toggle) == [none, none, "(True, 1, 1)", none, none, "(True, None, None)"]


def test_a_list_grows_is_read_and_is_cleared() -> None:
    def window(self: Recorded, row: Row) -> Any:
        self.items.append(row.n)
        seen = len(self.items), list(self.items), self.items.get(), self.items.has()
        if len(self.items) == 2:
            self.items.clear()
        return seen

    assert said(window) == [
        "(1, [1], [1], True)",
        "(1, [2], [2], True)",
        "(2, [1, 3], [1, 3], True)",
        "(1, [4], [4], True)",
        "(1, [5], [5], True)",
        "(2, [4, 6], [4, 6], True)",
    ]


def test_a_list_that_is_put_is_a_list_of_its_own() -> None:
    def put(self: Recorded, row: Row) -> Any:
        before = self.items.has(), len(self.items), list(self.items)
        mine = [] if self.items.has() else [row.n]
        self.items.put(mine)
        mine.append(7)
        self.items.get().append(8)
        return before

    assert said(put, ROWS.filter(pa.compute.equal(ROWS["k"], "a"))) == [
        "(False, 0, [])",
        "(True, 1, [1])",
        "(False, 0, [])",
    ]


def test_a_map_has_entries_of_its_own_for_each_key() -> None:
    def entries(self: Recorded, row: Row) -> Any:
        kept = self.entries
        before = kept.has("x"), "x" in kept, kept.get("x"), kept.get("y", 0), len(kept), kept.has()
        kept.put("x", row.n)
        kept.put("y", None)
        kept.remove("y")
        kept.remove("z")
        return (*before, dict(kept.items()), list(kept))

    first = "(False, False, None, 0, 0, False, {{'x': {0}}}, ['x'])"
    later = "(True, True, {0}, 0, 1, True, {{'x': {1}}}, ['x'])"
    assert said(entries) == [
        first.format(1),
        first.format(2),
        later.format(1, 3),
        first.format(4),
        later.format(3, 5),
        later.format(4, 6),
    ]


def test_a_map_without_entries_is_as_good_as_none() -> None:
    def emptied(self: Recorded, row: Row) -> Any:
        self.entries.put("x", row.n)
        self.entries.remove("x")
        one = self.entries.has()
        self.entries.put("x", row.n)
        self.entries.clear()
        self.entries.put("x", row.n)
        self.entries.remove()
        return one, self.entries.has(), len(state.stores_of(self))

    assert set(said(emptied)) == {"(False, False, 0)"}


class CountsFloats:
    counts = state.Map("double", "bigint")

    def process(self, row: Row) -> list[tuple[int]]:
        self.counts.put(row.x, self.counts.get(row.x, 0) + 1)
        return [(self.counts.get(row.x),)]


def test_entries_of_a_map_are_equal_as_keys_are() -> None:
    made = flow("f", "k long, x double").key_by("k").apply(CountsFloats(), "seen long")
    floats = [math.nan, 0.0, float("nan"), -0.0, -math.nan]
    data = pa.table({"k": [1] * 5, "x": floats})
    assert made.run(data).table["seen"].to_pylist() == [1, 1, 2, 2, 3]
    stores = Stores("f", pa.schema([("k", pa.int64())]))
    stores.create_store("counts", "map<double, bigint>")
    stores.put("counts", 1, {math.nan: 5})
    stores.from_arrow(stores.to_arrow())
    assert list(stores.get("counts", 1)) == [NAN]


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (lambda self, _: self.value.put("x"), "state 'Recorded.value': 'x' does not fit bigint"),
        (lambda self, _: self.value.put(1.5), "state 'Recorded.value': 1.5 does not fit bigint"),
        (lambda self, _: self.items.append("x"), "state 'Recorded.items': 'x' does not fit bigint"),
        (lambda self, _: self.items.put([1, "x"]), "'Recorded.items': 'x' does not fit bigint"),
        (lambda self, _: self.entries.put(1, 1), "'Recorded.entries': 1 does not fit string"),
        (lambda self, _: self.entries.put("x", "y"), "'Recorded.entries': 'y' does not fit bigint"),
        (lambda self, _: self.entries.put(None, 1), "None cannot be an entry of a map"),
    ],
)
def test_a_value_of_another_type_fails_at_its_row(step: Any, words: str) -> None:
    def at_the_third(self: Recorded, row: Row) -> None:
        if row.n == 3:
            step(self, row)

    with pytest.raises(OperatorError, match=words) as raised:
        said(at_the_third)
    assert raised.value.row == 2


def test_stores_can_be_used_by_name_for_the_rows_own_key() -> None:
    def count(self: Recorded, row: Row) -> Any:
        stores = state.stores_of(self)
        stores.put("value", row.k, stores.get("value", row.k, 0) + 1)
        return stores.get("value", row.k), stores.has("items", row.k), self.value.get()

    assert said(count)[-2:] == ["(3, False, 3)", "(2, False, 2)"]


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (lambda stores: stores.get("value", "z"), "'z' is not the key of the row at hand"),
        (lambda stores: stores.put("value", "z", 1), "'z' is not the key of the row at hand"),
        (
            lambda stores: stores.iterate("value"),
            "other keys may be on other channels; a state.Map or",
        ),
        (
            lambda stores: stores.create_store("x", "int"),
            "stores are declared in its class, .* a state.Map takes",
        ),
        (
            lambda stores: stores.remove_store("value"),
            "stores are declared in its class, .* remove",
        ),
    ],
)
def test_what_several_channels_could_not_agree_on_is_refused(use: Any, words: str) -> None:
    with pytest.raises(OperatorError, match=f"operator 'apply_1': .*{words}"):
        said(lambda self, _: use(state.stores_of(self)))


class LeaksItsState(Recorded):
    leaked: Any = None

    def process(self, row: Row) -> list[tuple[str]]:
        type(self).leaked = self.value
        return super().process(row)


def test_state_cannot_be_used_outside_of_process() -> None:
    with pytest.raises(FlowError, match=r"'value' of Recorded is there only in a flow that runs"):
        _ = Recorded(print).value
    with pytest.raises(FlowError, match="Recorded has no stores"):
        state.stores_of(Recorded(print))
    leaks = LeaksItsState(lambda *_: "")
    flow("f", "k string, n long").key_by("k").apply(leaks, "said string").run(ROWS)
    leaked = LeaksItsState.leaked
    for use in (leaked.get, partial(leaked.put, 1), leaked.has, leaked.remove):
        with pytest.raises(FlowError, match=r"operator 'apply_1': state can be used only while"):
            use()


class Base:
    one = state.Value("int")
    two = state.Value("int")


class Derived(Base):
    two = None  # type: ignore[assignment]
    three = state.List("int", persistence="checkpointed")


def test_state_is_inherited_and_can_be_taken_back() -> None:
    found = declared_by(Derived())
    assert list(found) == ["one", "three"]
    assert found["three"].persistence == "checkpointed"


class Slotted:
    __slots__ = ()
    last = state.Value("int")

    def process(self, row: Row) -> None: ...


def test_an_operator_without_a_dict_is_refused() -> None:
    with pytest.raises(FlowError, match="Slotted has __slots__"):
        flow("f", "k string").key_by("k").apply(Slotted()).run(pa.table({"k": ["a"]}))


class Sessions:
    """Counts, sums and remembers what it saw: all kinds of state at once."""

    total = state.Value("double")
    recent = state.List("bigint")
    counts = state.Map("bigint", "bigint")

    def process(self, row: Row) -> Iterator[tuple[Any, ...]]:
        self.total.put(self.total.get(0.0) + row.n)
        self.recent.append(row.n)
        self.counts.put(row.n % 3, self.counts.get(row.n % 3, 0) + 1)
        if len(self.recent) == 4:
            yield row.k, self.total.get(), sum(self.recent), len(self.counts)
            self.recent.clear()
            if self.total.get() > 500:
                self.total.remove()


@pytest.mark.parametrize("model", MODELS)
def test_every_model_makes_the_same_rows(model: Any) -> None:
    draw = random.Random(4)
    data = pa.table(
        {
            "k": [draw.choice([None, "a", "b", "c"]) for _ in range(3000)],
            "n": [draw.randrange(50) for _ in range(3000)],
        }
    )
    sessions = (
        flow("f", "k string, n long")
        .key_by("k")
        .apply(Sessions(), "k string, total double, recent long, kinds int")
    )
    right = sessions.operators[0].process(data.combine_chunks().to_batches()[0])
    assert right is not None
    assert right.num_rows > 500
    made = sessions.threading(model).run(data, settings={"spark.penstock.tuple.rows": 7})
    assert made.to_pylist() == right.to_pylist()
