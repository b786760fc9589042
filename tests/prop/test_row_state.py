"""Python operators with state on channels that come and go: rows, failures and state of one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.prop.comparison import EXAMPLES

from penstock import Elastic, flow, state
from penstock.checkpoint import _states_of
from penstock.flow import Flow
from penstock.loops.stopping import Stop
from penstock.row_body import RowBody
from penstock.row_operator import KeyedRows
from penstock.rows import Row
from penstock.spec import FlowSpec
from penstock.threading_model import MODELS
from penstock.worker import _open, _reader_of, _Source

MOST = 8
WIDTHS = (1, 4, 2, 3, 8, 1)
FORBIDDEN = 99
# Few of each, so that keys come again; the first of each is the one that is hot.
KEYS: dict[str, tuple[Any, ...]] = {
    "long": (0, None, -1, 1, 2**40, 7, 8, 9),
    "string": ("a", None, "", "b", "long enough to lie elsewhere"),
    "double": (math.nan, None, 0.0, -0.0, 1.5, math.inf),
}
OUT = "place long, total double, recent array<long>, kinds int"


class Remembers:
    """Uses every kind of state, forgets now and then, and makes 0 to 2 rows of a row."""

    total = state.Value("double")
    recent = state.List("bigint")
    kinds = state.Map("string", "bigint")

    def process(self, row: Row) -> Iterator[dict[str, Any]]:
        if row.n == FORBIDDEN:
            raise ValueError("forbidden")
        self.total.put(self.total.get(0.0) + row.n)
        self.recent.append(row.n)
        self.kinds.put(str(row.n % 3), None if row.n % 5 == 0 else row.n)
        for _ in range(row.n % 3):
            yield {
                "place": row.place,
                "total": self.total.get(),
                "recent": self.recent.get(),
                "kinds": len(self.kinds),
            }
        if len(self.recent) == 4:
            self.recent.clear()
        if row.n % 7 == 0:
            self.total.remove()
            self.kinds.remove("0")


@dataclass(frozen=True)
class Case:
    """Rows, and how they are run."""

    schema: str
    keys: tuple[str, ...]
    batch: pa.RecordBatch
    rows_per_tuple: int
    widths: tuple[int, ...]
    threads: int

    def flow(self, *, region: bool) -> Flow:
        """The operator alone, or on channels."""

        def body(rows: Flow) -> Flow:
            return rows.key_by(*self.keys).apply(Remembers(), OUT, name="memory")

        start = flow("f", self.schema)
        if not region:
            return body(start)
        return start.parallel(body, by=self.keys, channels=Elastic(1, MOST), name="r")


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Rows with one hot key of one or two columns."""
    kinds = draw(st.lists(st.sampled_from(list(KEYS)), min_size=1, max_size=2, unique=True))
    rows = draw(st.integers(0, 120))
    hot = draw(st.integers(0, 9))
    columns: dict[str, Any] = {
        kind: [
            KEYS[kind][0] if draw(st.integers(0, 9)) < hot else draw(st.sampled_from(KEYS[kind]))
            for _ in range(rows)
        ]
        for kind in kinds
    }
    columns["n"] = [draw(st.integers(0, FORBIDDEN)) for _ in range(rows)]
    columns["place"] = list(range(rows))
    schema = ", ".join([*(f"{kind} {kind}" for kind in kinds), "n long", "place long"])
    return Case(
        schema,
        tuple(kinds),
        pa.RecordBatch.from_pydict(columns, flow("f", schema).schema),
        draw(st.sampled_from((1, 3, 16, 64))),
        draw(st.just(WIDTHS) | st.lists(st.integers(1, MOST), max_size=9).map(tuple)),
        draw(st.integers(1, 4)),
    )


def run(case: Case, model: Any) -> tuple[list[Any], tuple[str, int] | None, pa.Table | None]:
    """Run a case, asking for other channels between reads: rows, what failed, and the state."""
    made = case.flow(region=True)
    made = made.threading(model, threads=None if model in ("manual", "dedicated") else case.threads)
    rows_of_a_tuple = {"spark.penstock.tuple.rows": case.rows_per_tuple}
    spec = FlowSpec.of(made, rows_of_a_tuple)
    pieces = pa.Table.from_batches([case.batch]).to_batches(max_chunksize=29)
    element = _open(spec, _Source(spec, iter(pieces)), Stop(), observe=False, trace="")
    rows: list[Any] = []
    try:
        reader = _reader_of(element)
        reads = 0
        while True:
            if case.widths:
                element.set_channels("r", case.widths[reads % len(case.widths)])
            reads += 1
            try:
                rows += reader.read_next_batch().to_pylist()
            except StopIteration:
                return rows, None, _states_of(element)["memory"]
            except (pa.ArrowException, OSError):
                failure = element.failure()
                assert failure is not None
                assert isinstance(failure.exception, ValueError)
                return rows, (failure.operator, failure.row), None
    finally:
        element.close()


def by_key(table: pa.Table | pa.RecordBatch) -> list[str]:
    """The rows of a state in an order that does not depend on channels; NaN is itself."""
    return sorted(map(repr, table.to_pylist()))


@pytest.mark.parametrize("model", MODELS)
@settings(
    max_examples=EXAMPLES // 2,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(case=cases())
def test_channels_that_change_make_the_rows_and_the_state_of_one(model: str, case: Case) -> None:
    alone = case.flow(region=False).operators[0]
    assert isinstance(alone, KeyedRows)
    body = RowBody(alone)
    right = body.process(case.batch)
    rows, failure, held = run(case, model)
    assert rows == ([] if right.batch is None else right.batch.to_pylist())
    if right.failure is not None:
        assert failure == ("memory", right.failed_at)
    else:
        assert failure is None
        assert body.stores is not None
        assert held is not None
        assert by_key(held) == by_key(body.stores.to_arrow())


class Unsaveable:
    """Remembers text that Arrow cannot hold, which shows when it has to move."""

    last = state.Value("string")

    def process(self, row: Row) -> Iterator[Row]:
        self.last.put("\ud800")
        yield row


@pytest.mark.parametrize("model", MODELS)
def test_state_that_cannot_move_fails_the_flow_and_loses_no_row_before(model: Any) -> None:
    made = flow("f", "k long").parallel(
        lambda rows: rows.key_by("k").apply(Unsaveable(), name="memory"),
        by="k",
        channels=Elastic(1, MOST),
        name="r",
    )
    spec = FlowSpec.of(made.threading(model), {"spark.penstock.tuple.rows": 3})
    batches = pa.table({"k": list(range(3000))}).to_batches(max_chunksize=20)
    element = _open(spec, _Source(spec, iter(batches)), Stop(), observe=False, trace="")
    rows: list[int] = []
    try:
        reader = _reader_of(element)
        rows += reader.read_next_batch()["k"].to_pylist()
        element.set_channels("r", 4)
        with pytest.raises((pa.ArrowException, OSError)):
            rows.extend(n for batch in reader for n in batch["k"].to_pylist())
        failure = element.failure()
        assert failure is not None
        assert "operator 'memory': store 'last' holds '\\ud800'" in str(failure.exception)
        assert rows == list(range(len(rows)))
    finally:
        element.close()
