"""What an operator does to a batch: one frozen value per operator of a flow.

An operator knows its schemas before anything runs and can be applied to one batch on any
machine that has pyarrow. Running it on a stream of tuples is the engine's business.

>>> import pyarrow.compute as pc
>>> keep = Filter.over(pa.schema([("tries", pa.int64())]), "many", pc.field("tries") > 3)
>>> keep.process(pa.RecordBatch.from_pydict({"tries": [1, 5]})).to_pydict()
{'tries': [5]}
>>> keep.body
'filter (tries > 3)'
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from penstock.errors import FlowError, did_you_mean
from penstock.expression_program import Program, can_gather, program_of
from penstock.expressions import bind, evaluate, text_of
from penstock.functions import (
    FlatMapFunction,
    MapFunction,
    advice_for,
    check_callable,
    name_of,
    one_batch,
    output_schema,
)
from penstock.schema import SchemaLike, quote, type_name


@dataclass(frozen=True)
class Operator:
    """A named step of a flow.

    Attributes:
        name: Unique within its flow; errors, `explain()` and metrics use it.
        input: Schema of the batches it is given.
        output: Schema of the batches it makes.
    """

    name: str
    input: pa.Schema
    output: pa.Schema

    @property
    def kind(self) -> str:
        """What it remembers between rows: `stateless`, `keyed` or `stateful`."""
        return "stateless"

    @property
    def native(self) -> bool:
        """Whether it runs without Python."""
        return False

    @property
    def divides_itself(self) -> bool:
        """Whether a keyed one spreads its keys over parts without a region around it."""
        return False

    @property
    def inner(self) -> tuple[Operator, ...]:
        """The operators inside it."""
        return ()

    @property
    @abstractmethod
    def body(self) -> str:
        """What it does, on one line that is the same in every run."""

    @abstractmethod
    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch | None:
        """Apply it to the rows of one batch; None stands for no rows."""


@dataclass(frozen=True)
class Filter(Operator):
    """Keeps the rows for which an expression is true; null is not true.

    Attributes:
        expression: Decides.
        program: The same for the engine; without one Arrow is called through Python.
    """

    expression: Expression
    program: Program | None = None

    @classmethod
    def over(cls, given: pa.Schema, name: str, expression: pc.Expression) -> Filter:
        """Check the expression and build the operator."""
        found = bind(expression, given)
        if not pa.types.is_boolean(found):
            raise FlowError(
                f"{text_of(expression)} is {type_name(found)}, but a filter needs a boolean; "
                "compare it with something"
            )
        program = program_of([expression], given) if can_gather(given) else None
        return cls(name, given, given, Expression(expression), program)

    @property
    def native(self) -> bool:
        """Whether it runs without Python."""
        return self.program is not None

    @property
    def body(self) -> str:
        """What it does."""
        return f"filter {self.expression}"

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Keep the rows that pass."""
        return batch.filter(evaluate([self.expression.value], batch)[0])


@dataclass(frozen=True)
class Select(Operator):
    """Picks columns by position; the engine does it natively, without touching a row."""

    columns: tuple[int, ...]

    native: ClassVar[bool] = True

    @property
    def body(self) -> str:
        """What it does."""
        return "select " + ", ".join(
            _made(name, quote(self.input.names[place]))
            for name, place in zip(self.output.names, self.columns, strict=True)
        )

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Pick the columns."""
        columns = [batch.column(place) for place in self.columns]
        return pa.RecordBatch.from_arrays(columns, names=self.output.names)


@dataclass(frozen=True)
class Compute(Operator):
    """Makes each output column either from an input column or from an expression.

    Attributes:
        columns: A position in the input, or an expression, for each.
        program: Makes the expressions in the engine; without one Arrow is called through Python.
    """

    columns: tuple[int | Expression, ...]
    program: Program | None = None

    @property
    def native(self) -> bool:
        """Whether it runs without Python."""
        return self.program is not None

    @property
    def body(self) -> str:
        """What it does."""
        return "compute " + ", ".join(
            _made(name, quote(self.input.names[made]) if isinstance(made, int) else str(made))
            for name, made in zip(self.output.names, self.columns, strict=True)
        )

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Make the columns."""
        wanted = [made.value for made in self.columns if isinstance(made, Expression)]
        computed = iter(evaluate(wanted, batch))
        columns = [
            batch.column(made) if isinstance(made, int) else next(computed) for made in self.columns
        ]
        return pa.RecordBatch.from_arrays(columns, names=self.output.names)


