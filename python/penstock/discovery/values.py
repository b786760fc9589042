"""What the analysis knows of a value, instead of the value.

The invariant that all rests on: a *harmless* value (`OWN`, `ROW`, `Columns`, `Trusted`) leads to
nothing that can change except what belongs to the key of the row at hand: what the row brings,
what the call has made, and what is stored under the row's key. Anything made of harmless values
is harmless again, so they may be changed, stored under the key and yielded freely.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import TypeAlias


@dataclass(frozen=True)
class Own:
    """Cannot change, or belongs to the key of the row at hand alone."""


@dataclass(frozen=True)
class Row:
    """The row that `process` was called with."""


@dataclass(frozen=True)
class Columns:
    """Columns of that row and nothing else: one bare (`row.a`), or a tuple (`row.a, row.b`)."""

    names: tuple[str, ...]
    in_tuple: bool = False

    def __str__(self) -> str:
        parts = [f"row.{n}" if n.isidentifier() else f"row[{n!r}]" for n in self.names]
        return f"({', '.join(parts)}{',' * (len(parts) == 1)})" if self.in_tuple else parts[0]


@dataclass(frozen=True)
class Trusted:
    """A function or type that remembers nothing."""

    thing: object


@dataclass(frozen=True)
class Self:
    """The operator."""


@dataclass(frozen=True)
class Store:
    """A whole dictionary of the operator."""

    name: str


@dataclass(frozen=True)
class Lazy:
    """Code that has yet to run: a generator, an iterator that computes, a lambda."""


@dataclass(frozen=True)
class Callee:
    """A function with source; as a method it is given the operator too."""

    function: FunctionType
    is_method: bool


@dataclass(frozen=True)
class Module:
    """A module of which some members are trusted."""

    module: ModuleType


Harmless: TypeAlias = "Own | Row | Columns | Trusted"
Value: TypeAlias = "Harmless | Self | Store | Lazy | Callee | Module"

OWN = Own()
ROW = Row()
SELF = Self()
LAZY = Lazy()


def one_of(values: list[Harmless]) -> Harmless:
    """What is known of a value that is one of these."""
    return values[0] if values and all(v == values[0] for v in values) else OWN
