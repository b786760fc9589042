"""State on its way between channels, in files: Arrow's IPC format, readable by anything.

Packages can stay in memory, which is the default. In files they show what moves where, and a disk
has more room. What comes back must be what was written, bit for bit: it is handed to native code.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from penstock.c_data import CStruct
from penstock.errors import FlowError
from penstock.executor.temporary import temporary_folder

ARRAY_WORDS = 10


@dataclass(frozen=True)
class _Package:
    name: str
    donor: int
    checksum: int


class PackageFiles:
    """The packages of one change of channels, in a folder of their own that goes with it."""

    def __init__(self) -> None:
        try:
            self._folder = temporary_folder("migration")
        except OSError as error:
            raise _cannot_write(error) from error
        self._saved: dict[tuple[int, int], list[_Package]] = {}
        self._number = 0

    @property
    def folder(self) -> Path:
        """Where the files are, as `<operator>-<from>-<to>-<number>.arrow`."""
        return Path(self._folder.name)

    def save(
        self, member: int, donor: int, taker: int, schema_address: int, array_address: int
    ) -> None:
        """Write a package; schema and array are taken over."""
        schema = pa.Schema._import_from_c(schema_address)
        batch = pa.RecordBatch._import_from_c(array_address, schema)
        name = f"{member}-{donor}-{taker}-{self._number}.arrow"
        self._number += 1
        with pa.BufferOutputStream() as sink:
            with pa.ipc.new_file(sink, schema) as writer:
                writer.write_batch(batch)
            content = sink.getvalue()
        try:
            (self.folder / name).write_bytes(content)
        except OSError as error:
            raise _cannot_write(error) from error
        found = _Package(name, donor, zlib.crc32(content))
        self._saved.setdefault((member, taker), []).append(found)

    def retrieve(self, member: int, taker: int, sink: Callable[[int, int], None]) -> None:
        """Read all that was saved for a channel, whoever gave it, and delete it."""
        for package in self._saved.pop((member, taker), []):
            path = self.folder / package.name
            try:
                content = path.read_bytes()
            except OSError as error:
                raise _is_damaged(path, f"it cannot be read: {error}") from error
            if zlib.crc32(content) != package.checksum:
                raise _is_damaged(path, "it is not what was written")
            for batch in pa.ipc.open_file(content).read_all().to_batches():
                exported = CStruct(ARRAY_WORDS)
                batch._export_to_c(exported.address)
                sink(package.donor, exported.address)
            path.unlink()

    def close(self) -> None:
        """Delete the folder with whatever nobody took."""
        self._folder.cleanup()


def _cannot_write(error: OSError) -> FlowError:
    return FlowError(
        f"what operators remember cannot be put into files on its way between channels ({error}); "
        "make room there, or set spark.penstock.migration.store=memory"
    )


def _is_damaged(path: Path, problem: str) -> FlowError:
    return FlowError(
        f"what operators remember was damaged on its way between channels, in '{path}': {problem}; "
        "the task has to begin anew"
    )
