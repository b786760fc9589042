"""Rows for operators that work on one at a time.

>>> Row = row_class(["host", "tries"])
>>> row = Row(("a", 3))
>>> row.host, row["tries"], row.as_dict()
('a', 3, {'host': 'a', 'tries': 3})
>>> row.hots  # doctest: +ELLIPSIS
Traceback (most recent call last):
    ...
penstock.rows.UnknownColumn: the row has no column 'hots'; did you mean 'host'? ...
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar

from penstock.errors import did_you_mean


class UnknownColumn(AttributeError, KeyError):
    """A row was asked for a column that it does not have."""

    def __str__(self) -> str:
        return str(self.args[0])


class Row(tuple[Any, ...]):
    """A row: a tuple of its values that also knows them by name. It cannot be changed.

    A column whose name is that of a method hides the method.
    """

    __slots__ = ()
    __columns__: ClassVar[dict[str, int]] = {}

    def __getitem__(self, column: Any) -> Any:
        """A value by the name of its column or by position."""
        if isinstance(column, str):
            try:
                column = type(self).__columns__[column]
            except KeyError:
                raise _unknown(column, type(self).__columns__) from None
        return tuple.__getitem__(self, column)

    def __getattr__(self, name: str) -> Any:
        raise _unknown(name, type(self).__columns__)

    def as_dict(self) -> dict[str, Any]:
        """The values by the names of their columns."""
        return dict(zip(type(self).__columns__, self, strict=True))

    def __reduce__(self) -> tuple[Any, ...]:
        """Its class is made when it is needed, so it is named by the columns."""
        return _row_of, (tuple(type(self).__columns__), tuple(self))

    def __repr__(self) -> str:
        named = zip(type(self).__columns__, self, strict=True)
        return f"Row({', '.join(f'{name}={value!r}' for name, value in named)})"


def row_class(names: Sequence[str]) -> type[Row]:
    """A class for rows of these columns; it is called with the values in their order."""
    return _row_class(tuple(names))


@lru_cache(maxsize=256)
def _row_class(names: tuple[str, ...]) -> type[Row]:
    # Reading a field of a namedtuple is the fastest way there is, whatever its name.
    fields = [f"c{place}" for place in range(len(names))]
    named: Any = namedtuple("named", fields)  # type: ignore[misc]
    members: dict[str, Any] = {
        name: getattr(named, field)
        for name, field in zip(names, fields, strict=True)
        if not (name.startswith("__") and name.endswith("__"))
    }
    members.update(__slots__=(), __columns__={name: place for place, name in enumerate(names)})
    return type("Row", (Row,), members)


def _row_of(names: tuple[str, ...], values: tuple[Any, ...]) -> Row:
    return row_class(names)(values)


def _unknown(name: str, known: Any) -> UnknownColumn:
    return UnknownColumn(f"the row has no column '{name}'; {did_you_mean(name, known)}")
