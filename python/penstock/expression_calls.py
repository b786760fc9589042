"""Expressions as calls of Arrow's functions, for those that are no program of the engine.

Arrow's own evaluator has to be given a plan for each batch, which costs more than a batch of a
thousand rows itself. So an expression is taken apart once for each run, and then its functions
are called one after the other. What is not understood without a doubt gets its plans.

>>> import pyarrow.compute as pc
>>> batch = pa.RecordBatch.from_pydict({"user": ["root", None, "ann"]})
>>> known = evaluator([pc.field("user").isin(["root", "admin"])], batch.schema)
>>> known(batch)[0].to_pylist()
[True, False, False]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from penstock.expression_program import ARITHMETIC, COMPARISONS, NUMBERS
from penstock.expression_tree import (
    Call,
    Field,
    Literal,
    Node,
    options_of,
    parts_of,
    put_together_with_options,
    taken_apart,
)
from penstock.expressions import empty_batch, evaluate, types_of

Evaluator: TypeAlias = Callable[[pa.RecordBatch], "list[pa.Array]"]
# Makes an array of every row, or a scalar that stands for all.
Step: TypeAlias = Callable[[pa.RecordBatch], Any]

SMALLER = {
    pa.int16(): (pa.int8(),),
    pa.int32(): (pa.int8(), pa.int16()),
    pa.int64(): (pa.int8(), pa.int16(), pa.int32()),
    pa.uint16(): (pa.uint8(),),
    pa.uint32(): (pa.uint8(), pa.uint16()),
    pa.uint64(): (pa.uint8(), pa.uint16(), pa.uint32()),
    pa.float64(): (pa.float32(),),
}


def evaluator(expressions: Sequence[pc.Expression], schema: pa.Schema) -> Evaluator:
    """Make ready to compute expressions over batches of a schema, as `evaluate` does."""
    steps = steps_of(expressions, schema)
    if steps is None:
        return lambda batch: evaluate(expressions, batch)
    return lambda batch: [step(batch) for step in steps]


def steps_of(expressions: Sequence[pc.Expression], schema: pa.Schema) -> list[Step] | None:
    """What makes each expression; None where only Arrow's evaluator is known to do the same."""
    trees: list[Node] = []
    for expression in expressions:
        tree = taken_apart(expression, options=True)
        if tree is None:
            return None
        trees.append(tree)
    try:
        calls = _Calls(schema, trees)
        return [calls.whole(tree) for tree in trees]
    except (_NotCalledError, pa.ArrowException):
        return None


class _NotCalledError(Exception):
    """It is not certain that calls do what Arrow's evaluator does."""


class _Calls:
    """Steps for the parts of expressions, each tried on no rows."""

    def __init__(self, schema: pa.Schema, trees: Sequence[Node]) -> None:
        self._schema = schema
        self._no_rows = empty_batch(schema)
        parts = [part for tree in trees for part in parts_of(tree)]
        found = types_of([put_together_with_options(part) for part in parts], schema)
        self._types = {id(part): kind for part, kind in zip(parts, found, strict=True)}

    def whole(self, tree: Node) -> Step:
        """The step that makes an array of an expression."""
        if isinstance(tree, Literal):
            value = tree.value
            return lambda batch: pa.repeat(value, batch.num_rows)
        return self._step(tree)

    def _step(self, node: Node) -> Step:
        if isinstance(node, Literal):
            value = node.value
            return lambda _: value
        if isinstance(node, Call):
            return self._call(node)
        places = self._schema.get_all_field_indices(node.name)
        if len(places) != 1:
            raise _NotCalledError
        [place] = places
        return lambda batch: batch.column(place)

    def _call(self, node: Call) -> Step:
        if not any(isinstance(part, Field) for part in parts_of(node)):
            raise _NotCalledError  # Arrow may work it out once, or not at all if there are no rows
        steps = [self._step(argument) for argument in node.arguments]
        for literals in self._written(node):
            given = [literals.get(place, step) for place, step in enumerate(steps)]
            made = _called(node, given)
            try:
                if made(self._no_rows).type == self._types[id(node)]:
                    return made
            except pa.ArrowException:
                continue
        raise _NotCalledError

    def _written(self, node: Call) -> Iterator[dict[int, Step]]:
        """The ways to write the literals of a call, of which the first that fits is Arrow's.

        Its evaluator takes them in the smallest type that holds them where a function has no
        kernel for what it is given as it stands. What a kernel does not cast is cheaper, so
        numbers beside numbers are first cast to the type in which the function works anyway.
        """
        literals = {
            place: argument.value
            for place, argument in enumerate(node.arguments)
            if isinstance(argument, Literal)
        }
        if literals:
            others = {
                self._types[id(argument)]
                for argument in node.arguments
                if not isinstance(argument, Literal)
            }
            if any(_may_be_narrowed_otherwise(each, others) for each in literals.values()):
                raise _NotCalledError
            smallest = {place: _smallest(value) for place, value in literals.items()}
            cast = _cast_beside(node.function, smallest, others)
            if cast is not None:
                yield _steps(cast)
            yield _steps(smallest)
        yield _steps(literals)


def _called(node: Call, steps: Sequence[Step]) -> Step:
    call, options = pc.get_function(node.function).call, options_of(node)
    if len(steps) == 1:
        [only] = steps
        return lambda batch: call([only(batch)], options)
    if len(steps) == 2:
        left, right = steps
        return lambda batch: call([left(batch), right(batch)], options)
    return lambda batch: call([step(batch) for step in steps], options)


def _steps(literals: dict[int, pa.Scalar]) -> dict[int, Step]:
    def constant(value: pa.Scalar) -> Step:
        return lambda _: value

    return {place: constant(value) for place, value in literals.items()}


def _smallest(value: pa.Scalar) -> pa.Scalar:
    """A number in the smallest type of its kind that holds it."""
    for kind in SMALLER.get(value.type, ()):
        try:
            smaller = value.cast(kind)
        except pa.ArrowInvalid:
            continue
        number = value.as_py()
        if kind != pa.float32() or number is None or not math.isfinite(number):
            return smaller
        if smaller.as_py() == number:
            return smaller
    return value


def _may_be_narrowed_otherwise(value: pa.Scalar, others: set[pa.DataType]) -> bool:
    """Whether Arrow may take a literal that is no number in another type than its own."""
    narrowed = pa.types.is_timestamp(value.type) or str(value.type).startswith("large_")
    return narrowed and others != {value.type}


def _cast_beside(
    function: str, smallest: dict[int, pa.Scalar], others: set[pa.DataType]
) -> dict[int, pa.Scalar] | None:
    """Literals in the type of the other arguments, if a function of numbers works in that."""
    if function not in ARITHMETIC | COMPARISONS or len(others) != 1 or not others <= set(NUMBERS):
        return None
    [kind] = others
    none = pa.nulls(0, kind)
    if any(
        value.type not in NUMBERS or pc.add(none, value).type != kind for value in smallest.values()
    ):
        return None
    return {place: value.cast(kind) for place, value in smallest.items()}
