"""Templates of text: literals, and fields in braces between them.

>>> made = TextTemplate.of("{host} sshd[{pid:int}]: {}")
>>> made.literals
('', ' sshd[', ']: ', '')
>>> [(field.name, field.type) for field in made.fields]
[('host', 'string'), ('pid', 'int'), ('', 'skip')]
>>> made.match("a sshd[12]: Failed")
['a', 12]
>>> made.match("a sshd[twelve]: Failed") is None
True
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from penstock.errors import FlowError, did_you_mean

TYPES: Mapping[str, pa.DataType] = {
    "string": pa.string(),
    "int": pa.int32(),
    "long": pa.int64(),
    "double": pa.float64(),
    "timestamp": pa.timestamp("us", "UTC"),
}
# A brace of the text itself is written twice; a field may have a type, and a timestamp a format.
PIECE = re.compile(r"\{\{|\}\}|\{([^{}:]*)(?::([^{}:]*)(?::([^{}]*))?)?\}|[{}]")
DIRECTIVES: Mapping[str, str] = {
    "Y": r"(?P<Y>\d{4})",
    "m": r"(?P<m>\d\d|\d(?!\d))",
    "d": r"(?P<d>\d\d|\d(?!\d))",
    "H": r"(?P<H>\d\d|\d(?!\d))",
    "M": r"(?P<M>\d\d|\d(?!\d))",
    "S": r"(?P<S>\d\d|\d(?!\d))",
    "f": r"(?P<f>\d{1,6}(?!\d))",
    "b": r"(?P<b>[A-Za-z]{3})",
    "z": r"(?P<z>Z|[+-]\d\d:?\d\d)",
    "%": "%",
}
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
LEAST = {"int": -(2**31), "long": -(2**63)}


@dataclass(frozen=True)
class TemplateField:
    """A field of a template.

    Attributes:
        name: Of the column it becomes; empty if it is passed over.
        type: A word of TYPES, or `skip`.
        format: Of a timestamp.
    """

    name: str
    type: str
    format: str = ""


@dataclass(frozen=True)
class TextTemplate:
    """Literals and the fields between them: a literal before each field, one behind the last."""

    literals: tuple[str, ...]
    fields: tuple[TemplateField, ...]

    @classmethod
    def of(cls, text: Any) -> TextTemplate:
        """Read a template, or say what is wrong with it."""
        if not isinstance(text, str):
            raise FlowError(f"a template is a string such as 'from {{ip}}', got {text!r}")
        literals, fields, end = [""], list[TemplateField](), 0
        for piece in PIECE.finditer(text):
            literals[-1] += text[end : piece.start()]
            end = piece.end()
            if piece[0] in {"{{", "}}"}:
                literals[-1] += piece[0][0]
            elif piece[0] in {"{", "}"}:
                raise FlowError(
                    f"'{piece[0]}' at {piece.start()} of the template {text!r} begins or ends no "
                    "field; write it twice for the brace itself"
                )
            else:
                fields.append(_field(piece[1], piece[2], piece[3]))
                literals.append("")
        literals[-1] += text[end:]
        names = [field.name for field in fields if field.name]
        if not names:
            raise FlowError(f"the template {text!r} names no field, as in 'from {{ip}}'")
        for name in names:
            if names.count(name) > 1:
                raise FlowError(f"field '{name}' is twice in the template {text!r}")
        for before, literal in zip(fields, literals[1:-1], strict=False):
            if not literal:
                raise FlowError(
                    f"nothing tells where field '{before.name}' ends; put text between fields"
                )
        return cls(tuple(literals), tuple(fields))

    @property
    def columns(self) -> list[pa.Field]:
        """The columns that the fields become."""
        return [pa.field(one.name, TYPES[one.type]) for one in self.fields if one.name]

    def match(self, line: str | None) -> list[Any] | None:
        """The values of the fields; None if the line does not match."""
        if line is None or not line.startswith(self.literals[0]):
            return None
        rest, values = line[len(self.literals[0]) :], list[Any]()
        for place, (field, literal) in enumerate(zip(self.fields, self.literals[1:], strict=True)):
            last = place == len(self.fields) - 1
            if last and not rest.endswith(literal):
                return None
            end = len(rest) - len(literal) if last else rest.find(literal)
            if end < 0:
                return None
            text, rest = rest[:end], rest[end + len(literal) :]
            if not field.name:
                continue
            value = READERS[field.type](text, field)
            if value is None:
                return None
            values.append(value)
        return values


def _field(name: str, kind: str | None, form: str | None) -> TemplateField:
    if not name:
        if kind:
            raise FlowError(f"a field without a name is passed over and has no type, got '{kind}'")
        return TemplateField("", "skip")
    if kind is not None and kind not in TYPES:
        raise FlowError(f"field '{name}': unknown type '{kind}'; {did_you_mean(kind, TYPES)}")
    if kind == "timestamp":
        _check_format(name, form or "")
    elif form is not None:
        raise FlowError(f"field '{name}': only a timestamp has a format, got '{form}'")
    return TemplateField(name, kind or "string", form or "")


def _check_format(name: str, form: str) -> None:
    found = re.findall(r"%(.?)", form)
    unknown = [one for one in found if one not in DIRECTIVES]
    twice = {one for one in found if one != "%" and found.count(one) > 1}
    told = "Y" in found and "d" in found and ("m" in found) != ("b" in found)
    if unknown or twice or not told:
        raise FlowError(
            f"field '{name}': '{form}' is no format of a timestamp; it needs %Y, %m or %b, and %d, "
            "and may have %H %M %S %f %z, each once, as in {at:timestamp:%Y-%m-%d %H:%M:%S}"
        )


def _whole(text: str, field: TemplateField) -> int | None:
    value = int(text) if re.fullmatch(r"-?[0-9]+", text) else None
    least = LEAST[field.type]
    return value if value is not None and least <= value < -least else None


def _double(text: str, _field: TemplateField) -> float | None:
    if not re.fullmatch(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?", text):
        return None
    value = float(text)
    # What is too large or too small for a double is none.
    lost = value == 0 and re.search("[1-9]", re.split("[eE]", text)[0])
    return None if math.isinf(value) or lost else value


def _timestamp(text: str, field: TemplateField) -> dt.datetime | None:
    pattern = re.sub(
        r"%(.)| |[^% ]+",
        lambda one: DIRECTIVES[one[1]] if one[1] else " +" if one[0] == " " else re.escape(one[0]),
        field.format,
    )
    found = re.fullmatch(pattern, text, re.ASCII)
    if not found:
        return None
    part = {name: found.groupdict().get(name) or "0" for name in "YmdHMSf"}
    month = found.groupdict().get("b")
    try:
        time = dt.datetime(
            int(part["Y"]),
            MONTHS.index(month.lower()) + 1 if month else int(part["m"]),
            int(part["d"]),
            int(part["H"]),
            int(part["M"]),
            int(part["S"]),
            int(part["f"].ljust(6, "0")),
            dt.timezone.utc,
        )
        return time - _east(found.groupdict().get("z") or "Z")
    except (ValueError, OverflowError):
        return None


def _east(zone: str) -> dt.timedelta:
    if zone == "Z":
        return dt.timedelta()
    hours, minutes = int(zone[1:3]), int(zone[-2:])
    if hours > 23 or minutes > 59:
        raise ValueError(zone)
    return dt.timedelta(hours=hours, minutes=minutes) * (-1 if zone[0] == "-" else 1)


READERS: Mapping[str, Callable[[str, TemplateField], Any]] = {
    "string": lambda text, _: text,
    "int": _whole,
    "long": _whole,
    "double": _double,
    "timestamp": _timestamp,
}
