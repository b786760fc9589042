"""What a finished flow does: tell what it is, run here, run in Spark."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa

from penstock.explain import explanation
from penstock.result import Result

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

    def run(
        self,
        data: Any,
        *,
        settings: Mapping[str, object] | None = None,
        trace: str | PathLike[str] | None = None,
        restore: Mapping[str, pa.Table] | None = None,
        checkpoint: bool = False,
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
            checkpoint: Keep what operators remember by key in the end, as `states` of the result.

        >>> from penstock import agg, flow
        >>> seen = flow("f", "host string").key_by("host").running(seen=agg.count(), name="seen")
        >>> first = seen.run(pa.table({"host": ["a", "b", "a"]}), checkpoint=True)
        >>> seen.run(pa.table({"host": ["a"]}), restore=first.states).to_pylist()
        [{'host': 'a', 'seen': 3}]
        """
        from penstock.local import run  # noqa: PLC0415 - a description needs no engine

        return run(self._flow, data, settings, trace, restore=restore, checkpoint=checkpoint)

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

    def __call__(self, df: Any) -> Any:
        """Apply the flow to a Spark DataFrame, batch or streaming, classic or Connect."""
        from penstock.dataframe import apply  # noqa: PLC0415 - a description needs no Spark

        return apply(self._flow, df)

    @property
    def _flow(self) -> Flow:
        return cast("Flow", self)
