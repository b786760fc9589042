"""Operators that a user has compiled to a library against `penstock_operator.h`.

The library exports a constant of type `penstock_operator`, which says what it reads, makes and
remembers. It is loaded where the flow is written, to check that, and again wherever the flow runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import pyarrow as pa

from penstock.errors import FlowError, did_you_mean
from penstock.library.compiled_operator import CompiledOperator, fits
from penstock.library.shared_library import Described, find, opened, parts_of
from penstock.running import check_keys
from penstock.schema import as_schema, quote, type_name

if TYPE_CHECKING:
    from penstock.flow import Flow
    from penstock.keyed import KeyedFlow

COLUMN_ADVICE = "booleans, numbers, dates, times, timestamps, decimals, strings and binary"


@dataclass(frozen=True)
class NativeLibrary(CompiledOperator):
    """An operator of a library.

    Attributes:
        library: Where it is, as it was written.
        path: Where it was found when the flow was written.
        symbol: Name of the operator in it.
        described: What it said then.
    """

    library: str
    path: str
    symbol: str
    described: Described

    @classmethod
    def over(
        cls, given: pa.Schema, name: str, where: str, by: Sequence[str] | None = None
    ) -> NativeLibrary:
        """Load the library, check that it fits the rows, and build the operator."""
        library, symbol = parts_of(where)
        path = find(library, None)
        described, _, _ = opened(path, symbol)
        what = f"'{where}'"
        if by is not None:
            check_keys(given, by)
        elif described.state_bytes:
            raise FlowError(
                f"{what} remembers {described.state_bytes} bytes of each key: say which columns "
                f"are the key, as in key_by('id').native({where!r})"
            )
        output = given
        if described.makes is not None:
            output = schema_of(described.makes, what, "makes")
        return cls(
            name,
            given,
            output,
            by=tuple(by) if by is not None and described.state_bytes else (),
            state_bytes=described.state_bytes,
            reads=places_of(schema_of(described.reads, what, "reads"), given, what),
            makes_columns=described.makes is not None,
            library=library,
            path=str(path),
            symbol=symbol,
            described=described,
        )

    @property
    def body(self) -> str:
        """What it does."""
        by = f" by {', '.join(map(quote, self.by))}" if self.by else ""
        return f"native {self.library}:{self.symbol}{by}"

    def load(self) -> tuple[int, object]:
        """Load the library here."""
        path = find(self.library, self.path)
        described, address, library = opened(path, self.symbol)
        if described != self.described:
            raise FlowError(
                f"'{path}:{self.symbol}' is not the one that the flow was written with: that was "
                f"{self.described}, and this is {described}; ship the same file to every executor"
            )
        return address, library


class NativeMethods:
    """What a flow has of it."""

    def native(self, library: str, *, name: str | None = None) -> Flow:
        """Give rows to an operator of a library that was compiled against `penstock_operator.h`.

        It finds its columns by name. Its library must be at the same path wherever the flow runs,
        or be shipped as a file (`spark-submit --files`, `SparkContext.addFile`), and is then found
        by its name. An operator that remembers something goes behind `key_by`.

        Args:
            library: The file and the operator in it, as in `libscores.so:score`.
            name: Name of the operator.

        >>> import pathlib, subprocess, tempfile
        >>> import penstock
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> code = folder / "even.c"
        >>> _ = code.write_text('''
        ... #include <penstock_operator.h>
        ... static int32_t process(penstock_frame* frame) {
        ...   const int64_t* n = (const int64_t*)frame->columns[0].values;
        ...   for (int64_t i = 0; i < frame->rows; ++i) {
        ...     int32_t row = frame->row ? frame->row[i] : (int32_t)i;
        ...     if (n[row] % 2 == 0) frame->from[frame->made++] = row;
        ...   }
        ...   return 0;
        ... }
        ... PENSTOCK_EXPORT(even) = {PENSTOCK_OPERATOR_ABI, 0, "n bigint NOT NULL", 0, process};
        ... ''')
        >>> made = str(folder / "even.so")
        >>> build = ["cc", "-shared", "-fPIC", "-I", penstock.include_dir(), "-o", made, str(code)]
        >>> _ = subprocess.run(build, check=True)
        >>> even = penstock.flow("f", "n bigint NOT NULL").native(f"{made}:even")
        >>> even.run(pa.table({"n": [1, 2, 3, 4]})).to_pylist()
        [{'n': 2}, {'n': 4}]
        """
        rows = cast("Flow", self)
        return rows._then("native", name, lambda given, n: NativeLibrary.over(given, n, library))


class KeyedNativeMethods:
    """What a flow by key has of it."""

    def native(self, library: str, *, name: str | None = None) -> Flow:
        """Give rows to an operator of a library that remembers something of each row's key.

        Takes what `Flow.native` takes. What it remembers of a key is a record of `state_bytes`
        bytes, all zero when the key is new.
        """
        rows = cast("KeyedFlow", self)
        return rows.then(
            "native", name, lambda given, n: NativeLibrary.over(given, n, library, rows.columns)
        )


def schema_of(ddl: str, what: str, verb: str) -> pa.Schema:
    """Read the columns that a library declares."""
    try:
        schema = as_schema(ddl)
    except FlowError as error:
        raise FlowError(f"the columns that {what} {verb}: {error}") from None
    for field in schema:
        if not fits(field.type):
            raise FlowError(
                f"{what} {verb} column '{field.name}' of type {type_name(field.type)}, which "
                f"penstock_operator.h has no room for; it takes {COLUMN_ADVICE}"
            )
    return schema


def places_of(wanted: pa.Schema, given: pa.Schema, what: str) -> tuple[int, ...]:
    """Where the columns are that a library reads; refuses others than it was compiled for."""
    for field in wanted:
        name = field.name
        if name not in given.names:
            raise FlowError(
                f"{what} reads column '{name}' ({type_name(field.type)}), which is not there; "
                f"{did_you_mean(name, given.names)}"
            )
        found = given.field(name)
        if found.type != field.type:
            raise FlowError(
                f"{what} reads column '{name}' as {type_name(field.type)}, and here it is "
                f"{type_name(found.type)}; cast it before, or compile it for that type"
            )
        if found.nullable and not field.nullable:
            raise FlowError(
                f"{what} reads column '{name}' as NOT NULL, and here it may be null; say NOT NULL "
                "in the flow's schema as well, or compile it to look at the column's validity"
            )
    return tuple(given.get_field_index(name) for name in wanted.names)
