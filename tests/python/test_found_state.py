"""Plain operators whose source proves a key: they run by it, on channels that come and go."""

from __future__ import annotations

import itertools
import pickle
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pytest
from tests.prop.cases import Carriers
from tests.prop.engine import open_element

from penstock import Elastic, Flow, flow
from penstock.errors import FlowError
from penstock.row_calls import StateCalls
from penstock.rows import row_class
from penstock.spec import FlowSpec
from penstock.wiring import graph_of

SCHEMA = "k string, t timestamp, x double, v bigint"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Threshold:
    """Passes a row on if its value differs enough from the last one of its key."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.last: dict[str, int] = {}

    def process(self, row: Any) -> Iterator[Any]:
        previous = self.last.get(row.k)
        if previous is None or abs(row.v - previous) > self.limit:
            yield row
        self.last[row.k] = row.v


class Counts:
    """Counts rows by two columns, one of them a time."""

    def __init__(self) -> None:
        self.seen: Counter[Any] = Counter()

    def process(self, row: Any) -> Iterator[Any]:
        self.seen[row.k, row.t] += 1
        yield (row.k, row.t, row.x, self.seen[row.k, row.t])


class Window:
    """The row before the last two of its key, and how many there are of them."""

    def __init__(self) -> None:
        self.rows: defaultdict[Any, deque[Any]] = defaultdict(deque)

    def process(self, row: Any) -> Iterator[Any]:
        window = self.rows[row.x]
        window.append(row)
        if len(window) > 2:
            yield window.popleft()


class InTuple:
    """Indexes by a tuple of one column."""

    def __init__(self) -> None:
        self.seen: dict[Any, int] = {}

    def process(self, row: Any) -> Iterator[Any]:
        self.seen[(row.k,)] = self.seen.get((row.k,), 0) + 1
        yield (row.k, row.t, row.x, self.seen[(row.k,)])


class Total:
    """Adds up everything: there is no key."""

    def __init__(self) -> None:
        self.total = 0

    def process(self, row: Any) -> Iterator[Any]:
        self.total += row.v
        yield (row.k, row.t, row.x, self.total)


class Twice:
    """Remembers nothing."""

    def process(self, row: Any) -> Iterator[Any]:
        yield row
        yield row


def table(rows: int = 400) -> pa.Table:
    numbers = [(7 * n * n + 3 * n) % 101 for n in range(rows)]
    return pa.table(
        {
            "k": [None if n % 11 == 0 else f"k{n % 7}" for n in numbers],
            "t": pa.array(
                [NOW + timedelta(seconds=n % 5) for n in numbers], pa.timestamp("us", "UTC")
            ),
            "x": [float("nan") if n % 13 == 0 else -0.0 if n % 4 == 0 else n % 4 for n in numbers],
            "v": pa.array(numbers, pa.int64()),
        }
    )


def by_hand(operator: Any, data: pa.Table) -> list[tuple[Any, ...]]:
    row = row_class(data.schema.names)
    return [
        tuple(made)
        for values in zip(*(column.to_pylist() for column in data.columns), strict=True)
        for made in operator.process(row(values))
    ]


def rows_of(made: pa.Table) -> list[tuple[Any, ...]]:
    return list(zip(*(column.to_pylist() for column in made.columns), strict=True))


CASES = {
    "threshold": (Threshold(9), "k"),
    "counts": (Counts(), ("k", "t")),
    "window": (Window(), "x"),
    "tuple": (InTuple(), "k"),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("model", ["manual", "dedicated", "dynamic", "conveyor", "automatic"])
def test_it_makes_the_same_rows_on_any_number_of_channels(name: str, model: Any) -> None:
    operator, by = CASES[name]
    data = table()
    right = repr(by_hand(type(operator)(*([9] if name == "threshold" else [])), data))

    def inside(rows: Flow) -> Flow:
        return rows.apply(operator, name="op")

    for channels in (1, 3):
        made = flow("f", SCHEMA).parallel(inside, by=by, channels=channels)
        if model != "manual":
            made = made.threading(model)
        result = made.run(data, settings={"spark.penstock.tuple.rows": 7})
        assert repr(rows_of(result.table)) == right, channels
    alone = flow("f", SCHEMA).apply(operator).run(data)
    assert repr(rows_of(alone.table)) == right


@pytest.mark.parametrize("name", CASES)
def test_its_state_follows_the_keys_when_channels_come_and_go(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    widths: set[int] = set()
    moved: list[int] = []
    donate = StateCalls.donate

    def noted(self: StateCalls, channels: int, own: int, out: int) -> list[tuple[int, int]]:
        shares = donate(self, channels, own, out)
        widths.add(channels)
        moved.extend(keys for _, keys in shares)
        return shares

    monkeypatch.setattr(StateCalls, "donate", noted)
    operator, by = CASES[name]
    data = table(900)
    right = repr(by_hand(type(operator)(*([9] if name == "threshold" else [])), data))
    made = flow("f", SCHEMA).parallel(
        lambda rows: rows.apply(operator, name="op"), by=by, channels=Elastic(1, 8), name="r"
    )
    spec = FlowSpec.of(made.threading("conveyor", threads=2))
    carriers = Carriers(threads=2, capacity=4, elastic=False, levels=())
    element, reader = open_element(
        graph_of(spec),
        iter(data.to_batches(max_chunksize=20)),
        "conveyor",
        carriers,
        rows_per_tuple=5,
        schemas=(spec.input_schema, spec.output_schema),
    )
    batches = []
    try:
        for width in itertools.cycle([4, 2, 3, 8, 1]):
            element.set_channels("r", width)
            batches.append(reader.read_next_batch())
    except StopIteration:
        pass
    finally:
        element.close()
    assert repr(rows_of(pa.Table.from_batches(batches, spec.output_schema))) == right
    assert len(widths) > 2, "the number of channels has changed"
    assert sum(moved) > 2, "keys have moved"


def test_explain_says_the_key_and_where_it_was_found() -> None:
    text = flow("f", SCHEMA).apply(Threshold(9), name="op").explanation()
    assert "kind     keyed, holds the GIL" in text
    assert "found    keyed by k: state 'last' is always indexed by row.k" in text


def test_explain_says_the_line_that_leaves_an_operator_serial() -> None:
    text = flow("f", SCHEMA).apply(Total(), name="op").explanation()
    assert "kind     stateful, holds the GIL" in text
    assert "of Total.process, `self.total += row.v`, changes 'total'" in text
    assert "op: serial: line" in text


def test_an_operator_that_remembers_nothing_is_stateless() -> None:
    made = flow("f", SCHEMA).apply(Twice())
    assert made.operators[0].kind == "stateless"
    assert made.run(table(3)).num_rows == 6


def test_one_that_finishes_stays_serial() -> None:
    class Last(Threshold):
        def finish(self) -> Iterator[Any]:
            yield ("end", NOW, 0.0, len(self.last))

    made = flow("f", SCHEMA).apply(Last(9), name="op")
    assert made.operators[0].kind == "stateful"
    assert "Last.finish is called once, behind the rows of all keys" in made.explanation()


def test_key_by_takes_a_plain_operator_that_goes_by_the_same_key() -> None:
    made = flow("f", SCHEMA).key_by("k").apply(Threshold(9))
    assert repr(rows_of(made.run(table()).table)) == repr(by_hand(Threshold(9), table()))


@pytest.mark.parametrize("key", ["x", "t"])
def test_key_by_refuses_a_plain_operator_of_another_key(key: str) -> None:
    with pytest.raises(FlowError, match="what Threshold remembers could not follow its keys"):
        flow("f", SCHEMA).key_by(key).apply(Threshold(9))


def test_key_by_refuses_a_plain_operator_without_a_key() -> None:
    with pytest.raises(FlowError, match=r"declare it with penstock\.state, or apply it"):
        flow("f", SCHEMA).key_by("k").apply(Total())


def test_a_key_that_cannot_be_one_leaves_the_operator_serial() -> None:
    class ByList:
        def __init__(self) -> None:
            self.last: dict[Any, Any] = {}

        def process(self, row: Any) -> Iterator[Any]:
            self.last[row.tags] = 1
            yield row

    made = flow("f", "tags array<string>").apply(ByList(), name="op")
    assert made.operators[0].kind == "stateful"
    assert "serial: " in made.explanation()


def test_a_row_that_is_remembered_can_be_pickled() -> None:
    row = row_class(["a", "b"])((1, "x"))
    again = pickle.loads(pickle.dumps(row))
    assert (again.a, again["b"], type(again)) == (1, "x", type(row))
