"""Several results of flows with the same beginning, which is run once for all of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from penstock.errors import FlowError
from penstock.library.branches import as_branch, come_together
from penstock.loops.layout import Layout
from penstock.result import Result
from penstock.schema import quote

if TYPE_CHECKING:
    from penstock.flow import Flow

TAG = "penstock_output"


class DataFrames(dict[str, Any]):
    """A DataFrame for each output.

    Attributes:
        whole: The DataFrame that all of them are filtered from. Every action on one of them runs
            the flow anew, unless this is persisted before.
    """

    def __init__(self, whole: Any, parts: dict[str, Any]) -> None:
        super().__init__(parts)
        self.whole = whole


class Outputs:
    """Flows that are run together; made by `penstock.outputs`.

    Attributes:
        flow: What is run: one flow that makes the rows of all of them.
    """

    def __init__(self, flow: Flow, layout: Layout) -> None:
        self.flow = flow
        self._layout = layout

    def run(self, data: Any = None, **options: Any) -> dict[str, Result]:
        """Run all of them here, without Spark; takes what `Flow.run` takes."""
        made = self.flow.run(data, **options)
        return {port: self._result(made, number) for number, port in enumerate(self._names)}

    def __call__(self, df: Any = None, **inputs: Any) -> DataFrames:
        """Apply all of them to a DataFrame, or to one for each input; takes what a flow takes."""
        whole = self.flow(df, **inputs)
        tag = quote(self._layout.schema.names[0])
        parts = {}
        for number, (port, schema) in enumerate(self._layout.ports):
            columns = [
                f"{quote(self._layout.schema.names[place], always=True)} AS "
                f"{quote(name, always=True)}"
                for place, name in zip(self._layout.places(port), schema.names, strict=True)
            ]
            parts[port] = whole.where(f"{tag} = {number}").selectExpr(*columns)
        return DataFrames(whole, parts)

    def _repr_html_(self) -> str:
        return self.flow._repr_html_()

    @property
    def _names(self) -> list[str]:
        return [name for name, _ in self._layout.ports]

    def _result(self, made: Result, number: int) -> Result:
        _, schema = self._layout.ports[number]
        batches = []
        for batch in made.batches:
            rows = batch.filter(pc.equal(batch.column(0), pa.scalar(number, pa.int8())))
            if rows.num_rows:
                columns = [rows.column(place) for place in self._layout.columns[number]]
                batches.append(pa.RecordBatch.from_arrays(columns, schema=schema))
        return replace(made, schema=schema, batches=tuple(batches))


def outputs(**flows: Flow) -> Outputs:
    """Run several flows with the same beginning at once; what they have in common runs once.

    Called with a DataFrame, or one for each input, it gives a DataFrame for each, by name; `run`
    gives a result for each, in the order that it has alone.

    >>> import penstock, pyarrow.compute as pc
    >>> big, rest = penstock.flow("f", "n long").split(pc.field("n") > 10)
    >>> made = penstock.outputs(big=big, rest=rest).run(pa.table({"n": [1, 20, 3]}))
    >>> made["big"].table["n"].to_pylist(), made["rest"].table["n"].to_pylist()
    ([20], [1, 3])
    """
    if not flows:
        raise FlowError("outputs needs flows by name, as in outputs(matched=one, rest=other)")
    first = next(iter(flows.values()))
    if not callable(getattr(first, "_then", None)):
        raise FlowError(f"outputs takes flows, got {type(first).__name__}")
    each = [as_branch("outputs", first, one) for one in flows.values()]
    common, parted = come_together("outputs", each, None)
    try:
        layout = Layout.of({port: one.schema for port, one in flows.items()}, TAG)
    except FlowError as error:
        raise FlowError(f"flow '{first.name}', outputs: {error}") from None
    tagging = layout.tags(parted.name)
    branches = tuple((*branch, tag) for branch, tag in zip(parted.branches, tagging, strict=True))
    whole = replace(parted, output=layout.schema, branches=branches)
    return Outputs(common._then("outputs", whole.name, lambda _given, _name: whole), layout)
