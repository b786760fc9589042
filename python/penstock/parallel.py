"""A region: operators that are replicated together, each replica on a channel of its own.

>>> from penstock import Elastic, agg, flow
>>> totals = flow("f", "host string, n int").parallel(
...     lambda rows: rows.key_by("host").running(total=agg.sum("n"), name="total"),
...     by="host",
...     channels=Elastic(1, 4),
... )
>>> totals.operators[0].body
'parallel by host on 1 to 4 channels: running total'
>>> batch = pa.RecordBatch.from_pydict({"host": ["a", "b", "a"], "n": pa.array([1, 2, 3], "int32")})
>>> totals.operators[0].process(batch)["total"].to_pylist()
[1, 2, 4]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa

from penstock.bodies import checked
from penstock.channels import Elastic, channels_of
from penstock.errors import FlowError
from penstock.expressions import bind
from penstock.functions import name_of
from penstock.lineage import Origin
from penstock.operators import Compute, Expression, Operator
from penstock.replicable import aligned, check_replicable, key_of, text_of_key
from penstock.traced import traced

if TYPE_CHECKING:
    from penstock.flow import Flow

# What a user writes: from a flow of the region's input to a flow of its output.
RegionBody: TypeAlias = "Callable[[Flow], Flow]"

ORDERS = {
    "stream": "rows leave as one thread would make them",
    "key": "rows of one key keep their order",
    None: "rows leave as they are made",
}


@dataclass(frozen=True)
class Inside:
    """Marks a flow as the inside of a region.

    Attributes:
        region: Name of the region.
        names: Operators around it, so that names are unique in the whole flow.
    """

    region: str
    names: frozenset[str]


@dataclass(frozen=True)
class Region(Operator):
    """Operators with channels.

    Attributes:
        operators: What each channel runs, first to last.
        by: What divides rows among channels; empty where whole tuples go to them in turn.
        channels: How many.
        order: One of `ORDERS`.
    """

    operators: tuple[Operator, ...]
    by: tuple[Origin, ...]
    channels: Elastic
    order: str | None

    @classmethod
    def over(
        cls, around: Flow, inside: Inside, body: Any, *, by: Any, channels: Any, order: Any
    ) -> Region:
        """Let the body add operators to a flow that goes on from `around`, and check them."""
        if around.inside is not None:
            raise FlowError(f"regions do not nest, and this is inside '{around.inside.region}'")
        given, many = around.schema, channels_of(channels)
        key = key_of(by, given)
        if order not in ORDERS:
            raise FlowError(f"order={order!r} is not possible; allowed is 'stream', 'key' or None")
        if order == "key" and not key:
            raise FlowError("order='key' needs a key; give by=, or order='stream'")
        start = replace(around, input_schema=given, operators=(), inside=inside)
        operators = _written(body, start)
        check_replicable(given, operators, key, many)
        return cls(inside.region, given, operators[-1].output, operators, key, many, order)

    @property
    def kind(self) -> str:
        """What it remembers, as the engine is told."""
        return "keyed" if self.by else "stateless"

    @property
    def inner(self) -> tuple[Operator, ...]:
        """The operators of each channel."""
        return self.operators

    @property
    def traces_rows(self) -> bool:
        """Whether operators inside tell from which row each row they make came."""
        return bool(self.by)

    @property
    def native(self) -> bool:
        """Whether nothing inside holds the GIL."""
        return all(operator.native for operator in self.operators) and self.computed_key is None

    @property
    def body(self) -> str:
        """What it does."""
        steps = " -> ".join(f"{one.body.partition(' ')[0]} {one.name}" for one in self.operators)
        how = f"by {text_of_key(self.by)}" if self.by else "in turn"
        return f"parallel {how} on {self.channels}: {steps}"

    @property
    def computed_key(self) -> Compute | None:
        """Makes the key of each row, where it is an expression."""
        made = tuple(one for one in self.by if isinstance(one, Expression))
        if not made:
            return None
        fields = [pa.field(str(one), bind(one.value, self.input)) for one in made]
        return Compute(self.name, self.input, pa.schema(fields), made)

    @property
    def key_columns(self) -> list[int]:
        """The key by position: in what `computed_key` makes if there is one, else in the input."""
        if self.computed_key is not None:
            return list(range(len(self.by)))
        return [self.input.get_field_index(one) for one in self.by]

    @property
    def replica(self) -> tuple[Operator, ...]:
        """The operators as a channel runs them."""
        return aligned(self.input, self.operators, self.by)

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch | None:
        """Apply the operators one after another: what any number of channels must make, too."""
        made: pa.RecordBatch | None = batch
        for operator in self.operators:
            if made is None or made.num_rows == 0:
                return None
            # By key a flat_map is given row by row, see traced().
            made = traced(operator, made).whole() if self.by else operator.process(made)
            if made is not None:
                made = checked(operator)(made)
        return made


def flattened(operators: Iterable[Operator]) -> Iterator[Operator]:
    """All operators, those inside another one behind it."""
    for operator in operators:
        yield operator
        yield from flattened(operator.inner)


def _written(body: Any, start: Flow) -> tuple[Operator, ...]:
    if not callable(body):
        raise FlowError(
            "a region is a function from a flow to a flow, as in parallel(lambda rows: "
            f"rows.filter(...)), got {type(body).__name__}"
        )
    made = body(start)
    if not isinstance(made, type(start)):
        raise FlowError(
            f"{name_of(body)} must return the flow it made of the one given, "
            f"got {type(made).__name__}"
        )
    if made.inside is not start.inside:
        raise FlowError(
            f"{name_of(body)} returned a flow that does not start from the one given to it"
        )
    if made.threading_model != start.threading_model:
        raise FlowError(
            "threading is chosen for the whole flow; call .threading() behind the region"
        )
    if not made.operators:
        raise FlowError(f"{name_of(body)} added no operators; a region needs at least one")
    return tuple(made.operators)
