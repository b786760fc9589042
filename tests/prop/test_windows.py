"""Windows on random rows, lengths, tuples and threads, compared with SQL and with plain Python."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.prop.asking import Asking
from tests.prop.comparison import EXAMPLES
from tests.prop.window_oracles import (
    Lengths,
    by_key,
    late_rows,
    rows_in_sql,
    sessions_in_sql,
    time_in_sql,
)

from penstock import Elastic, Flow, agg, flow, windows
from penstock.library.window_aggregate import WindowAggregate

SECONDS, INT = pa.timestamp("s"), pa.int64()
AGGREGATES: dict[str, Any] = {
    "rows": agg.count(),
    "count": agg.count("v"),
    "sum": agg.sum("v"),
    "min": agg.min("v"),
    "max": agg.max("v"),
    "mean": agg.mean("v"),
    "first": agg.first("v"),
    "last": agg.last("v"),
}
KINDS = ("rows", "time", "gap", "delta", "sliding_delta")
MODELS = ("manual", "conveyor", "dynamic", "automatic")
LIMITS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


# Sums of quarters are exact, so that they are the same in whatever order they are added up.
QUARTERS = st.integers(-400, 400).map(lambda n: n / 4)
VALUES = {pa.int64(): st.integers(-100, 100), pa.float64(): QUARTERS}
ODD = QUARTERS | st.sampled_from([math.nan, math.inf, -math.inf])


@st.composite
def tables(draw: st.DrawFn, *, odd: bool = False) -> pa.Table:
    """Draw rows whose time goes on, more or less, with nulls and ties.

    Args:
        draw: Hypothesis' own.
        odd: Whether doubles may be infinite, or no number.
    """
    count = draw(st.integers(0, 50))
    steps = draw(st.lists(st.integers(-4, 8), min_size=count, max_size=count))
    times = [t - 20 for t in itertools.accumulate(steps)]
    kind = draw(st.sampled_from(list(VALUES)))
    known = ODD if odd and kind == pa.float64() else VALUES[kind]
    values = draw(st.lists(st.none() | known, min_size=count, max_size=count))
    keys = draw(st.lists(st.sampled_from(["a", "b", "", None]), min_size=count, max_size=count))
    nulls = draw(st.sets(st.integers(0, 50), max_size=5))
    places = [None if i in nulls else t for i, t in enumerate(times)]
    types = {"k": pa.string(), "t": pa.int64(), "v": kind}
    columns = zip([keys, places, values], types.values(), strict=True)
    return pa.table([pa.array(c, t) for c, t in columns], schema=pa.schema(types.items()))


def windows_of(kind: str, by: Lengths) -> windows.Windows:
    """The same lengths as a user says them."""
    if kind == "rows":
        return windows.sliding(rows=by.size, every=by.every)
    if kind == "delta":
        return windows.tumbling(delta=by.size, on="t")
    if kind == "sliding_delta":
        return windows.sliding(delta=by.size, every=by.every, on="t")
    late = None if by.watermark is None else f"{by.watermark} s"
    if kind == "gap":
        return windows.session(gap=f"{by.size} s", on="t", watermark=late)
    size, every, offset = f"{by.size} s", f"{by.every} s", f"{by.offset} s"
    return windows.sliding(time=size, every=every, on="t", offset=offset, watermark=late)


def flow_of(
    kind: str, by: Lengths, *, flush: bool, keyed: bool = True, value: pa.DataType = INT
) -> Flow:
    """Windows of that kind; times are seconds."""
    types = {"k": pa.string(), "t": SECONDS if kind in {"time", "gap"} else pa.int64()}
    given = flow("f", pa.schema([*types.items(), ("v", value)]))
    start = given.key_by("k") if keyed else given
    return start.window(windows_of(kind, by), flush=flush).agg(**AGGREGATES, name="w")


def as_given(table: pa.Table, made: Flow) -> pa.Table:
    """The rows as the flow wants them."""
    return table.cast(made.input_schema)


def rows_of(table: pa.Table) -> list[tuple[Any, ...]]:
    """Rows with bounds as numbers."""
    plain = [
        column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column
        for column in table.columns
    ]
    return list(zip(*(column.to_pylist() for column in plain), strict=True))


def told_of(table: pa.Table) -> list[str]:
    """Rows as texts, in which NaN is like NaN."""
    return list(map(repr, rows_of(table)))


def threaded(data: st.DataObject, made: Flow) -> tuple[Flow, dict[str, object]]:
    """Draw who runs it and how long tuples are."""
    model = data.draw(st.sampled_from(MODELS))
    if model != "manual":
        made = made.threading(model, threads=2)  # type: ignore[arg-type]
    return made, {
        "spark.penstock.tuple.rows": data.draw(st.integers(1, 17)),
        "spark.penstock.keyed.parts": data.draw(st.integers(1, 5)),
    }


def lengths(data: st.DataObject, kind: str) -> Lengths:
    """Draw lengths; time has a watermark or none."""
    size = data.draw(st.integers(1, 12))
    least = 0 if "delta" in kind else 1
    every = data.draw(st.integers(least, size))
    if kind not in {"time", "gap"}:
        return Lengths(size, every)
    late = data.draw(st.none() | st.integers(0, 10))
    return Lengths(size, every, data.draw(st.integers(0, 20)) if kind == "time" else 0, late)


@pytest.mark.parametrize("kind", ["rows", "time", "gap"])
@LIMITS
@given(data=st.data())
def test_windows_of_a_whole_input_are_those_of_sql(kind: str, data: st.DataObject) -> None:
    table, by = data.draw(tables()), lengths(data, kind)
    by = Lengths(by.size, by.every, by.offset)
    value = table.schema.field("v").type
    made, chosen = threaded(data, flow_of(kind, by, flush=True, value=value))
    oracle = {"rows": rows_in_sql, "time": time_in_sql, "gap": sessions_in_sql}[kind]
    assert rows_of(made.run(as_given(table, made), settings=chosen).table) == oracle(table, by)


@pytest.mark.parametrize("kind", ["time", "gap", "delta", "sliding_delta"])
@LIMITS
@given(data=st.data())
def test_windows_close_where_they_should(kind: str, data: st.DataObject) -> None:
    table, by = data.draw(tables()), lengths(data, kind)
    if kind in {"time", "gap"} and by.watermark is None:
        by = Lengths(by.size, by.every, by.offset, 0)
    flush, value = data.draw(st.booleans()), table.schema.field("v").type
    made, chosen = threaded(data, flow_of(kind, by, flush=flush, value=value))
    run = made.run(as_given(table, made), settings=chosen)
    assert rows_of(run.table) == by_key(table, kind, by, flush=flush)
    assert run.metrics is not None
    assert run.metrics.operator("w").late == late_rows(table, kind, by)


@LIMITS
@given(data=st.data())
def test_the_definition_the_engine_and_two_runs_agree(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(KINDS))
    by, keyed = lengths(data, kind), data.draw(st.booleans())
    flush = (kind in {"time", "gap"} and by.watermark is None) or data.draw(st.booleans())
    given = data.draw(tables(odd=True))
    value = given.schema.field("v").type
    made, chosen = threaded(data, flow_of(kind, by, flush=flush, keyed=keyed, value=value))
    table = as_given(given, made)
    operator = made.operators[0]
    assert isinstance(operator, WindowAggregate)
    batches = table.combine_chunks().to_batches()
    wanted = told_of(pa.Table.from_batches(map(operator.process, batches), made.schema))
    assert told_of(made.run(table, settings=chosen).table) == wanted
    if flush:
        return
    cut = data.draw(st.integers(0, table.num_rows))
    first = made.run(table.slice(0, cut), settings=chosen, checkpoint=True)
    second = made.run(table.slice(cut), settings=chosen, restore=first.states)
    assert told_of(first.table) + told_of(second.table) == wanted


class Noting(Asking):
    """Also takes note of the channels that made something of each tuple, on one thread."""

    def __init__(self) -> None:
        super().__init__(every=3)
        self.channels = [0]

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        if self.element is not None:
            self.channels.append(0)
        return super().__call__(batch)

    def note(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        self.channels[-1] += 1
        return batch


@pytest.mark.parametrize(("model", "threads"), [("manual", 1), ("dynamic", 2)])
@pytest.mark.parametrize("kind", KINDS)
def test_windows_go_on_whatever_channel_a_key_is_on(kind: str, model: str, threads: int) -> None:
    by = Lengths(2, 2, 0, 5) if kind == "gap" else Lengths(9, 4, 0, 5 if kind == "time" else None)
    alone = flow_of(kind, by, flush=True)
    count = 2000
    data = {
        "k": [f"key {i * i % 37}" for i in range(count)],
        "t": [i // 9 + i * 7 % 13 for i in range(count)],
        "v": [i if i % 5 else None for i in range(count)],
    }
    table = as_given(pa.table(data), alone)
    asking = Noting()

    def gathered(rows: Flow) -> Flow:
        gathering = rows.key_by("k").window(windows_of(kind, by), flush=True)
        return gathering.agg(**AGGREGATES).map(asking.note)

    made = flow("f", alone.input_schema).map(asking)
    made = made.parallel(gathered, by="k", channels=Elastic(1, 8), name="r")
    result = asking.run(made, table, model, threads, rows_per_tuple=16)
    wanted = rows_of(alone.run(table).table)
    assert len(wanted) > 100
    assert rows_of(result) == wanted
    if model == "manual":
        busiest = max(asking.channels[:-1])  # at the end all of them make something
        assert busiest > 1, "the number of channels has changed"
