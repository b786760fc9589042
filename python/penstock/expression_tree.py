"""Takes a pyarrow expression apart; what is not understood without a doubt is left alone.

pyarrow shows no parts of an expression, but pickles it in a documented form: a batch whose
metadata lists fields, literals and calls in order, and whose columns are literals and options.

>>> import pyarrow.compute as pc
>>> taken_apart(pc.field("a") * 2 > pc.field("b")).function
'greater'
>>> taken_apart(pc.field("a").isin([1, 2])) is None
True
>>> taken_apart(pc.field("a").isin([1, 2]), options=True).function
'is_in'
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import ipc

from penstock.c_data import CStruct

SCHEMA_WORDS = 9
METADATA = 2  # its place among them


@dataclass(frozen=True)
class Field:
    """A column, by name."""

    name: str


@dataclass(frozen=True)
class Literal:
    """A value that is the same for every row."""

    value: pa.Scalar


@dataclass(frozen=True)
class Call:
    """A function of other expressions.

    Attributes:
        function: Its name in Arrow.
        arguments: What it is given.
        options: None, or a struct of its options.
    """

    function: str
    arguments: tuple[Node, ...]
    options: pa.StructScalar | None = None


Node: TypeAlias = "Field | Literal | Call"


def taken_apart(expression: pc.Expression, *, options: bool = False) -> Node | None:
    """Return the parts of an expression; None if putting them together makes another one.

    Args:
        expression: What to take apart.
        options: Whether functions may have options other than those that they have anyway.
    """
    try:
        batch, pairs = _pickled(expression)
        parts = pairs[::-1]
        node = _read(parts, batch)
        if node is None or parts:
            return None
        build = put_together_with_options if options else put_together
        return node if build(node).equals(expression) else None
    except (pa.ArrowException, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return None  # pickled in a form of another version, or a call that takes other options


def put_together(node: Node) -> pc.Expression:
    """Build the expression again, of functions as they are without any options."""
    if isinstance(node, Field):
        return pc.field(node.name)
    if isinstance(node, Literal):
        return pc.scalar(node.value)
    arguments = [put_together(argument) for argument in node.arguments]
    if node.function == "cast" and node.options is not None:
        return arguments[0].cast(node.options.type.field("to_type").type)
    if node.function == "is_null" and node.options is not None:
        return arguments[0].is_null()
    return getattr(pc, node.function)(*arguments)


def put_together_with_options(node: Node) -> pc.Expression:
    """Build the expression again, options included."""
    if not isinstance(node, Call):
        return put_together(node)
    arguments = [put_together_with_options(argument) for argument in node.arguments]
    return pc.Expression._call(node.function, arguments, options_of(node))


def options_of(call: Call) -> pc.FunctionOptions | None:
    """The options of a call, as Arrow's functions take them."""
    if call.options is None:
        return None
    written = pa.BufferOutputStream()
    batch = pa.RecordBatch.from_arrays([pa.repeat(call.options, 1)], names=[""])
    with ipc.new_file(written, batch.schema) as file:
        file.write(batch)
    return pc.FunctionOptions.deserialize(written.getvalue())


def parts_of(tree: Node) -> list[Node]:
    """All parts, those of a call before it."""
    inner = tree.arguments if isinstance(tree, Call) else ()
    return [part for argument in inner for part in parts_of(argument)] + [tree]


def _pickled(expression: pc.Expression) -> tuple[pa.RecordBatch, list[tuple[str, str]]]:
    (pickled,) = expression.__reduce__()[1]
    with ipc.open_file(pickled) as reader:
        return reader.get_batch(0), _metadata(reader.schema)


def _metadata(schema: pa.Schema) -> list[tuple[str, str]]:
    """All pairs in order: pyarrow itself shows a dictionary, which has each key once."""
    exported = CStruct(SCHEMA_WORDS)
    schema._export_to_c(exported.address)
    try:
        place = ctypes.c_void_p.from_address(exported.address + 8 * METADATA).value
        return list(_pairs(place)) if place else []
    finally:
        pa.Schema._import_from_c(exported.address)  # which takes it back


def _pairs(place: int) -> Iterator[tuple[str, str]]:
    def number() -> int:
        nonlocal place
        place += 4
        return int.from_bytes(ctypes.string_at(place - 4, 4), sys.byteorder)

    def text() -> str:
        nonlocal place
        size = number()
        place += size
        return ctypes.string_at(place - size, size).decode()

    for _ in range(number()):
        yield text(), text()


def _read(parts: list[tuple[str, str]], batch: pa.RecordBatch) -> Node | None:
    """Read one node; `parts` are the pairs that follow, the next one last."""
    what, value = parts.pop()
    if what == "field_ref":
        return Field(value)
    if what == "literal":
        return Literal(batch.column(int(value))[0])
    return _read_call(value, parts, batch) if what == "call" else None


def _read_call(function: str, parts: list[tuple[str, str]], batch: pa.RecordBatch) -> Node | None:
    arguments: list[Node] = []
    options = None
    while (what := parts[-1][0]) != "end":
        if what == "options":
            options = batch.column(int(parts.pop()[1]))[0]
            continue
        argument = _read(parts, batch)
        if argument is None:
            return None
        arguments.append(argument)
    return Call(function, tuple(arguments), options) if parts.pop()[1] == function else None
