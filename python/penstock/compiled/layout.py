"""How the values of columns and of states lie in memory, and what they are to a function.

>>> slots(pa.schema([("n", pa.int32()), ("price", pa.decimal128(9, 2))]))
(Slot(name='n', kind='int', bits=32, nullable=True, digits=0, length=0), \
Slot(name='price', kind='int', bits=128, nullable=True, digits=9, length=0))
>>> record = Record.of("seen boolean, last double, counts array<int, 5>")
>>> record.offsets, record.size
((0, 8, 16), 40)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pyarrow as pa
from pyarrow import types as is_

from penstock.errors import FlowError
from penstock.schema import SchemaLike, as_schema, type_name

MOST_RECORD_BYTES = 1 << 20
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
        length: Of a field that is an array, how many values it has; 0 for a single value.
    """

    name: str
    kind: str
    bits: int = 0
    nullable: bool = True
    digits: int = 0
    length: int = 0

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
        lengths, values = _arrays(as_schema(schema))
        found = usable_slots(values, "state field")
        fields: list[Slot] = []
        offsets: list[int] = []
        end = 0
        for slot, length in zip(found, lengths, strict=True):
            if slot.kind in {"text", "bytes"}:
                raise FlowError(
                    f"state field '{slot.name}' is a string or binary, but a state has a fixed "
                    "size: keep its hash() or its length, or use apply with penstock.state"
                )
            # A scaled decimal fits into one word.
            bits = 64 if slot.digits else max(slot.bits, 8)
            end = -(-end // (bits // 8)) * (bits // 8)
            fields.append(replace(slot, bits=bits, nullable=False, length=length))
            offsets.append(end)
            end += max(length, 1) * (bits // 8)
        if end > MOST_RECORD_BYTES:
            raise FlowError(
                f"what a function remembers of a key takes {end} bytes, more than the "
                f"{MOST_RECORD_BYTES} there may be: use shorter arrays, or apply with penstock.state"
            )
        return cls(tuple(fields), tuple(offsets), -(-end // WORD) * WORD)


def _arrays(schema: pa.Schema) -> tuple[list[int], pa.Schema]:
    """The length of each field, 0 for a single value, and the schema of the values in them."""
    lengths, fields = [], []
    for field in schema:
        if is_.is_list(field.type):
            raise FlowError(
                f"state field '{field.name}' is {type_name(field.type)}, but a state has a fixed "
                f"size: say how many values there are, as in array<{type_name(field.type.value_type)}, "
                "64>, or use apply with penstock.state"
            )
        is_array = is_.is_fixed_size_list(field.type)
        lengths.append(field.type.list_size if is_array else 0)
        fields.append(field.with_type(field.type.value_type) if is_array else field)
    return lengths, pa.schema(fields)


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
