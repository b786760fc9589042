"""What a compiled function works on, in plain Python: the definition of what the kernel does.

>>> line = Bytes(b"Failed password")
>>> line == "Failed password", line.startswith("Failed"), line.find("pass"), line[0], len(line)
(True, True, 7, 70, 15)
>>> "word" in line[7:]
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from penstock.compiled.layout import Slot
from penstock.errors import FlowError, did_you_mean

FNV_START, FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3
HASH_MASK = 2**60 - 1  # Python itself cuts a hash to 61 bits
WORD_MASK = 2**64 - 1


class Bytes(bytes):
    """The bytes of a string or binary; a str that it meets counts as its UTF-8."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return bytes.__eq__(self, _raw(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Any) -> bool:
        return bytes.__lt__(self, _raw(other))

    def __le__(self, other: Any) -> bool:
        return bytes.__le__(self, _raw(other))

    def __gt__(self, other: Any) -> bool:
        return bytes.__gt__(self, _raw(other))

    def __ge__(self, other: Any) -> bool:
        return bytes.__ge__(self, _raw(other))

    def __contains__(self, part: Any) -> bool:
        return bytes.__contains__(self, _raw(part))

    def __hash__(self) -> int:
        """FNV-1a, the same in every process."""
        found = FNV_START
        for byte in bytes(self):
            found = ((found ^ byte) * FNV_PRIME) & WORD_MASK
        return found & HASH_MASK

    def __getitem__(self, place: Any) -> Any:
        found = bytes.__getitem__(self, place)
        return Bytes(found) if isinstance(found, bytes) else found

    def startswith(self, part: Any) -> bool:  # type: ignore[override]
        """Whether it begins with these bytes."""
        return bytes.startswith(self, _raw(part))

    def endswith(self, part: Any) -> bool:  # type: ignore[override]
        """Whether it ends with these bytes."""
        return bytes.endswith(self, _raw(part))

    def find(self, part: Any) -> int:  # type: ignore[override]
        """Where these bytes are for the first time; -1 if nowhere."""
        return bytes.find(self, _raw(part))


def _raw(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


class Row:
    """The columns of a row by name."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def __getattr__(self, name: str) -> Any:
        return self[name]

    def __getitem__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            raise FlowError(
                f"unknown column '{name}'; {did_you_mean(name, self._values)}"
            ) from None


class State:
    """The fields of a key's record, all zero at first."""

    def __init__(self, slots: Sequence[Slot]) -> None:
        zeros: dict[str, Any] = {"int": 0, "float": 0.0, "bool": False}
        for slot in slots:
            first = zeros[slot.kind]
            object.__setattr__(self, slot.name, Values(slot, first) if slot.length else first)
        object.__setattr__(self, "_slots", {slot.name: slot for slot in slots})

    def __setattr__(self, name: str, value: Any) -> None:
        slot = self._slots.get(name)  # type: ignore[attr-defined]
        if slot is None:
            known = self._slots  # type: ignore[attr-defined]
            raise FlowError(f"unknown state field '{name}'; {did_you_mean(name, known)}")
        if slot.length:
            raise FlowError(whole_array(slot))
        object.__setattr__(self, name, fitted(slot, value))


class Values:
    """A field that is an array: as many values as it was declared with."""

    def __init__(self, slot: Slot, first: Any) -> None:
        self._slot = slot
        self._values = [first] * slot.length

    def __len__(self) -> int:
        return self._slot.length

    def __getitem__(self, place: int) -> Any:
        return self._values[self._checked(place)]

    def __setitem__(self, place: int, value: Any) -> None:
        self._values[self._checked(place)] = fitted(self._slot, value)

    def _checked(self, place: int) -> int:
        if not -self._slot.length <= place < self._slot.length:
            raise IndexError(outside(self._slot))
        return place


def whole_array(slot: Slot) -> str:
    """Say that an array cannot be set at once."""
    return (
        f"state field '{slot.name}' has {slot.length} values; set them one by one, as in "
        f"state.{slot.name}[0] = ..."
    )


def outside(slot: Slot) -> str:
    """Say that an array has no such value."""
    return f"state field '{slot.name}' has {slot.length} values, none of this number"


class Out:
    """Takes the rows that a function makes.

    Attributes:
        made: The values of each row; the row itself where rows are passed on.
    """

    def __init__(self, slots: Sequence[Slot] | None) -> None:
        self.made: list[tuple[Any, ...]] = []
        self._slots = slots

    def keep(self) -> None:
        """Pass the row on."""
        if self._slots is not None:
            raise FlowError("out.keep() passes rows on as they are, but out= names new columns")
        self.made.append(())

    def emit(self, *values: Any, **named: Any) -> None:
        """Make a row."""
        if self._slots is None:
            raise FlowError("out.emit() makes rows of new columns; name them with out=")
        rest = self._slots[len(values) :]
        if len(values) + len(named) != len(self._slots) or any(s.name not in named for s in rest):
            raise FlowError(wrong_count(self._slots, len(values) + len(named)))
        given = (*values, *(named[slot.name] for slot in rest))
        self.made.append(tuple(map(fitted, self._slots, given)))


def wrong_count(slots: Sequence[Slot], given: int) -> str:
    """Say that a row has other values than columns."""
    names = ", ".join(slot.name for slot in slots)
    return f"a row of out= has {len(slots)} columns ({names}), got {given}"


def fitted(slot: Slot, value: Any) -> Any:
    """A value as a column keeps it, or an error if that cannot be."""
    if value is None:
        if not slot.nullable:
            raise TypeError(f"'{slot.name}' cannot be null")
        return None
    if isinstance(value, float) and slot.kind in {"int", "bool"}:
        raise TypeError(f"'{slot.name}' is a {slot.word}, got the double {value!r}; write int(...)")
    if slot.kind == "int":
        return in_range(slot, value)
    if slot.kind in {"text", "bytes"}:
        raw = bytes(_raw(value))
        if slot.kind == "text":
            _check_utf8(slot, raw)
        return raw
    return float(value) if slot.kind == "float" else bool(value)


def _check_utf8(slot: Slot, raw: bytes) -> None:
    try:
        raw.decode()
    except UnicodeDecodeError:
        raise ValueError(not_utf8(slot)) from None


def not_utf8(slot: Slot) -> str:
    """Say that bytes are no string."""
    return f"bytes for the string column '{slot.name}' are not UTF-8"


def in_range(slot: Slot, value: int) -> int:
    """A whole number that a column has room for."""
    least, most = slot.range
    if not least <= value <= most:
        raise OverflowError(overflow_of(slot))
    return int(value)


def overflow_of(slot: Slot) -> str:
    """Say that a whole number is too large for its column."""
    return f"a value for '{slot.name}' does not fit into a {slot.word}"


def rows_of(slots: Sequence[Slot], columns: Sequence[Sequence[Any]]) -> Iterator[Row]:
    """Rows from columns of raw values."""
    names = [slot.name for slot in slots]
    as_value: list[Callable[[Any], Any]] = [
        Bytes if slot.kind in {"text", "bytes"} else (lambda value: value) for slot in slots
    ]
    for values in zip(*columns, strict=True):
        yield Row(
            {
                name: None if value is None else convert(value)
                for name, convert, value in zip(names, as_value, values, strict=True)
            }
        )
