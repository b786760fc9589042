"""How the values of columns and of states lie in memory, and what they are to a function.

>>> slots(pa.schema([("n", pa.int32()), ("price", pa.decimal128(9, 2))]))
(Slot(name='n', kind='int', bits=32, nullable=True, digits=0), \
Slot(name='price', kind='int', bits=128, nullable=True, digits=9))
>>> Record.of(pa.schema([("seen", pa.bool_()), ("last", pa.float64())])).offsets
(0, 8)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pyarrow as pa
from pyarrow import types as is_

from penstock.errors import FlowError
from penstock.schema import SchemaLike, as_schema, type_name

MOST_DIGITS = 18  # of a decimal whose scaled value surely fits into 64 bits
WORD = 8


@dataclass(frozen=True)
class Slot:
    """One column, or one field of a state.

    Attributes:
        name: Its name.
        kind: `int`, `float`, `bool`, `text` (a string), `bytes` (binary), or why a function cannot
            use it.
        bits: Of a value in memory.
        nullable: Whether it may be null.
        digits: Of a decimal; 0 for anything else.
    """

    name: str
    kind: str
    bits: int = 0
    nullable: bool = True
    digits: int = 0

    @property
    def usable(self) -> bool:
        """Whether a function can use it."""
        return self.kind in {"int", "float", "bool", "text", "bytes"}

    @property
    def range(self) -> tuple[int, int]:
        """The least and the largest value of a whole number."""
        if self.digits:
            return 1 - 10**self.digits, 10**self.digits - 1
        return -(2 ** (self.bits - 1)), 2 ** (self.bits - 1) - 1

    @property
    def word(self) -> str:
        """What a person calls its kind."""
        decimal = f"decimal({self.digits}) as a whole number" if self.digits else ""
        return decimal or {"int": f"{self.bits}-bit whole number", "float": "number"}.get(
            self.kind, self.kind
        )


def slots(schema: pa.Schema) -> tuple[Slot, ...]:
    """The columns of a schema, usable or not."""
    return tuple(_slot(field) for field in schema)


def usable_slots(schema: pa.Schema, what: str) -> tuple[Slot, ...]:
    """The columns of a schema, all of which have to be usable."""
    found = slots(schema)
    for slot in found:
        if not slot.usable:
            raise FlowError(f"{what} '{slot.name}' {slot.kind}")
    return found


@dataclass(frozen=True)
class Record:
    """What a function remembers of a key: values of fixed size, all zero at first.

    Attributes:
        slots: The fields.
        offsets: Where in the record each is.
        size: Of the record in bytes.
    """

    slots: tuple[Slot, ...]
    offsets: tuple[int, ...]
    size: int

    @classmethod
    def of(cls, schema: SchemaLike) -> Record:
        """Lay out the fields of a schema, each on a multiple of its size."""
        found = usable_slots(as_schema(schema), "state field")
        fields: list[Slot] = []
        offsets: list[int] = []
        end = 0
        for slot in found:
            if slot.kind in {"text", "bytes"}:
                raise FlowError(
                    f"state field '{slot.name}' is a string or binary, but a state has a fixed "
                    "size: keep its hash() or its length, or use apply with penstock.state"
                )
            # A scaled decimal fits into one word.
            bits = 64 if slot.digits else max(slot.bits, 8)
            end = -(-end // (bits // 8)) * (bits // 8)
            fields.append(replace(slot, bits=bits, nullable=False))
            offsets.append(end)
            end += bits // 8
        return cls(tuple(fields), tuple(offsets), -(-end // WORD) * WORD)


# By what Arrow calls a type: its kind, and its bits where Arrow does not tell them.
KINDS: tuple[tuple[Callable[[pa.DataType], bool], str, int], ...] = (
    (is_.is_boolean, "bool", 1),
    (is_.is_signed_integer, "int", 0),
    (is_.is_date32, "int", 0),
    (is_.is_timestamp, "int", 0),
    (is_.is_duration, "int", 0),
    (is_.is_time64, "int", 0),
    (is_.is_float32, "float", 0),
    (is_.is_float64, "float", 0),
    (is_.is_string, "text", 8),
    (is_.is_binary, "bytes", 8),
)


def _slot(field: pa.Field) -> Slot:
    found, name = field.type, field.name
    for is_kind, kind, bits in KINDS:
        if is_kind(found):
            return Slot(name, kind, bits or found.bit_width, field.nullable)
    if is_.is_decimal128(found) and found.precision <= MOST_DIGITS:
        return Slot(name, "int", 128, field.nullable, found.precision)
    if is_.is_decimal(found):
        why = (
            f"is {type_name(found)}, whose digits do not fit into 64 bits; cast it to a decimal of "
            f"at most {MOST_DIGITS} digits, or to double, before"
        )
    else:
        why = (
            f"is {type_name(found)}, which a compiled function cannot use; take a plain value out "
            "of it before, or use a batch function"
        )
    return Slot(name, why)
