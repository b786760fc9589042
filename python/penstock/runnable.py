"""What a finished flow does: tell what it is, run here, run in Spark."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa

from penstock.errors import FlowError
from penstock.explain import explanation
from penstock.loops.inputs import UNSAID, one_input
from penstock.result import Result
from penstock.run_metrics import RunMetrics
from penstock.runs import of_flow

if TYPE_CHECKING:
    from penstock.flow import Flow


class Runnable:
    """The part of a flow that describes nothing more."""

    def explanation(self) -> str:
        """Describe operators, ports, kinds, schemas and who holds the GIL; the same every run."""
        return explanation(self._flow)

    def explain(self) -> None:
        """Print `explanation()`."""
        sys.stdout.write(self.explanation() + "\n")

    @property
    def metrics(self) -> RunMetrics | None:
        """What the last run of this flow on Spark did; None before one has ended.

        Of any DataFrame that this very object was applied to, by this process. It never waits. See
        `penstock.last_run` for that of one DataFrame, and `run(...).metrics` without Spark.
        """
        return of_flow(self)

    def to_svg(self) -> str:
        """Draw the flow, as a picture that stands alone: for a file, or a page of one's own.

        A notebook draws a flow by itself when it is the last thing in a cell.
        """
        from penstock.drawing.sheet import flow_svg  # noqa: PLC0415 - few runs are drawn

        return flow_svg(self._flow, alone=True)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        from penstock.drawing.page import flow_html  # noqa: PLC0415 - few runs are drawn

        return flow_html(self._flow)

    def run(
        self,
        data: Any = None,
        *,
        settings: Mapping[str, object] | None = None,
        trace: str | PathLike[str] | None = None,
        restore: Mapping[str, pa.Table] | None = None,
        checkpoint: bool = False,
        progress: bool = False,
        order_by: str | Sequence[str] | None = UNSAID,
        **inputs: Any,
    ) -> Result:
        """Run the flow here, without Spark, and collect what it makes.

        Args:
            data: A pyarrow Table, RecordBatch or RecordBatchReader, an iterable of
                RecordBatch, or anything with `__arrow_c_stream__`.
            settings: `spark.penstock.*` settings of this run.
            trace: A file to write what each thread ran when, for https://ui.perfetto.dev or
                chrome://tracing; a file of that name is replaced.
            restore: What operators remember from the beginning, by the name of the operator:
                the `states` of an earlier result, whatever number of channels that run had.
            checkpoint: Keep what operators remember by key in the end, as `states` of the result;
                of state in Python what is declared with `persistence="checkpointed"`.
            progress: Show rows, throughput, threads and the busiest operators while it runs: on a
                terminal as a picture that moves, elsewhere as a line every other second.
            order_by: Columns in whose order the rows of several inputs come, null first and equal
                ones by input; None for one input behind the other.
            inputs: Data for each input, instead of `data`, if `penstock.inputs` started the flow.

        >>> from penstock import agg, flow
        >>> seen = flow("f", "host string").key_by("host").running(seen=agg.count(), name="seen")
        >>> first = seen.run(pa.table({"host": ["a", "b", "a"]}), checkpoint=True)
        >>> seen.run(pa.table({"host": ["a"]}), restore=first.states).to_pylist()
        [{'host': 'a', 'seen': 3}]
        """
        from penstock.local import run  # noqa: PLC0415 - a description needs no engine

        data = self._given(data, inputs, order_by, None)
        return run(
            self._flow,
            data,
            settings,
            trace,
            restore=restore,
            checkpoint=checkpoint,
            progress=progress,
        )

    def stream(
        self,
        data: Any,
        *,
        settings: Mapping[str, object] | None = None,
        trace: str | PathLike[str] | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """Run the flow here, batch by batch, as far as the result is read.

        Rows made before an error come out before it is raised. Closing the iterator, or
        dropping it, stops the run. Takes what `run` takes.
        """
        from penstock.local import stream  # noqa: PLC0415 - a description needs no engine

        return stream(self._flow, data, settings, trace)

    def __call__(
        self,
        df: Any = None,
        *,
        order_by: str | Sequence[str] | None = UNSAID,
        key: str | Sequence[str] | None = UNSAID,
        profile: Any = None,
        **inputs: Any,
    ) -> Any:
        """Apply the flow to a Spark DataFrame, batch or streaming, classic or Connect.

        Args:
            df: The DataFrame.
            order_by: Columns in whose order the rows of several inputs come in each partition,
                null first and equal ones by input. Without an order, which None says, the result
                is another in every run.
            key: Columns whose rows come to the same partition; None brings all to one.
            profile: What each task has: a `pyspark.resource.ResourceProfile`, as `df.mapInArrow`
                takes one since PySpark 4.0. `df.transform(flow, profile=profile)` hands it on.
            inputs: A DataFrame for each input, if `penstock.inputs` started the flow.
        """
        from penstock.dataframe import apply  # noqa: PLC0415 - a description needs no Spark

        return apply(self._flow, self._given(df, inputs, order_by, key), profile)

    def _given(self, data: Any, inputs: Mapping[str, Any], order_by: Any, key: Any) -> Any:
        flow = self._flow
        if inputs:
            if data is not None:
                raise FlowError(f"flow '{flow.name}' was given data and {', '.join(inputs)}=")
            return one_input(flow, inputs, order_by, key)
        if flow.several is not None and data is None:
            names = ", ".join(f"{name}=" for name, _ in flow.several.ports)
            raise FlowError(f"flow '{flow.name}' has several inputs; give {names} and order_by=")
        return data

    @property
    def _flow(self) -> Flow:
        return cast("Flow", self)
