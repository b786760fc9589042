"""Expressions as programs that the engine runs without Python, where it can do exactly as Arrow.

A program is a flat list of lines, each of which makes a value of every row. It is made on the
driver, where Arrow itself is asked for the type of every part, and travels as it is.

>>> import pyarrow.compute as pc
>>> made = program_of([pc.field("a") > 3], pa.schema([("a", pa.int32())]))
>>> for line in made.lines:
...     print(line.word, line.type, line.arguments)
column i (0,)
literal i ()
greater b (0, 1)
>>> program_of([pc.ascii_is_upper(pc.field("a"))], pa.schema([("a", pa.string())])) is None
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types as is_

from penstock.expression_tree import (
    Call,
    Field,
    Literal,
    Node,
    parts_of,
    put_together,
    taken_apart,
)
from penstock.expressions import types_of

NUMBERS = {
    pa.int8(): "c",
    pa.int16(): "s",
    pa.int32(): "i",
    pa.int64(): "l",
    pa.uint8(): "C",
    pa.uint16(): "S",
    pa.uint32(): "I",
    pa.uint64(): "L",
    pa.float32(): "f",
    pa.float64(): "g",
}
SUMS = {"add", "subtract", "multiply", "divide"}
ARITHMETIC = {each + how for each in SUMS | {"abs", "negate"} for how in ("", "_checked")}
COMPARISONS = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}
LOGIC = {"xor", "and_kleene", "or_kleene", "invert"}
# By name, because the oldest pyarrow supported does not know all of them.
NOT_GATHERED = ("union", "list_view", "run_end_encoded", "extension")
MOST_LINES = 500
WORD_BITS = 32  # of the shorter ones among dates and times


class Line(NamedTuple):
    """One step, as the engine is given it.

    Attributes:
        word: `column`, `literal` or `cast`, or the name of Arrow's function.
        type: Of what it makes: a letter of Arrow's C data interface.
        arguments: Lines before it; of a column its position.
        bits: Of a literal, as it lies in memory; None is null.
    """

    word: str
    type: str
    arguments: tuple[int, ...]
    bits: int | None = None


@dataclass(frozen=True)
class Program:
    """Lines, and those among them that make the expressions asked for."""

    lines: tuple[Line, ...]
    results: tuple[int, ...]


class _NotNativeError(Exception):
    """Arrow alone knows how to do this."""


def program_of(expressions: Sequence[pc.Expression], schema: pa.Schema) -> Program | None:
    """Translate expressions over rows of a schema; None if one of them cannot be."""
    trees: list[Node] = []
    for expression in expressions:
        tree = taken_apart(expression)
        if tree is None:
            return None
        trees.append(tree)
    try:
        translation = _Translation(schema, trees)
        results = tuple(translation.result(tree) for tree in trees)
    except (_NotNativeError, pa.ArrowException):
        return None
    lines = tuple(translation.lines)
    return Program(lines, results) if len(lines) <= MOST_LINES else None


def can_gather(schema: pa.Schema) -> bool:
    """Whether the engine can move rows of a schema one by one, as a filter must."""
    return not any(word in str(field.type) for field in schema for word in NOT_GATHERED)


class _Translation:
    """Lines in the order in which Arrow works them out; what occurs twice is done once."""

    def __init__(self, schema: pa.Schema, trees: Sequence[Node]) -> None:
        self.lines: dict[Line, int] = {}
        self._schema = schema
        parts = [part for tree in trees for part in parts_of(tree)]
        found = types_of([put_together(part) for part in parts], schema)
        self._types = {id(part): kind for part, kind in zip(parts, found, strict=True)}

    def result(self, tree: Node) -> int:
        """The line that makes a whole expression."""
        return self._made(tree, self._type(tree))

    def _type(self, node: Node) -> pa.DataType:
        return self._types[id(node)]

    def _line(self, word: str, kind: pa.DataType, *arguments: int, bits: int | None = None) -> int:
        return self.lines.setdefault(Line(word, _letter(kind), arguments, bits), len(self.lines))

    def _made(self, node: Node, wanted: pa.DataType) -> int:
        """The line that makes a part, cast to a type as Arrow would cast an argument."""
        if isinstance(node, Literal):
            return self._literal(node.value, wanted)
        found = self._type(node)
        line = self._column(node) if isinstance(node, Field) else self._call(node)
        if found == wanted:
            return line
        if found in NUMBERS and wanted in NUMBERS:
            return self._line("cast", wanted, line)
        raise _NotNativeError

    def _literal(self, value: pa.Scalar, wanted: pa.DataType) -> int:
        if value.type != wanted:
            if not (is_.is_null(value.type) or {value.type, wanted} <= NUMBERS.keys()):
                raise _NotNativeError
            value = value.cast(wanted)
        bits = None
        if value.is_valid:
            _letter(wanted)
            memory = pa.repeat(value, 1).buffers()[1].to_pybytes()
            width = wanted.bit_width
            bits = int.from_bytes(memory[: max(width // 8, 1)], "little") & ((1 << width) - 1)
        return self._line("literal", wanted, bits=bits)

    def _column(self, node: Field) -> int:
        places = self._schema.get_all_field_indices(node.name)
        if len(places) != 1:
            raise _NotNativeError
        return self._line("column", self._type(node), places[0])

    def _call(self, node: Call) -> int:
        if not any(isinstance(part, Field) for part in parts_of(node)):
            raise _NotNativeError  # Arrow may work it out once, or not at all if there are no rows
        made, name = self._type(node), node.function
        if name == "cast":
            return self._made(node.arguments[0], made)
        if name == "coalesce":
            return self._coalesce(node)
        wanted = self._arguments(node)
        lines = [
            self._made(argument, kind)
            for argument, kind in zip(node.arguments, wanted, strict=True)
        ]
        return self._line(name, made, *lines)

    def _arguments(self, node: Call) -> list[pa.DataType]:
        """The types to which Arrow casts the arguments of a function."""
        name, made = node.function, self._type(node)
        given = [self._type(argument) for argument in node.arguments]
        if name in ARITHMETIC and made in NUMBERS:
            if name.startswith("negate") and is_.is_unsigned_integer(made):
                raise _NotNativeError
            return [made] * len(given)
        if name in COMPARISONS:
            return [self._compared(node)] * len(given)
        if name in LOGIC and all(is_.is_boolean(kind) for kind in given):
            return given
        if name in ("is_null", "is_valid") or (name == "is_nan" and is_.is_floating(given[0])):
            return given
        if name == "if_else" and is_.is_boolean(given[0]):
            return [given[0], made, made]
        raise _NotNativeError

    def _compared(self, node: Call) -> pa.DataType:
        """The type in which Arrow compares; for numbers it is the one in which it adds."""
        left, right = node.arguments
        kind = self._type(left)
        if {kind, self._type(right)} <= NUMBERS.keys():
            both = pc.add(put_together(left), put_together(right))
            return types_of([both], self._schema)[0]
        if kind != self._type(right):
            raise _NotNativeError
        return kind

    def _coalesce(self, node: Call) -> int:
        made = self._type(node)
        *others, line = [self._made(argument, made) for argument in node.arguments]
        for other in reversed(others):
            line = self._line("coalesce", made, other, line)
        return line


def _letter(kind: pa.DataType) -> str:
    letter = NUMBERS.get(kind)
    if letter is None:
        if is_.is_boolean(kind):
            return "b"
        # Times are compared and chosen as the numbers that they are in memory.
        if not is_.is_temporal(kind) or is_.is_interval(kind):
            raise _NotNativeError
        return "i" if kind.bit_width == WORD_BITS else "l"
    return letter
