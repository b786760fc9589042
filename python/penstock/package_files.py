"""State on its way between channels, in files: Arrow's IPC format, readable by anything.

Within one process packages can stay in memory, which is the default. In files they show what moves
where, and cross processes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

from penstock.c_data import CStruct
from penstock.errors import FlowError
from penstock.executor.temporary import temporary_folder

ARRAY_WORDS = 10


class PackageFiles:
    """The packages of one change of channels, in a folder of their own that goes with it."""

    def __init__(self) -> None:
        try:
            self._folder = temporary_folder("migration")
        except OSError as error:
            raise _cannot_write(error) from error
        self._saved = 0

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
        path = self.folder / f"{member}-{donor}-{taker}-{self._saved}.arrow"
        self._saved += 1
        try:
            with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, schema) as writer:
                writer.write_batch(batch)
        except OSError as error:
            raise _cannot_write(error) from error

    def retrieve(self, member: int, taker: int, sink: Callable[[int, int], None]) -> None:
        """Read all that was saved for a channel, whoever gave it, and delete it."""
        for path in sorted(self.folder.glob(f"{member}-*-{taker}-*.arrow")):
            with pa.OSFile(str(path), "rb") as file:
                table = pa.ipc.open_file(file).read_all()
            donor = int(path.name.split("-")[1])
            for batch in table.to_batches():
                exported = CStruct(ARRAY_WORDS)
                batch._export_to_c(exported.address)
                sink(donor, exported.address)
            path.unlink()

    def close(self) -> None:
        """Delete the folder with whatever nobody took."""
        self._folder.cleanup()


def _cannot_write(error: OSError) -> FlowError:
    return FlowError(
        f"what operators remember cannot be put into files on its way between channels ({error}); "
        "make room there, or set spark.penstock.migration.store=memory"
    )
