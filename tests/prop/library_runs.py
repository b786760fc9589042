"""Flows with operators of the library on random tuples, threads and channels that come and go."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st
from tests.prop.cases import Carriers
from tests.prop.engine import open_element
from tests.prop.region_cases import WIDTHS

from penstock import Elastic, Flow, _native, flow
from penstock.spec import FlowSpec
from penstock.wiring import graph_of

MODELS = ("manual", "conveyor", "dynamic")


@dataclass(frozen=True)
class Run:
    """How a flow is run: by whom, on how long tuples, on how many parts."""

    model: str
    rows_per_tuple: int
    parts: int

    def of(self, made: Flow, table: pa.Table) -> pa.Table:
        """What the flow makes of a table."""
        if self.model != "manual":
            made = made.threading(self.model, threads=2)  # type: ignore[arg-type]
        chosen = {
            "spark.penstock.tuple.rows": self.rows_per_tuple,
            "spark.penstock.keyed.parts": self.parts,
        }
        return made.run(table, settings=chosen).table


RUNS = st.builds(Run, st.sampled_from(MODELS), st.integers(1, 17), st.integers(1, 5))


def referred(made: Flow, table: pa.Table) -> pa.RecordBatch:
    """What the one operator of a flow says that it makes of all rows at once."""
    whole = table.combine_chunks().to_batches()
    batch = whole[0] if whole else pa.RecordBatch.from_pylist([], table.schema)
    [operator] = made.operators
    done = operator.process(batch)
    assert done is not None
    return done


def in_two_runs(made: Flow, table: pa.Table, cut: int) -> list[dict[str, Any]]:
    """Run a flow on the first rows, and then, with what it remembers, on the others."""
    first = made.run(table.slice(0, cut), checkpoint=True)
    second = made.run(table.slice(cut), restore=first.states)
    return [*first.to_pylist(), *second.to_pylist()]


def on_changing_channels(schema: pa.Schema, add: Any, table: pa.Table, run: Run) -> pa.Table:
    """Run operators in a region by `k` that gets another number of channels with each tuple."""
    element: list[_native.ProcessingElement] = []
    widths = itertools.cycle(WIDTHS)

    def ask(batch: pa.RecordBatch) -> pa.RecordBatch:
        if element:
            element[0].set_channels("r", next(widths))
        return batch

    made = flow("f", schema).map(ask, name="ask")
    made = made.parallel(add, by="k", channels=Elastic(1, 8), name="r")
    if run.model != "manual":
        made = made.threading(run.model, threads=2)  # type: ignore[arg-type]
    spec = FlowSpec.of(made)
    opened, reader = open_element(
        graph_of(spec),
        iter(table.to_batches()),
        run.model,
        Carriers(threads=2, capacity=8, elastic=False, levels=()),
        rows_per_tuple=run.rows_per_tuple,
        schemas=(spec.input_schema, spec.output_schema),
    )
    element.append(opened)
    try:
        return reader.read_all()
    finally:
        opened.close()
        element.clear()
