"""Rows of several ports in one stream: the number of the port, then the columns of all of them.

Columns of the same name and type are one; the others are null in rows of other ports.

>>> layout = Layout.of({"a": pa.schema([("k", pa.int64()), ("x", pa.int64())]),
...                     "b": pa.schema([("k", pa.int64()), ("x", pa.string())])})
>>> layout.schema.names
['port', 'k', 'x', 'b_x']
>>> layout.places("b")
(1, 3)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from penstock.library.branches import NOTHING, Tag
from penstock.library.two_sides import check_kept
from penstock.loops.arrivals import Tagged
from penstock.operators import Filter, Operator, Select

TAG = "port"
MOST_PORTS = 127


@dataclass(frozen=True)
class Layout:
    """Where the columns of each port are in a tagged row.

    Attributes:
        ports: Names and columns of the ports; the first has the number 0.
        schema: Columns of a tagged row.
        columns: For each port the places of its columns.
    """

    ports: tuple[tuple[str, pa.Schema], ...]
    schema: pa.Schema
    columns: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, ports: Mapping[str, pa.Schema], tag: str = TAG) -> Layout:
        """Lay out the rows of these ports."""
        names = {name for schema in ports.values() for name in schema.names}
        fields = [pa.field(_unused(tag, names), pa.int8(), nullable=False)]
        found: dict[tuple[str, pa.DataType], int] = {}
        columns = []
        for port, schema in ports.items():
            places = []
            for one in schema:
                key = one.name, one.type
                if key not in found:
                    found[key] = len(fields)
                    taken = {field.name for field in fields}
                    name = one.name
                    if name in taken:
                        name = _unused(f"{port}_{name}", taken | names)
                    fields.append(pa.field(name, one.type))
                places.append(found[key])
            columns.append(tuple(places))
        made = cls(tuple(ports.items()), pa.schema(fields), tuple(columns))
        made._check()
        return made

    def places(self, port: str) -> tuple[int, ...]:
        """Places of the columns of a port."""
        return self.columns[self.number(port)]

    def number(self, port: str) -> int:
        """Number of a port."""
        return [name for name, _ in self.ports].index(port)

    @property
    def tagged(self) -> Tagged:
        """What parts the rows again."""
        schemas = tuple(schema for _, schema in self.ports)
        return Tagged(tuple(range(len(self.ports))), schemas, self.columns)

    def tags(self, name: str) -> list[Tag]:
        """What makes tagged rows of those of each port."""
        return [
            Tag(f"{name}.{port}", schema, self.schema, number, self._sources(number))
            for number, (port, schema) in enumerate(self.ports)
        ]

    def tagger(self, port: str) -> Callable[[pa.RecordBatch], pa.RecordBatch]:
        """The same for the batches of one port, in Python."""
        number = self.number(port)
        sources = self._sources(number)
        tag = pa.scalar(number, pa.int8())

        def tagged(batch: pa.RecordBatch) -> pa.RecordBatch:
            rows = batch.num_rows
            columns = [pa.repeat(tag, rows)]
            for field, place in zip(list(self.schema)[1:], sources, strict=True):
                missing = place == NOTHING
                columns.append(pa.nulls(rows, field.type) if missing else batch.column(place))
            return pa.RecordBatch.from_arrays(columns, names=self.schema.names)

        return tagged

    def rows_of(self, port: str, name: str) -> tuple[Operator, Operator]:
        """What finds the rows of one port in the stream, and gives them their own columns."""
        tag = self.schema.names[0]
        found = Filter.over(self.schema, f"{name}.rows", pc.field(tag) == self._scalar(port))
        schema = self.ports[self.number(port)][1]
        return found, Select(name, self.schema, schema, self.places(port))

    def port_of(self, operators: tuple[Operator, ...]) -> str | None:
        """The port whose rows these operators find, if they do nothing else."""
        for port, _ in self.ports:
            wanted = self.rows_of(port, "any")
            found = tuple(replace(one, name=other.name) for one, other in zip(operators, wanted))  # noqa: B905
            if len(operators) == len(wanted) and found == wanted:
                return port
        return None

    def _scalar(self, port: str) -> pa.Scalar:
        return pa.scalar(self.number(port), pa.int8())

    def _sources(self, number: int) -> tuple[int, ...]:
        columns = self.columns[number]
        return tuple(
            columns.index(place) if place in columns else NOTHING
            for place in range(1, len(self.schema))
        )

    def _check(self) -> None:
        shared = set(self.columns[0]).intersection(*self.columns)
        check_kept(
            pa.schema([field for place, field in enumerate(self.schema) if place not in shared])
        )


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name
