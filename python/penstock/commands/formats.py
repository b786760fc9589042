"""Files of rows: read batch by batch, and written under another name until they are whole."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from penstock.errors import FlowError

SUFFIXES = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".csv": "csv",
}
ROWS_PER_BATCH = 64 * 1024
KNOWN = ".parquet, .arrow or .csv"


@dataclass(frozen=True)
class Rows:
    """What is in a file, or in all files of a folder.

    Attributes:
        batches: Its rows, read as they are asked for.
        total: How many there are, if the file says so.
    """

    batches: Iterator[pa.RecordBatch]
    total: int | None


def read(path: Path, wanted: pa.Schema) -> Rows:
    """Open a file, or the files of a folder in the order of their names, as Spark writes them."""
    files = _files(path)
    batches = (batch for file in files for batch in _guarded(file, wanted))
    if all(format_of(file) == "parquet" for file in files):
        with _saying(path):
            return Rows(batches, sum(pq.read_metadata(file).num_rows for file in files))
    return Rows(batches, None)


def format_of(path: Path) -> str:
    """The format that the name of a file says."""
    found = SUFFIXES.get(path.suffix.lower())
    if found is None:
        raise FlowError(f"'{path}' is of no known format; its name must end with {KNOWN}")
    return found


@contextlib.contextmanager
def written(path: Path, schema: pa.Schema, *, force: bool) -> Iterator[Callable[[Any], None]]:
    """Write batches to a file that appears, whole, when the block is left without an error."""
    kind = format_of(path)
    if path.exists() and not force:
        raise FlowError(f"'{path}' exists; --force replaces it")
    if path.is_dir():
        raise FlowError(f"'{path}' is a folder; name a file")
    with _saying(path):
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            with _saying(path), _writer(kind, file, schema) as writer:
                yield lambda batch: _write(path, writer, batch)
            file.flush()
            os.fsync(file.fileno())
        # Private while it grew; from now on like any other file.
        part.chmod(0o666 & ~_mask())
        _put(part, path, force=force)
    finally:
        part.unlink(missing_ok=True)


def _write(path: Path, writer: Any, batch: pa.RecordBatch) -> None:
    with _saying(path):
        writer.write_batch(batch)


def _writer(kind: str, file: Any, schema: pa.Schema) -> Any:
    if kind == "parquet":
        return pq.ParquetWriter(file, schema)
    if kind == "arrow":
        return pa.ipc.new_file(file, schema)
    return pa_csv.CSVWriter(file, schema)


def _put(part: Path, path: Path, *, force: bool) -> None:
    """Give the file its name; one that came up meanwhile is not replaced unasked."""
    if force:
        part.replace(path)
        return
    try:
        path.hardlink_to(part)
    except FileExistsError:
        raise FlowError(f"'{path}' exists; --force replaces it") from None
    except OSError:
        part.replace(path)  # a file system without hard links


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise FlowError(f"there is no file '{path}'")
    if not path.is_dir():
        format_of(path)
        return [path]
    found = sorted(
        one
        for one in path.iterdir()
        if one.is_file() and not one.name.startswith(("_", ".")) and one.suffix.lower() in SUFFIXES
    )
    if not found:
        raise FlowError(f"there is no {KNOWN} file in the folder '{path}'")
    return found


def _guarded(path: Path, wanted: pa.Schema) -> Iterator[pa.RecordBatch]:
    batches = READERS[format_of(path)](path, wanted)
    while True:
        with _saying(path):
            batch = next(batches, None)
        if batch is None:
            return
        yield batch


def _parquet(path: Path, wanted: pa.Schema) -> Iterator[pa.RecordBatch]:
    with pq.ParquetFile(path) as file:
        names = [name for name in file.schema_arrow.names if name in wanted.names]
        # A column that is missing is told by the flow, which knows what it wanted.
        yield from file.iter_batches(batch_size=ROWS_PER_BATCH, columns=names)


def _arrow(path: Path, _: pa.Schema) -> Iterator[pa.RecordBatch]:
    with pa.OSFile(str(path)) as file:
        try:
            reader = pa.ipc.open_file(file)
        except pa.ArrowInvalid:
            file.seek(0)
            yield from pa.ipc.open_stream(file)
            return
        for number in range(reader.num_record_batches):
            yield reader.get_batch(number)


def _csv(path: Path, wanted: pa.Schema) -> Iterator[pa.RecordBatch]:
    # Columns are of the types that the flow wants, not of those that the first rows look like.
    types = {field.name: field.type for field in wanted}
    options = pa_csv.ConvertOptions(column_types=types, strings_can_be_null=True)
    with pa_csv.open_csv(path, convert_options=options) as reader:
        yield from reader


READERS: Mapping[str, Callable[[Path, pa.Schema], Iterator[pa.RecordBatch]]] = {
    "parquet": _parquet,
    "arrow": _arrow,
    "csv": _csv,
}


@contextlib.contextmanager
def _saying(path: Path) -> Iterator[None]:
    """Name the file in what goes wrong with it."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise FlowError(f"'{path}': {error}") from error
