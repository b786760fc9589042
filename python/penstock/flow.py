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

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

from penstock.arguments import (
    OPERATOR_NAME,
    check_name,
)
from penstock.channels import DEFAULT_CHANNELS, Elastic
from penstock.compiled.function import Compiled
from penstock.compiled.methods import CompiledMethods
from penstock.compiled.operator import compiled_rows
from penstock.declarations import FLOW_NAME
from penstock.errors import FlowError
from penstock.functions import FlatMapFunction, MapFunction
from penstock.keyed import KeyedFlow
from penstock.library.branch_methods import BranchMethods
from penstock.library.column_methods import ColumnMethods
from penstock.library.keeping_methods import KeepingMethods
from penstock.library.native_library import NativeMethods
from penstock.library.unfolding_methods import UnfoldingMethods
from penstock.library.window_methods import WindowMethods
from penstock.loops.circle import CircleMethods
from penstock.loops.layout import Layout
from penstock.loops.methods import LoopMethods
from penstock.operators import Filter, FlatMap, Map, Operator
from penstock.parallel import Inside, Region, RegionBody, flattened
from penstock.row_operator import applied
from penstock.runnable import Runnable
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
class Flow(
    ColumnMethods,
    NativeMethods,
    WindowMethods,
    KeepingMethods,
    CompiledMethods,
    UnfoldingMethods,
    BranchMethods,
    LoopMethods,
    CircleMethods,
    Runnable,
):
    """Operators applied one after another to the rows of a partition, in order.

    Immutable: every method returns a new flow, so a shared beginning can be continued in
    two ways without one leaking into the other. Mistakes raise FlowError where they are
    written. Start one with `penstock.flow(name, schema)`.

    Attributes:
        name: Name of the flow.
        input_schema: Columns it reads.
        operators: Its operators, first to last.
        threading_model: Who runs them.
        inside: The region it is written for, while that calls its function.
        several: Its inputs, if it has several.
    """

    name: str
    input_schema: pa.Schema
    operators: tuple[Operator, ...] = ()
    threading_model: Threading = MANUAL
    inside: Inside | None = None
    several: Layout | None = None

    @property
    def schema(self) -> pa.Schema:
        """Schema of the rows that the flow makes."""
        return self.operators[-1].output if self.operators else self.input_schema

    def filter(self, expression: pc.Expression | Compiled, *, name: str | None = None) -> Flow:
        """Keep the rows for which an expression, or a compiled function of a row, is true.

        Comparisons, arithmetic and logic of numbers, booleans and times run natively, exactly as
        Arrow does it; `explain()` says so. Everything else calls Arrow through Python.

        >>> import pyarrow.compute as pc
        >>> many = flow("f", "tries int").filter(pc.field("tries") > 3)
        """
        if isinstance(expression, Compiled):
            return self._then(
                "filter", name, lambda given, n: compiled_rows(given, n, expression, "filter")
            )
        return self._then("filter", name, lambda given, n: Filter.over(given, n, expression))

    def map(
        self,
        function: MapFunction | Compiled,
        out: SchemaLike | None = None,
        *,
        name: str | None = None,
    ) -> Flow:
        """Give each RecordBatch to a function that returns one with as many rows.

        A function that is decorated with `penstock.compiled` gets one row instead, and returns the
        value, or the tuple of values, of the columns in `out`.

        The function is tried at once on a batch without rows, which finds mistakes and, when
        `out` is left out, the schema of what it returns.

        >>> def shout(batch):
        ...     return pa.RecordBatch.from_pydict({"loud": pa.compute.utf8_upper(batch["line"])})
        >>> flow("f", "line string").map(shout).schema.names
        ['loud']
        """
        if isinstance(function, Compiled):
            return self._then(
                "map", name, lambda given, n: compiled_rows(given, n, function, "map", out=out)
            )
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

        >>> flow("f", "n long").apply(lambda row: [row] * row.n).run(pa.table({"n": [2]})).num_rows
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

    def parallel(
        self,
        body: RegionBody,
        *,
        by: str | tuple[str, ...] | pc.Expression | None = None,
        channels: Elastic | int = DEFAULT_CHANNELS,
        order: Literal["stream", "key"] | None = "stream",
        name: str | None = None,
    ) -> Flow:
        """Replicate operators on channels that work at the same time; the result stays the same.

        Args:
            body: Adds the operators to the flow it is given, and returns that.
            by: Rows with the same key go to the same channel: columns, or an expression. Then
                functions get some rows of a tuple at a time, and one of `flat_map` a single row.
                None sends whole tuples to the channels in turn, if all operators are stateless.
            channels: How many; `Elastic` lets a controller choose while rows flow.
            order: `stream` is exactly that of one thread, `key` that of the rows of each key, and
                None any.
            name: Of the region.

        >>> from penstock import agg
        >>> totals = flow("f", "host string, n int").parallel(
        ...     lambda rows: rows.key_by("host").running(total=agg.sum("n")), by="host"
        ... )
        >>> print(totals)
        f: parallel parallel_1
        """

        def build(_given: pa.Schema, region: str) -> Operator:
            inside = Inside(region, frozenset({*self._names, region}))
            return Region.over(self, inside, body, by=by, channels=channels, order=order)

        return self._then("parallel", name, build)

    def threading(
        self,
        model: ModelName,
        *,
        threads: int | None = None,
        elastic: bool | None = None,
        policy: str | None = None,
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
            policy: Which operator a thread runs next, in the model `dynamic`: one of
                `penstock.policies.names()`, or one of a library, as in `libmine.so:shortest`.

        >>> flow("f", "a int").select("a").threading("conveyor", threads=2).threading_model
        Threading(model='conveyor', threads=2, elastic=False, policy='')
        """
        try:
            return replace(self, threading_model=Threading.of(model, threads, elastic, policy))
        except FlowError as error:
            raise FlowError(f"flow '{self.name}': {error}") from None

    def __str__(self) -> str:
        steps = [f"{step.body.partition(' ')[0]} {step.name}" for step in self.operators]
        return f"{self.name}: " + (" -> ".join(steps) or "no operators")

    def _then(
        self, word: str, name: str | None, build: Callable[[pa.Schema, str], Operator]
    ) -> Flow:
        chosen = f"{word}_{len(self._names) + 1}" if name is None else name
        try:
            check_name(chosen, OPERATOR_NAME, "an operator")
            if chosen in self._names:
                raise FlowError("another operator has this name; give each its own with name=")
            operator = build(self.schema, chosen)
        except FlowError as error:
            # The region around it adds the rest.
            flow = "" if self.inside else f"flow '{self.name}', "
            raise FlowError(f"{flow}operator '{chosen}': {error}") from error.__cause__
        return replace(self, operators=(*self.operators, operator))

    def _with_inputs(self, layout: Layout) -> Flow:
        return replace(self, several=layout)

    @property
    def _names(self) -> set[str]:
        around = self.inside.names if self.inside else ()
        return {*around, *(operator.name for operator in flattened(self.operators))}
