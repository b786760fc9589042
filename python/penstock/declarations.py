"""The grammar of penstock-defaults.conf: what a setting is, and which values it takes.

>>> text = '''
... # How often to look.
... # @ duration 10ms..1h
... spark.penstock.elastic.period   500ms
... '''
>>> period = parse_declarations(text)["spark.penstock.elastic.period"]
>>> period.parse(period.key, "2s")
2000
>>> period.parse(period.key, "1ms")
Traceback (most recent call last):
    ...
penstock.errors.SettingError: spark.penstock.elastic.period=1ms is out of range; allowed is a \
duration from 10ms to 1h
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from penstock.errors import SettingError

FLOW_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
MARK = "# @"

# Spark's own suffixes, so that values can be copied between Spark's settings and ours.
MILLISECONDS = {
    "": 1, "ms": 1, "s": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000,
}  # fmt: skip
BYTES = {"": 1, "b": 1} | {
    unit: 1024**power
    for power, letter in enumerate("kmgt", start=1)
    for unit in (letter, letter + "b")
}
UNITS = {"int": {"": 1}, "duration": MILLISECONDS, "bytes": BYTES}
ARTICLES = {"int": "an int", "duration": "a duration", "bytes": "a size in bytes"}


@dataclass(frozen=True, slots=True)
class Declaration:
    """One setting: its key, its default, what it is for and what it may be.

    Attributes:
        key: Its name; one path element may be `*`, which stands for the name of a flow.
        default: Its value when nobody sets it, as written.
        documentation: The comment above it, a line each.
        type: `int`, `duration`, `bytes`, `bool` or `enum`.
        allowed: Least and most value as written, or the words of an enum.
    """

    key: str
    default: str
    documentation: tuple[str, ...]
    type: str
    allowed: tuple[str, ...]

    def parse(self, key: str, text: str) -> int | bool | str:
        """Turn a value into what it means: a number, milliseconds, bytes, a bool or a word."""
        if self.type in UNITS:
            units = UNITS[self.type]
            number = _number(text, units)
            least, most = (_number(bound, units) for bound in self.allowed)
            if number is None or least is None or most is None:
                raise SettingError(f"{key}={text} is not {ARTICLES[self.type]}; {self.hint}")
            if not least <= number <= most:
                raise SettingError(f"{key}={text} is out of range; {self.hint}")
            return number
        word = text.strip().lower() if self.type == "bool" else text.strip()
        if word not in self.allowed:
            raise SettingError(f"{key}={text} is not possible; {self.hint}")
        return word == "true" if self.type == "bool" else word

    @property
    def hint(self) -> str:
        """What is allowed, in words."""
        if self.type in UNITS:
            return f"allowed is {ARTICLES[self.type]} from {self.allowed[0]} to {self.allowed[1]}"
        return "allowed is " + " or ".join(self.allowed)

    def matches(self, key: str) -> bool:
        """Whether `key` is this setting, said for one flow."""
        before, star, after = self.key.partition("*")
        if not (star and key.startswith(before) and key.endswith(after)):
            return False
        return FLOW_NAME.fullmatch(key[len(before) : len(key) - len(after)]) is not None


def parse_declarations(text: str) -> Mapping[str, Declaration]:
    """Read the declarations of a defaults file, in its order."""
    found: dict[str, Declaration] = {}
    comment: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()  # noqa: PLW2901
        if not line:
            comment = []
        elif line.startswith("#"):
            comment.append(line)
        else:
            key, default = _split(line)
            if key in found:
                raise SettingError(f"line {number}: {key} is declared twice")
            found[key] = _declare(key, default, comment, number)
            comment = []
    return found


def _declare(key: str, default: str, comment: list[str], number: int) -> Declaration:
    if not comment or not comment[-1].startswith(MARK):
        raise SettingError(f"line {number}: {key} needs a line '{MARK} <type> <range>' above it")
    name, _, allowed = comment[-1].removeprefix(MARK).strip().partition(" ")
    if name in UNITS:
        bounds = tuple(bound.strip() for bound in allowed.split(".."))
        if len(bounds) != 2 or any(_number(bound, UNITS[name]) is None for bound in bounds):
            raise SettingError(f"line {number}: '{allowed}' is not a range LO..HI of {name}")
    elif name == "bool":
        bounds = ("true", "false")
    elif name == "enum":
        bounds = tuple(word.strip() for word in allowed.split("|"))
    else:
        raise SettingError(f"line {number}: '{name}' is not int, bool, enum, duration or bytes")
    documentation = tuple(line.lstrip("#").strip() for line in comment[:-1])
    declaration = Declaration(key, default, documentation, name, bounds)
    declaration.parse(key, default)
    return declaration


def _split(line: str) -> tuple[str, str]:
    key, _, value = re.sub(r"\s*[=\s]\s*", " ", line, count=1).partition(" ")
    return key, value.strip()


def _number(text: str, units: Mapping[str, int]) -> int | None:
    match = re.fullmatch(r"(-?[0-9]+)([a-z]*)", text.strip().lower())
    if match is None or match[2] not in units:
        return None
    return int(match[1]) * units[match[2]]
