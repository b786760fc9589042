"""What users give to the methods of a flow: checked, and refused in words.

>>> wanted_columns(("a",), {}, ["a", "b"])
[('a', 'a')]
>>> check_column("")
Traceback (most recent call last):
    ...
penstock.errors.FlowError: a column needs a name, got ''
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from penstock.errors import FlowError, did_you_mean

OPERATOR_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


def wanted_columns(
    columns: Sequence[Any], named_expressions: Mapping[str, Any], known: Sequence[str]
) -> list[tuple[str, Any]]:
    """Name each output column of a select, with the column or expression it is made of."""
    wanted: list[tuple[str, Any]] = []
    for column in columns:
        if not isinstance(column, str):
            raise FlowError(
                f"columns are selected by name, got {type(column).__name__}; give an "
                "expression a name, as in select(total=pc.field('a') + 1)"
            )
        wanted.append((column, column))
    wanted += [(new, as_expression(made)) for new, made in named_expressions.items()]
    if not wanted:
        raise FlowError(f"name at least one column; {did_you_mean('', known)}")
    return wanted


def as_expression(value: Any) -> Any:
    """Refuse a string, which further down would mean the column of that name."""
    if isinstance(value, str):
        raise FlowError(
            f"an expression is needed, got the string {value!r}; write pc.field({value!r}) for "
            f"the column or pc.scalar({value!r}) for the text"
        )
    return value


def check_column(column: Any) -> None:
    """Refuse what cannot name a column."""
    if not (isinstance(column, str) and column):
        raise FlowError(f"a column needs a name, got {column!r}")


def check_name(name: Any, pattern: re.Pattern[str], what: str) -> None:
    """Refuse what cannot name `what`."""
    if not isinstance(name, str) or not pattern.fullmatch(name):
        raise FlowError(f"{name!r} cannot name {what}; it must match {pattern.pattern}")
