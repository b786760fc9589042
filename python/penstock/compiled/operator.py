"""Operators whose work is a compiled row function."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from penstock.compiled.compiling import compile_rows
from penstock.compiled.function import Compiled, as_compiled, check_function
from penstock.compiled.layout import Record, slots, usable_slots
from penstock.compiled.object_code import ObjectCode, load
from penstock.compiled.plain import Out, State, rows_of
from penstock.compiled.raw import as_column, raw_values
from penstock.errors import FlowError
from penstock.library.compiled_operator import CompiledOperator
from penstock.running import as_key, check_keys
from penstock.schema import SchemaLike, as_schema, quote

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class CompiledRows(CompiledOperator):
    """Gives each row, with what is remembered of its key, to a compiled function.

    Attributes:
        work: The function.
        role: What it is used for: `process`, `map` or `filter`.
        record: What is remembered of a key, if it goes by keys.
        code: What became of it.
    """

    work: Compiled
    role: str
    record: Record | None
    code: ObjectCode = field(repr=False)

    @property
    def body(self) -> str:
        """What it does."""
        keys = f" by {', '.join(map(quote, self.by))}" if self.by else ""
        return f"{self.role} {self.work.function.__name__} (compiled){keys}"

    def load(self) -> tuple[int, object]:
        """Bring the code into this process; where that cannot run it, compile it again."""
        code = self.code
        if not code.fits:
            LOG.warning(
                "operator '%s' was compiled for %s; compiling it again for this machine",
                self.name,
                code.machine,
            )
            made = slots(self.output) if self.makes_columns else None
            code = compile_rows(self.work, self.role, slots(self.input), self.record, made)
        loaded = load(code)
        return loaded.address, loaded

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Apply the plain function to a batch as if no row had come before."""
        usable = [slots(self.input)[place] for place in self.reads]
        columns = [raw_values(batch.column(place)) for place in self.reads]
        keys = self._keys(batch)
        states: dict[Any, State] = {}
        made: list[tuple[Any, ...]] = []
        origins: list[int] = []
        for place, row in enumerate(rows_of(usable, columns)):
            out = Out(slots(self.output) if self.makes_columns else None)
            if self.record is None:
                self._call(row, out)
            else:
                state = states.setdefault(keys[place], State(self.record.slots))
                self.work(state, row, out)
            made += out.made
            origins += [place] * len(out.made)
        if not self.makes_columns:
            return batch.take(pa.array(origins, pa.int32()))
        values = zip(*made, strict=True) if made else [()] * len(self.output)
        arrays = [as_column(list(v), f.type) for v, f in zip(values, self.output, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=self.output)

    def _call(self, row: Any, out: Out) -> None:
        if self.role == "process":
            self.work(row, out)
        elif self.role == "filter":
            if self.work(row):
                out.keep()
        else:
            returned = self.work(row)
            out.emit(*returned) if len(self.output) > 1 else out.emit(returned)

    def _keys(self, batch: pa.RecordBatch) -> list[Any]:
        of_columns = (map(as_key, batch.column(k).to_pylist()) for k in self.key_columns)
        return list(zip(*of_columns, strict=True))


def compiled_rows(
    given: pa.Schema,
    name: str,
    function: Any,
    role: str,
    *,
    out: SchemaLike | None = None,
    by: Sequence[str] | None = None,
    state: SchemaLike | None = None,
) -> CompiledRows:
    """Check and compile a row function, and build the operator.

    Args:
        given: Schema of the rows.
        name: Name of the operator.
        function: The function, decorated or not.
        role: `process`, `map` or `filter`.
        out: Schema of the rows it makes; None if it passes rows on.
        by: The key columns; None if it does not go by keys.
        state: What it remembers of a key, as a schema.
    """
    work = as_compiled(function)
    record = None
    if by is not None:
        check_keys(given, by)
        if state is None:
            raise FlowError(
                "name what the function remembers of a key, as in state='n long, last double'; one "
                "that remembers nothing needs no key_by"
            )
        record = Record.of(state)
    check_function(work, "keyed" if record else role)
    if role == "map" and out is None:
        raise FlowError(
            f"name what function '{work.function.__name__}' returns, as in out='z double'"
        )
    output = given if out is None else as_schema(out)
    made = None if out is None else usable_slots(output, "column of out=")
    return CompiledRows(
        name,
        given,
        output,
        by=tuple(by or ()),
        state_bytes=record.size if record else 0,
        reads=tuple(place for place, slot in enumerate(slots(given)) if slot.usable),
        makes_columns=made is not None,
        work=work,
        role=role,
        record=record,
        code=compile_rows(work, role, slots(given), record, made),
    )
