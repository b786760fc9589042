"""Regions whose number of channels changes while rows flow, because an operator asks for it."""

from __future__ import annotations

import itertools

import pyarrow as pa
from tests.prop.cases import Carriers
from tests.prop.engine import open_element
from tests.prop.region_cases import WIDTHS

from penstock import Flow, _native
from penstock.spec import FlowSpec
from penstock.wiring import graph_of


class Asking:
    """Asks for another number of channels of region 'r' with every few tuples, on any thread."""

    def __init__(self, every: int = 5) -> None:
        self.element: _native.ProcessingElement | None = None
        self._widths = itertools.cycle(width for width in WIDTHS for _ in range(every))

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        if self.element is not None:
            self.element.set_channels("r", next(self._widths))
        return batch

    def run(
        self,
        made: Flow,
        table: pa.Table,
        model: str,
        threads: int,
        *,
        rows_per_tuple: int,
        controller: str = "",
    ) -> pa.Table:
        """Run a flow that has this among its functions to its end; elastic with a controller."""
        if model != "manual":
            made = made.threading(model)  # type: ignore[arg-type]
        spec = FlowSpec.of(made)
        self.element, reader = open_element(
            graph_of(spec),
            iter(table.to_batches()),
            model,
            Carriers(
                threads=threads,
                capacity=8,
                elastic=controller != "",
                levels=(),
                controller=controller or "throughput",
            ),
            rows_per_tuple=rows_per_tuple,
            schemas=(spec.input_schema, spec.output_schema),
        )
        try:
            return reader.read_all()
        finally:
            self.element.close()
            self.element = None
