"""The stream that an operator of two branches works on: rows of both, told apart by a tag.

A tagged row is the number of its branch, then its key and its time, then the columns of the left
branch and those of the right one, null where the row is of the other. Nobody else sees such rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyarrow import types as is_

from penstock.errors import FlowError
from penstock.library.branches import NOTHING, Tag
from penstock.operators import Operator
from penstock.running import as_key, check_keys
from penstock.schema import type_name

LEFT, RIGHT = 0, 1
NO_TIME = -1


@dataclass(frozen=True)
class TwoSides:
    """What of two branches is joined, by name.

    Attributes:
        left: Schema of the one branch.
        right: Schema of the other.
        by: Columns in which rows must be equal.
        time: Column of times, if there is one.
        suffix: For names on the right that are taken on the left.
    """

    left: pa.Schema
    right: pa.Schema
    by: tuple[str, ...]
    time: str | None
    suffix: str

    @classmethod
    def over(
        cls, left: pa.Schema, right: pa.Schema, by: Sequence[str], time: str | None, suffix: Any
    ) -> TwoSides:
        """Check that both sides have the columns, of the same types."""
        if not isinstance(suffix, str) or not suffix:
            raise FlowError(f"suffix={suffix!r} must be a text that is added to names on the right")
        for schema, side in ((left, "left"), (right, "right")):
            if by:
                _check_keys(schema, by, side)
            check_kept(schema)
        for column in (*by, *([time] if time else ())):
            ours, theirs = left.field(column).type, right.field(column).type
            if ours != theirs:
                raise FlowError(
                    f"column '{column}' is {type_name(ours)} on the left and {type_name(theirs)} "
                    "on the right; make them the same before"
                )
        return cls(left, right, tuple(by), time, suffix)

    @property
    def tagged(self) -> pa.Schema:
        """Columns of a row of either side."""
        shared = [*self.by, *([self.time] if self.time and self.time not in self.by else ())]
        tag = "side"
        while tag in shared:
            tag += "_"
        return pa.schema(
            [pa.field(tag, pa.int8())]
            + [pa.field(name, self.left.field(name).type) for name in shared]
            + [pa.field(f"left.{one.name}", one.type) for one in self.left]
            + [pa.field(f"right.{one.name}", one.type) for one in self.right]
        )

    def tags(self, name: str) -> tuple[Tag, Tag]:
        """What makes tagged rows of those of each side."""
        shared = self.tagged.names[1 : self._first_left]
        of_left = [self.left.get_field_index(one) for one in shared]
        of_right = [self.right.get_field_index(one) for one in shared]
        left, right = range(len(self.left)), range(len(self.right))
        return (
            Tag(
                f"{name}.left",
                self.left,
                self.tagged,
                LEFT,
                (*of_left, *left, *(NOTHING for _ in right)),
            ),
            Tag(
                f"{name}.right",
                self.right,
                self.tagged,
                RIGHT,
                (*of_right, *(NOTHING for _ in left), *right),
            ),
        )

    def output(self, *, outer: bool) -> pa.Schema:
        """Columns of a joined row; `outer` where there need not be a right one."""
        fields = list(self.left)
        for place in self._right_columns:
            field = self.right.field(place)
            name = field.name
            if name in self.left.names:
                name += self.suffix
            if name in {one.name for one in fields}:
                raise FlowError(
                    f"column '{name}' would occur twice in the output; give another suffix=, or "
                    "rename it with select before"
                )
            fields.append(field.with_name(name).with_nullable(field.nullable or outer))
        return pa.schema(fields)

    @property
    def keys(self) -> list[int]:
        """Places of the key in a tagged row."""
        return [self.tagged.get_field_index(one) for one in self.by]

    @property
    def time_column(self) -> int:
        """Place of the time in a tagged row."""
        return NO_TIME if self.time is None else self.tagged.get_field_index(self.time)

    @property
    def sides(self) -> tuple[list[int], list[int], int]:
        """Places of what is made of a left row and of a right one, and of the time."""
        first = self._first_left
        left = [first + place for place in range(len(self.left))]
        right = [first + len(self.left) + place for place in self._right_columns]
        return left, right, self.time_column

    def rows(self, batch: pa.RecordBatch) -> Iterator[SidedRow]:
        """Read a batch of tagged rows."""
        left, right, time = self.sides
        columns = [column.to_pylist() for column in batch.columns]
        for row in range(batch.num_rows):
            values = [column[row] for column in columns]
            key = tuple(as_key(values[place]) for place in self.keys)
            at = None if time == NO_TIME else batch.column(time)[row]
            whole = None if at is None or not at.is_valid else _whole(at)
            side = values[0]
            yield SidedRow(
                side,
                key,
                whole,
                tuple(values[place] for place in (left if side == LEFT else right)),
                None in key or (at is not None and whole is None),
            )

    @property
    def nothing(self) -> tuple[None, ...]:
        """The right columns where there is no right row."""
        return (None,) * len(self._right_columns)

    @property
    def _first_left(self) -> int:
        return len(self.tagged) - len(self.left) - len(self.right)

    @property
    def _right_columns(self) -> list[int]:
        return [place for place, name in enumerate(self.right.names) if name not in self.by]


@dataclass
class SidedRow:
    """A row of one side.

    Attributes:
        side: `LEFT` or `RIGHT`.
        key: Compares as keys do.
        time: As a whole number.
        values: What is made of it.
        meets_none: Whether its key or its time is null, which equals nothing.
        met: Whether it has met another.
    """

    side: int
    key: tuple[Any, ...]
    time: int | None
    values: tuple[Any, ...]
    meets_none: bool
    met: bool = False


def batch_of(rows: Sequence[tuple[Any, ...]], operator: Operator) -> pa.RecordBatch | None:
    """Make a batch of what an operator made."""
    if not rows:
        return None
    columns = [
        pa.array(values, field.type)
        for values, field in zip(zip(*rows, strict=True), operator.output, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=operator.output)


def check_kept(schema: pa.Schema) -> None:
    """Refuse columns that cannot be kept between rows."""
    for field in schema:
        if is_.is_nested(field.type) or is_.is_dictionary(field.type):
            raise FlowError(
                f"column '{field.name}' of type {field.type} cannot be kept between rows; select "
                "the columns that are needed, or take plain values out of it first"
            )


def _check_keys(schema: pa.Schema, by: Sequence[str], side: str) -> None:
    try:
        check_keys(schema, by)
    except FlowError as error:
        raise FlowError(f"on the {side}: {error}") from None


def _whole(value: pa.Scalar) -> int:
    return int(value.as_py() if is_.is_integer(value.type) else value.value)
