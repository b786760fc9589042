"""A job as every contender is given it: rows in the order of their number, and what they make.

The sequential program is the definition of a job. Everything else has to make the same rows in
the same order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import pyarrow as pa

from penstock.flow import Flow
from penstock.schema import as_schema

Made: TypeAlias = "list[tuple[Any, ...]]"


class Program(Protocol):
    """A sequential program: what it remembers, and what a row leads to."""

    def row(self, *values: Any) -> Made:
        """Take the columns of one row; returns the rows it makes."""


class ByKey:
    """A program of its own for each key, which is in one column of the rows."""

    def __init__(self, of_key: Callable[[], Program], place: int) -> None:
        self._programs: defaultdict[Any, Program] = defaultdict(of_key)
        self._place = place

    def row(self, *values: Any) -> Made:
        """Give a row to the program of its key."""
        return self._programs[values[self._place]].row(*values)


class Prepared:
    """A program behind something that makes other rows of each row first."""

    def __init__(self, prepare: Callable[..., Made], program: Program) -> None:
        self._prepare = prepare
        self._program = program

    def row(self, *values: Any) -> Made:
        """Prepare a row, and give what came of it to the program."""
        return [made for row in self._prepare(*values) for made in self._program.row(*row)]


@dataclass(frozen=True)
class Job:
    """Something people do with Spark and Python.

    Attributes:
        name: What it is called in the report.
        rows: Of the input at most, in a full run: fast ways have them all.
        rows_by_key: What ways that give each key its rows have, however long they take: every key costs
            them something, which must not count for more because there are few rows of it.
        data: The columns of the input, as Spark SQL over `id`.
        output: Schema of what is made, as DDL.
        order: Columns of the output that its order follows.
        flow: The job as a flow.
        program: The job as a sequential program over all columns of the input.
        vectorised: The job on one pandas DataFrame after another, with a dict to remember in.
        keyed: The rows that are worked on by key, as Spark SQL over the table {rows}.
        key: Their key column.
        of_key: The rest of the job for one key: a program over all columns of `keyed`.
        group: The same on one pandas DataFrame, all rows of a key in their order.
        state: What `of_key` remembers, as DDL of one value; see `grouped.py`.
        sql: The job in Spark SQL alone, over the table {rows}.
        divided: How processes inside one task share it.
    """

    name: str
    rows: int
    rows_by_key: int
    data: tuple[str, ...]
    output: str
    order: tuple[str, ...]
    flow: Callable[[], Flow]
    program: Callable[[], Program]
    vectorised: Callable[[Any, dict[str, Any]], Any]
    keyed: str
    key: str
    of_key: Callable[[], Program]
    group: Callable[[Any], Any]
    state: str
    sql: str
    divided: Divided

    @property
    def schema(self) -> pa.Schema:
        """Of what is made."""
        return as_schema(self.output)


@dataclass(frozen=True)
class Divided:
    """How processes inside one task share a job.

    Attributes:
        prepare: The rows that a row of the input becomes first.
        program: What those are given to, in their order.
        key: Number of the column by which prepared rows are divided among processes, each with a
            program of its own; None where preparing is the work that is worth to be divided.
    """

    prepare: Callable[..., Made]
    program: Callable[[], Program]
    key: int | None = None


def rows_of(batch: pa.RecordBatch) -> Iterator[tuple[Any, ...]]:
    """The rows of a batch, as most people take them: as dictionaries."""
    for row in batch.to_pylist():
        yield tuple(row.values())


def batch_of(made: Iterable[tuple[Any, ...]], schema: pa.Schema) -> pa.RecordBatch:
    """A batch of rows."""
    rows = list(made)
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


Ways: TypeAlias = "Mapping[str, Callable[[Any, Job], Any]]"
