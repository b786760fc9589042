"""Every way to run a flow that must make no difference: who runs it, in what pieces and channels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from tests.prop.cases import Carriers
from tests.prop.engine import open_element

from penstock import Flow
from penstock.checkpoint import Checkpoint
from penstock.parallel import Region
from penstock.spec import FlowSpec
from penstock.threading_model import FIXED, MODELS
from penstock.wiring import graph_of

WIDTHS = (4, 2, 3, 1)
Remembered = Mapping[str, Mapping[Any, Mapping[str, Any]]]


@dataclass(frozen=True)
class Way:
    """How a flow is run.

    Attributes:
        model: Of threading.
        threads: How many, where that can be chosen.
        rows: Most rows of a tuple.
        changes: Whether each batch of the input finds other channels than the one before.
    """

    model: str
    threads: int
    rows: int
    changes: bool

    def __str__(self) -> str:
        return f"{self.model}-{self.threads}-{self.rows}-{'changes' if self.changes else 'steady'}"


WAYS = [
    *(
        Way(model, threads, rows, changes=True)
        for model in MODELS
        for threads in ((1,) if model in FIXED else (1, 2, 3))
        for rows in (1, 7, 1000)
    ),
    *(Way(model, 1 if model in FIXED else 2, 7, changes=False) for model in MODELS),
]


def run(flow: Flow, table: pa.Table, way: Way) -> tuple[list[dict[str, Any]], Remembered]:
    """Run a flow to its end: the rows it made, and what its operators remember by key."""
    # Only the model matters here; threads and tuples are given to the engine below.
    spec = FlowSpec.of(flow if way.model == "manual" else flow.threading(way.model))  # type: ignore[arg-type]
    regions = [one.name for one in flow.operators if isinstance(one, Region)]

    def batches() -> Iterator[pa.RecordBatch]:
        # A few tuples of each batch are whole, and the last one is not.
        for number, batch in enumerate(table.to_batches(max_chunksize=min(3 * way.rows + 2, 900))):
            if way.changes:
                for place, region in enumerate(regions):
                    element.set_channels(region, WIDTHS[(number + place) % len(WIDTHS)])
            yield batch

    element, reader = open_element(
        graph_of(spec),
        batches(),
        way.model,
        Carriers(way.threads, elastic=way.model == "automatic", capacity=8, levels=()),
        rows_per_tuple=way.rows,
        schemas=(spec.input_schema, spec.output_schema),
    )
    try:
        made = pa.Table.from_batches(reader, spec.output_schema).to_pylist()
        checkpoint = Checkpoint(spec, None, keep=True)
        checkpoint.save(element)
        return made, {name: remembered(state) for name, state in checkpoint.states.items()}
    finally:
        element.close()


def remembered(state: pa.Table) -> dict[Any, dict[str, Any]]:
    """By key, what there is in each store."""
    key, *stores = state.schema.names
    found = {
        row[key]: {name: row[name]["value"] for name in stores if row[name] is not None}
        for row in state.to_pylist()
    }
    assert len(found) == state.num_rows, "no key is in two channels"
    return found
