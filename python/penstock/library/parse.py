"""Columns from lines of text, by a template.

>>> given = pa.schema([("line", pa.string())])
>>> failed = Parse.over(given, "failed", "line", "{user} from {ip} port {port:int}")
>>> batch = pa.RecordBatch.from_pydict({"line": ["root from ::1 port 22", "closed"]})
>>> failed.process(batch).to_pylist()[0]
{'line': 'root from ::1 port 22', 'user': 'root', 'ip': '::1', 'port': 22}
>>> failed.body
"parse line by '{user} from {ip} port {port:int}'"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import pyarrow as pa
from pyarrow import types as is_

from penstock.errors import FlowError, did_you_mean
from penstock.library.native_operator import NativeOperator
from penstock.library.text_template import TextTemplate
from penstock.schema import quote, type_name

# What to do with a row that does not match.
Mismatch: TypeAlias = Literal["null", "drop", "error"]
MISMATCHES = ("null", "drop", "error")


@dataclass(frozen=True)
class Parse(NativeOperator):
    """Adds the fields of a template that are found in a column of text.

    Attributes:
        column: The text.
        text: The template as it was written.
        template: The template.
        on_mismatch: What to do with a row that does not match.
    """

    column: str
    text: str
    template: TextTemplate
    on_mismatch: Mismatch

    factory: ClassVar[str] = "parse"

    @classmethod
    def over(
        cls,
        given: pa.Schema,
        name: str,
        column: str,
        template: str,
        on_mismatch: Mismatch = "null",
    ) -> Parse:
        """Check the column and the template and build the operator."""
        check_text(given, column)
        check_mismatch(on_mismatch)
        read = TextTemplate.of(template)
        output = with_columns(given, read.columns)
        return cls(name, given, output, column, template, read, on_mismatch)

    @property
    def body(self) -> str:
        """What it does."""
        otherwise = "" if self.on_mismatch == "null" else f", otherwise {self.on_mismatch}"
        return f"parse {quote(self.column)} by {self.text!r}{otherwise}"

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the engine has to know."""
        return {
            "column": self.input.get_field_index(self.column),
            "literals": list(self.template.literals),
            "pieces": [(field.type, field.format) for field in self.template.fields],
            "mismatch": self.on_mismatch,
        }

    @property
    def kept(self) -> Mapping[str, str]:
        """All columns stay."""
        return {name: name for name in self.input.names}

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Parse one line after another."""
        made = self.template.columns
        rows, values = list[int](), list[list[Any]]()
        for row, line in enumerate(batch.column(self.column).to_pylist()):
            found = self.template.match(line)
            if found is None and self.on_mismatch == "error":
                raise FlowError(f"the line {line!r} does not match the template")
            if found is not None or self.on_mismatch == "null":
                rows.append(row)
                values.append(found or [None] * len(made))
        columns = batch.take(pa.array(rows, pa.int64())).columns
        for place, field in enumerate(made):
            columns.append(pa.array([each[place] for each in values], field.type))
        return pa.RecordBatch.from_arrays(columns, schema=self.output)


def check_text(given: pa.Schema, column: Any) -> None:
    """Refuse what is no column of text."""
    if column not in given.names:
        raise FlowError(f"unknown column {column!r}; {did_you_mean(str(column), given.names)}")
    found = given.field(column).type
    if not (is_.is_string(found) or is_.is_large_string(found)):
        raise FlowError(f"column '{column}' is {type_name(found)}, and must be a string")


def check_mismatch(on_mismatch: Any) -> None:
    """Refuse what says nothing about rows that do not match."""
    if on_mismatch not in MISMATCHES:
        raise FlowError(f"on_mismatch= must be one of {', '.join(MISMATCHES)}, got {on_mismatch!r}")


def with_columns(given: pa.Schema, more: list[pa.Field]) -> pa.Schema:
    """The columns given and some more, unless one is there already."""
    for field in more:
        if field.name in given.names:
            raise FlowError(f"column '{field.name}' is there already; give the field another name")
        given = given.append(field)
    return given