def project(
    given: pa.Schema, name: str, columns: Sequence[tuple[str, str | pc.Expression]]
) -> Select | Compute:
    """Build the cheapest operator that makes these columns; a string names an input column."""
    fields: list[pa.Field] = []
    sources: list[int | Expression] = []
    for column, wanted in columns:
        source = _source(column, wanted, given)
        sources.append(source)
        if isinstance(source, int):
            fields.append(given.field(source).with_name(column))
        else:
            fields.append(pa.field(column, bind(source.value, given)))
        if column in {field.name for field in fields[:-1]}:
            raise FlowError(f"column '{column}' would occur twice in the output; rename one")
    places = tuple(source for source in sources if isinstance(source, int))
    if len(places) == len(sources):
        return Select(name, given, pa.schema(fields), places)
    made = [source.value for source in sources if isinstance(source, Expression)]
    return Compute(name, given, pa.schema(fields), tuple(sources), program_of(made, given))


@dataclass(frozen=True)
class Map(Operator):
    """Gives each batch to a Python function that returns as many rows as it got."""

    function: MapFunction

    @classmethod
    def over(
        cls, given: pa.Schema, name: str, function: MapFunction, out: SchemaLike | None
    ) -> Map:
        """Try the function on no rows and build the operator."""
        check_callable(function)
        untried = cls(name, given, given, function)
        return cls(name, given, output_schema(untried.process, function, given, out), function)

    @property
    def body(self) -> str:
        """What it does."""
        return f"map {name_of(self.function)}"

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Call the function and count the rows it returns."""
        returned = self.function(batch)
        if not isinstance(returned, pa.RecordBatch):
            raise FlowError(
                f"{name_of(self.function)} must return a RecordBatch, got "
                f"{type(returned).__name__}{advice_for(returned)}"
            )
        if returned.num_rows != batch.num_rows:
            raise FlowError(
                f"{name_of(self.function)} returned {returned.num_rows} rows for "
                f"{batch.num_rows}; map needs as many as it gave, use flat_map for any number"
            )
        return returned


@dataclass(frozen=True)
class FlatMap(Operator):
    """Gives each batch to a Python function that returns any number of rows."""

    function: FlatMapFunction

    @classmethod
    def over(
        cls, given: pa.Schema, name: str, function: FlatMapFunction, out: SchemaLike | None
    ) -> FlatMap:
        """Try the function on no rows and build the operator."""
        check_callable(function)
        untried = cls(name, given, given, function)
        return cls(name, given, output_schema(untried.process, function, given, out), function)

    @property
    def body(self) -> str:
        """What it does."""
        return f"flat_map {name_of(self.function)}"

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch | None:
        """Call the function and join what it returns."""
        return one_batch(self.function(batch), self.function)


class Expression:
    """A pyarrow expression that can be compared and hashed like any other value."""

    def __init__(self, value: pc.Expression) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and bool(self.value.equals(other.value))

    def __hash__(self) -> int:
        return hash(str(self.value))

    def __str__(self) -> str:
        return text_of(self.value)

    def __repr__(self) -> str:
        return f"Expression<{self}>"


def _source(column: str, wanted: str | pc.Expression, given: pa.Schema) -> int | Expression:
    if isinstance(wanted, str):
        if wanted not in given.names:
            raise FlowError(f"unknown column '{wanted}'; {did_you_mean(wanted, given.names)}")
        return int(given.get_field_index(wanted))
    try:
        bind(wanted, given)
    except FlowError as error:
        raise FlowError(f"column '{column}': {error}") from error.__cause__
    for place, name in enumerate(given.names):
        if wanted.equals(pc.field(name)):
            return place
    return Expression(wanted)


def _made(name: str, source: str) -> str:
    return source if source == quote(name) else f"{quote(name)} = {source}"
