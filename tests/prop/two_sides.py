"""Rows of two sides, and flows over them run in some way that must not matter."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from tests.prop.comparison import EXAMPLES

from penstock import Flow, flow

START = flow("f", "side long, k string, ts long, v long")
SCHEMA = START.input_schema
LEFT = START.filter(pc.field("side") == 0).select("k", "ts", l=pc.field("v"))
RIGHT = START.filter(pc.field("side") == 1).select("k", "ts", r=pc.field("v"))
LONG = "long enough to lie elsewhere"

Row = dict[str, Any]
WAYS = st.sampled_from(
    [("manual", None), ("conveyor", 2), ("dynamic", 2), ("dedicated", None)],
)
often = settings(
    max_examples=EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)


@st.composite
def rows(draw: st.DrawFn, *, ascending: bool = False, scattered: bool = False) -> list[Row]:
    """Rows of both sides; times come again, and ascend if they must, from null or with null between."""
    key = st.sampled_from(["a", "b", "", LONG, None])
    time = st.none() | st.integers(0, 6)
    made = draw(st.lists(st.tuples(st.integers(0, 1), key, time), max_size=40))
    in_order = sorted(made, key=lambda row: (row[2] is not None, row[2] or 0, -row[0]))
    if scattered:
        known = (row for row in in_order if row[2] is not None)
        made = [row if row[2] is None else next(known) for row in made]
    elif ascending:
        made = in_order
    return [dict(side=s, k=k, ts=ts, v=v) for v, (s, k, ts) in enumerate(made)]  # noqa: C408


def run(made: Flow, given_rows: list[Row], data: st.DataObject) -> list[tuple[Any, ...]]:
    """Run a flow in some way: the result must not depend on it."""
    model, threads = data.draw(WAYS)
    if model != "manual":
        made = made.threading(model, threads=threads)  # type: ignore[arg-type]
    chosen = {
        "spark.penstock.tuple.rows": data.draw(st.integers(1, 17)),
        "spark.penstock.keyed.parts": data.draw(st.integers(1, 4)),
    }
    table = pa.Table.from_pylist(given_rows, made.input_schema)
    return [tuple(row.values()) for row in made.run(table, settings=chosen).to_pylist()]
