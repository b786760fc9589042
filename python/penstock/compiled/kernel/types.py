"""The numba types of what a compiled function works on."""

from __future__ import annotations

import zlib
from typing import Any

from numba.core import types
from numba.core.typeconv import Conversion
from numba.extending import models, register_model

from penstock.compiled.layout import Record, Slot


class View(types.Type):
    """The bytes of a string or binary, where they lie."""

    def __init__(self, *, text: bool) -> None:
        # Whether they are known to be UTF-8, so that they need no check when they go out.
        self.text = text
        super().__init__(name="text" if text else "bytes")

    def unify(self, typingctx: Any, other: Any) -> Any:  # noqa: ARG002 - numba's interface
        """Both can stand where any bytes can."""
        return BYTES if isinstance(other, View) or is_constant(other) else None

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:  # noqa: ARG002
        """Text is bytes."""
        return Conversion.safe if isinstance(other, View) else None

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:  # noqa: ARG002
        """A str or bytes that is written in the function is bytes."""
        return Conversion.safe if is_constant(other) else None


TEXT = View(text=True)
BYTES = View(text=False)


def is_constant(kind: Any) -> bool:
    """Whether it is a str or bytes of numba's own."""
    return isinstance(kind, (types.StringLiteral, types.UnicodeType, types.Bytes))


def is_view(kind: Any) -> bool:
    """Whether it is a view, or one that may be null."""
    return isinstance(kind.type if isinstance(kind, types.Optional) else kind, View)


def short(described: object) -> str:
    """A few letters for a description, the same in every process."""
    return f"{zlib.crc32(repr(described).encode()):x}"


class Nullable(types.Optional):
    """A value of a column that may be null; it knows the column, to tell."""

    def __init__(self, inner: Any, column: str) -> None:
        super().__init__(inner)
        self.column = column
        self.name = f"{inner} or null of {column}"

    @property
    def key(self) -> Any:
        """What makes two of them the same."""
        return self.type, self.column


class RowType(types.Type):
    """A row: its columns and its place in them."""

    def __init__(self, slots: tuple[Slot, ...]) -> None:
        self.slots = slots
        super().__init__(name=f"row{short(slots)}")

    @property
    def key(self) -> Any:
        """What makes two of them the same."""
        return self.slots


class StateType(types.Type):
    """The record of a key."""

    def __init__(self, record: Record) -> None:
        self.record = record
        super().__init__(name=f"state{short(record)}")

    @property
    def key(self) -> Any:
        """What makes two of them the same."""
        return self.record


class ArrayType(types.Type):
    """A field of a state that is an array."""

    def __init__(self, slot: Slot) -> None:
        self.slot = slot
        super().__init__(name=f"array{short(slot)}")

    @property
    def key(self) -> Any:
        """What makes two of them the same."""
        return self.slot


class OutType(types.Type):
    """What takes rows; without columns it passes rows on."""

    def __init__(self, slots: tuple[Slot, ...] | None) -> None:
        self.slots = slots
        super().__init__(name=f"out{short(slots)}")

    @property
    def key(self) -> Any:
        """What makes two of them the same."""
        return self.slots


@register_model(View)
class ViewModel(models.StructModel):
    """Where the bytes begin, and how many there are."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("data", types.voidptr), ("size", types.int64)])


register_model(Nullable)(models.OptionalModel)


@register_model(RowType)
class RowModel(models.StructModel):
    """The words of the columns, and the row's place."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("columns", types.voidptr), ("place", types.int64)])


@register_model(OutType)
class OutModel(models.StructModel):
    """The frame, and the place of the row that is worked on."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("frame", types.voidptr), ("place", types.int64)])


@register_model(StateType)
class StateModel(models.StructModel):
    """Where the record begins."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("record", types.voidptr)])


@register_model(ArrayType)
class ArrayModel(models.StructModel):
    """Where its first value is."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("first", types.voidptr)])


def value_type(slot: Slot) -> Any:
    """What a value is to a function: all whole numbers are 64 bits wide, all others double."""
    return {
        "int": types.int64,
        "float": types.float64,
        "bool": types.boolean,
        "text": TEXT,
        "bytes": BYTES,
    }[slot.kind]
