"""A flow: the operators a user writes, before anything runs.

Pure description. Nothing here imports pyspark or the native engine, so a flow can be
built, printed and checked on a machine that has neither.

>>> import pyarrow.compute as pc
>>> logins = (
...     flow("logins", "host string, tries int")
...     .filter(pc.field("tries") > 3, name="many")
...     .with_column("odds", pc.scalar(1.0) / pc.field("tries"))
...     .select("host", "odds")
... )
>>> print(logins)
logins: filter many -> compute with_column_2 -> select select_3
>>> logins.schema.names
['host', 'odds']

A finished flow is callable on a DataFrame, so `df.transform(logins)` runs it inside Spark,
and `logins.run(table)` runs the same engine without Spark.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from penstock.arguments import (
    OPERATOR_NAME,
    as_expression,
    check_column,
    check_name,
    wanted_columns,
)
from penstock.declarations import FLOW_NAME
from penstock.errors import FlowError
from penstock.explain import explanation
from penstock.functions import FlatMapFunction, MapFunction
from penstock.keyed import KeyedFlow
from penstock.operators import Filter, FlatMap, Map, Operator, project
from penstock.result import Result
from penstock.row_operator import applied
from penstock.schema import SchemaLike, as_schema
from penstock.threading_model import MANUAL, ModelName, Threading

if TYPE_CHECKING:
    import pyarrow.compute as pc


def flow(name: str, schema: SchemaLike) -> Flow:
    """Start a flow.

    Args:
        name: Names the flow in errors, metrics and settings.
        schema: Columns the flow reads: a DDL string, a pyspark StructType or a pyarrow.Schema.
            They are found by name, so their order in the data is free and other columns of
            the data are left out.
    """
    check_name(name, FLOW_NAME, "a flow")
    try:
        return Flow(name, as_schema(schema))
    except FlowError as error:
        raise FlowError(f"flow '{name}': {error}") from error.__cause__


@dataclass(frozen=True)
class Flow:
    """Operators applied one after another to the rows of a partition, in order.

    Immutable: every method returns a new flow, so a shared beginning can be continued in
    two ways without one leaking into the other. Mistakes raise FlowError where they are
    written. Start one with `penstock.flow(name, schema)`.

    Attributes:
        name: Name of the flow.
        input_schema: Columns it reads.
        operators: Its operators, first to last.
        threading_model: Who runs them.
    """

    name: str
    input_schema: pa.Schema
    operators: tuple[Operator, ...] = ()
    threading_model: Threading = MANUAL

    @property
    def schema(self) -> pa.Schema:
        """Schema of the rows that the flow makes."""
        return self.operators[-1].output if self.operators else self.input_schema

    def filter(self, expression: pc.Expression, *, name: str | None = None) -> Flow:
        """Keep the rows for which a pyarrow.compute expression is true.

        >>> import pyarrow.compute as pc
        >>> many = flow("f", "tries int").filter(pc.field("tries") > 3)
        """
        return self._then("filter", name, lambda given, n: Filter.over(given, n, expression))

    def select(
        self, *columns: str, name: str | None = None, **named_expressions: pc.Expression
    ) -> Flow:
        """Make rows of some columns, and of expressions under new names.

        Columns alone, kept as they are or renamed with `new=pc.field("old")`, cost nothing: the
        engine picks them natively without touching a row.

        >>> import pyarrow.compute as pc
        >>> flow("f", "a int, b int").select("b", c=pc.field("a") + 1).schema.names
        ['b', 'c']
        """

        def build(given: pa.Schema, operator: str) -> Operator:
            wanted = wanted_columns(columns, named_expressions, given.names)
            return project(given, operator, wanted)

        return self._then("select", name, build)

    def with_column(
        self, column: str, expression: pc.Expression, *, name: str | None = None
    ) -> Flow:
        """Add a column computed by an expression, or replace the one of that name.

        >>> import pyarrow.compute as pc
        >>> flow("f", "a int").with_column("b", pc.field("a") * 2).schema.names
        ['a', 'b']
        """

        def build(given: pa.Schema, operator: str) -> Operator:
            check_column(column)
            kept: dict[str, Any] = {each: each for each in given.names}
            return project(given, operator, [*(kept | {column: as_expression(expression)}).items()])

        return self._then("with_column", name, build)

    def map(
        self, function: MapFunction, out: SchemaLike | None = None, *, name: str | None = None
    ) -> Flow:
        """Give each RecordBatch to a function that returns one with as many rows.

        The function is tried at once on a batch without rows, which finds mistakes and, when
        `out` is left out, the schema of what it returns.

        >>> def shout(batch):
        ...     return pa.RecordBatch.from_pydict({"loud": pa.compute.utf8_upper(batch["line"])})
        >>> flow("f", "line string").map(shout).schema.names
        ['loud']
        """
        return self._then("map", name, lambda given, n: Map.over(given, n, function, out))

    def flat_map(
        self, function: FlatMapFunction, out: SchemaLike | None = None, *, name: str | None = None
    ) -> Flow:
        """Give each RecordBatch to a function that returns any number of rows.

        It may return a RecordBatch, a Table or an iterable of RecordBatch, and is tried like
        the function of `map`.

        >>> flow("f", "n int").flat_map(lambda batch: [batch, batch]).schema.names
        ['n']
        """
        return self._then("flat_map", name, lambda given, n: FlatMap.over(given, n, function, out))

    def apply(
        self, operator: Any, out: SchemaLike | None = None, *, name: str | None = None
    ) -> Flow:
        """Give each row, in order, to a function or an object that makes any number of rows.

        Takes what `KeyedFlow.apply` takes. An object may keep what it likes in its attributes, so
        one thread runs it, and `finish()` makes rows at the end. A function remembers nothing.

        >>> flow("f", "n int").apply(lambda row: [row] * row.n).run(pa.table({"n": [2]})).num_rows
        2
        """
        return self._then("apply", name, lambda given, n: applied(given, n, operator, out))

    def key_by(self, *columns: str) -> KeyedFlow:
        """Say which columns make up the key of a row, for an operator that goes by keys.

        Null is a key of its own, all NaN are one, and -0.0 is the same as 0.0.

        >>> from penstock import agg
        >>> totals = flow("f", "host string, n int").key_by("host").running(total=agg.sum("n"))
        >>> totals.schema.names
        ['host', 'n', 'total']
        """
        return KeyedFlow(self._then, columns)

    def threading(
        self, model: ModelName, *, threads: int | None = None, elastic: bool | None = None
    ) -> Flow:
        """Choose who runs the operators; the result is the same, row for row, in any case.

        The setting `spark.penstock.flow.<name>.threading` overrides it without a change of code.

        Args:
            model: `manual` is the caller's thread alone, `dedicated` a thread for each operator,
                `dynamic` any thread at any operator's queue, `conveyor` a thread that carries
                rows from operator to operator. `automatic` finds out while it runs how many
                threads pay, and where to put queues between operators; one thread needs none.
            threads: That run operators at the same time; left out, one for each core.
            elastic: Let a control loop use fewer threads where more do not pay. It can be chosen
                for `dynamic` and `conveyor`; `automatic` is elastic unless told otherwise.

        >>> flow("f", "a int").select("a").threading("conveyor", threads=2).threading_model
        Threading(model='conveyor', threads=2, elastic=False)
        """
        try:
            return replace(self, threading_model=Threading.of(model, threads, elastic))
        except FlowError as error:
            raise FlowError(f"flow '{self.name}': {error}") from None

    def explanation(self) -> str:
        """Describe operators, ports, kinds, schemas and who holds the GIL; the same every run."""
        return explanation(self)

    def explain(self) -> None:
        """Print `explanation()`."""
        sys.stdout.write(self.explanation() + "\n")

    def run(
        self,
        data: Any,
        *,
        settings: Mapping[str, object] | None = None,
        trace: str | PathLike[str] | None = None,
    ) -> Result:
        """Run the flow here, without Spark, and collect what it makes.

        Args:
            data: A pyarrow Table, RecordBatch or RecordBatchReader, an iterable of
                RecordBatch, or anything with `__arrow_c_stream__`.
            settings: `spark.penstock.*` settings of this run.
            trace: A file to write what each thread ran when, for https://ui.perfetto.dev or
                chrome://tracing; a file of that name is replaced.
        """
        from penstock.local import run  # noqa: PLC0415 - a description needs no engine

        return run(self, data, settings, trace)

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

        return stream(self, data, settings, trace)

    def __call__(self, df: Any) -> Any:
        """Apply the flow to a Spark DataFrame, batch or streaming, classic or Connect."""
        from penstock.dataframe import apply  # noqa: PLC0415 - a description needs no Spark

        return apply(self, df)

    def __str__(self) -> str:
        steps = [f"{step.body.partition(' ')[0]} {step.name}" for step in self.operators]
        return f"{self.name}: " + (" -> ".join(steps) or "no operators")

    def _then(
        self, word: str, name: str | None, build: Callable[[pa.Schema, str], Operator]
    ) -> Flow:
        chosen = f"{word}_{len(self.operators) + 1}" if name is None else name
        try:
            check_name(chosen, OPERATOR_NAME, "an operator")
            if chosen in {operator.name for operator in self.operators}:
                raise FlowError("another operator has this name; give each its own with name=")
            operator = build(self.schema, chosen)
        except FlowError as error:
            raise FlowError(
                f"flow '{self.name}', operator '{chosen}': {error}"
            ) from error.__cause__
        return replace(self, operators=(*self.operators, operator))
