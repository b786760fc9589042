"""Which operators may be replicated on the channels of a region.

Safety first: what cannot be proven to give the same result on several channels is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types as is_

from penstock.channels import Elastic
from penstock.errors import FlowError
from penstock.expressions import bind, text_of
from penstock.lineage import Lineage, Origin, reads_only
from penstock.operators import Expression, Operator
from penstock.row_operator import FoundRows
from penstock.running import check_keys
from penstock.schema import quote


def key_of(by: Any, given: pa.Schema) -> tuple[Origin, ...]:
    """Check what divides the rows of a region among its channels; empty for nothing at all."""
    if by is None:
        return ()
    if isinstance(by, pc.Expression):
        found, text = bind(by, given), text_of(by)
        column = next((name for name in given.names if by.equals(pc.field(name))), None)
        if column is None:
            check_keys(pa.schema([(text, found)]), [text])
            return (Expression(by),)
        by = column
    if not isinstance(by, (str, tuple, list)):
        raise FlowError(
            "by= takes a column, a tuple of columns, a pyarrow.compute expression or None, "
            f"got {by!r}"
        )
    columns = (by,) if isinstance(by, str) else tuple(by)
    check_keys(given, columns)
    return columns


def text_of_key(by: Sequence[Origin]) -> str:
    """Write a key as a person would."""
    return ", ".join(quote(one) if isinstance(one, str) else str(one) for one in by)


def keys_of(operator: Operator) -> tuple[str, ...]:
    """The key columns of a keyed operator."""
    return tuple(getattr(operator, "by", ()))


def check_replicable(
    given: pa.Schema, operators: Sequence[Operator], by: tuple[Origin, ...], channels: Elastic
) -> None:
    """Refuse operators that would not do on channels what they do on one thread."""
    lineage = Lineage.of(given)
    for operator in operators:
        if operator.kind == "keyed":
            problem = _problem(operator, lineage, given, by, channels)
        elif operator.kind == "stateful":
            problem = (
                "is stateful: it must see all rows, so there cannot be several of it; put it "
                "behind the region"
            )
        else:
            problem = None
        if problem:
            raise FlowError(f"operator '{operator.name}' {problem}")
        lineage = lineage.through(operator)


def aligned(
    given: pa.Schema, operators: Sequence[Operator], by: tuple[Origin, ...]
) -> tuple[Operator, ...]:
    """Name the key columns of each operator in the region's order, wherever they are the same.

    An operator's keys then lie on the ring where those of the region do, so that what is known of
    a key moves to the channel that gets its rows.
    """
    lineage = Lineage.of(given)
    made: list[Operator] = []
    for operator in operators:
        keys = keys_of(operator)
        origins = lineage.of_columns(keys) if keys else None
        if origins is not None and _movable(operator, origins, by):
            in_order = tuple(sorted(keys, key=lambda key: by.index(lineage.origins[key])))
            made.append(replace(operator, by=in_order))  # type: ignore[call-arg]
        else:
            made.append(operator)
        lineage = lineage.through(operator)
    return tuple(made)


def _problem(
    operator: Operator,
    lineage: Lineage,
    given: pa.Schema,
    by: tuple[Origin, ...],
    channels: Elastic,
) -> str | None:
    keys = keys_of(operator)
    origins = lineage.of_columns(keys)
    goes_by = f"goes by {text_of_key(keys)}"
    if not by:
        return (
            f"{goes_by}, but without by= tuples go to the channels in turn, and rows of one key "
            f"to different ones; give by={_advice(origins)}"
        )
    if origins is not None and _movable(operator, origins, by):
        return None
    if origins is None or not _decides(origins, by, given):
        changed = [key for key in keys if not isinstance(lineage.origins.get(key), str)]
        if changed:
            return (
                f"{goes_by}, but '{changed[0]}' is made inside the region, so rows that are equal "
                "in it may be on different channels; make it before the region, and give it as by="
            )
        return (
            f"{goes_by}, but the region by {text_of_key(by)}, so rows of one key of the operator "
            f"may be on different channels; give by={_advice(origins)}"
        )
    if not channels.fixed:
        return (
            f"{goes_by}, and the region by {text_of_key(by)}: what it knows of a key could not "
            f"move when the number of channels changes; give by={_advice(origins)}, or a fixed "
            f"number, as in channels={channels.most}"
        )
    return None


def _movable(operator: Operator, origins: tuple[Origin, ...], by: tuple[Origin, ...]) -> bool:
    """Whether what it knows of a key belongs to the channel that gets the rows of that key."""
    if isinstance(operator, FoundRows):  # its source says in which order the columns come
        return origins == by
    return len(origins) == len(by) and set(origins) == set(by)


def _decides(origins: tuple[Origin, ...], by: tuple[Origin, ...], given: pa.Schema) -> bool:
    """Whether rows that are equal in `origins` are equal in `by`."""
    # Keys that are equal need not be the same number: -0.0 and 0.0 differ in 1 / x.
    columns = [given.field(one) for one in origins if isinstance(one, str)]
    exact = pa.schema([field for field in columns if not is_.is_floating(field.type)])
    return all(
        one in origins or (isinstance(one, Expression) and reads_only(one, exact)) for one in by
    )


def _advice(origins: tuple[Origin, ...] | None) -> str:
    if origins is None:
        return "its key, made before the region"
    if any(isinstance(one, Expression) for one in origins):
        return "the expression that makes its key"
    return repr(origins[0] if len(origins) == 1 else origins)
