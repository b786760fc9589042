"""State that changes channels through files of Arrow's format."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from penstock import Elastic, Flow, agg, flow, state, worker
from penstock.c_data import CStruct
from penstock.package_files import ARRAY_WORDS, PackageFiles
from penstock.settings import Settings
from penstock.spec import FlowSpec

FILES = {"spark.penstock.migration.store": "files", "spark.penstock.tuple.rows": 4}
ROWS = 600


def save(files: PackageFiles, member: int, donor: int, taker: int, batch: pa.RecordBatch) -> None:
    schema, array = CStruct(9), CStruct(ARRAY_WORDS)
    batch._export_to_c(array.address, schema.address)
    files.save(member, donor, taker, schema.address, array.address)


def retrieve(files: PackageFiles, member: int, taker: int) -> list[tuple[int, list[int]]]:
    found: list[tuple[int, list[int]]] = []

    def sink(donor: int, address: int) -> None:
        batch = pa.RecordBatch._import_from_c(address, pa.schema([("n", pa.int64())]))
        found.append((donor, batch["n"].to_pylist()))

    files.retrieve(member, taker, sink)
    return found


def batch_of(*numbers: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"n": pa.array(numbers, pa.int64())})


def test_each_channel_gets_what_was_saved_for_it_once() -> None:
    files = PackageFiles()
    save(files, 0, 3, 1, batch_of(31))
    save(files, 0, 2, 1, batch_of(21, 22))
    save(files, 1, 2, 1, batch_of(7))
    save(files, 0, 2, 11, batch_of(8))
    assert sorted(retrieve(files, 0, 1)) == [(2, [21, 22]), (3, [31])]
    assert retrieve(files, 0, 1) == []
    assert retrieve(files, 1, 1) == [(2, [7])]
    files.close()


def test_what_is_saved_can_be_read_by_anybody_until_it_is_closed() -> None:
    files = PackageFiles()
    save(files, 0, 0, 1, batch_of(5))
    (path,) = files.folder.iterdir()
    assert pa.ipc.open_file(str(path)).read_all().to_pydict() == {"n": [5]}
    folder = files.folder
    files.close()
    assert not folder.exists()


class Count:
    """Counts the rows of each key in Python."""

    seen = state.Value("bigint")

    def process(self, row: object) -> list[dict[str, object]]:
        self.seen.put(self.seen.get(0) + 1)
        return [{"k": row["k"], "n": row["n"], "seen": self.seen.get()}]  # type: ignore[index]


def native(rows: Flow) -> Flow:
    return rows.key_by("k").running(seen=agg.count(), name="count")


def python(rows: Flow) -> Flow:
    return rows.key_by("k").apply(Count(), out="k string, n bigint, seen bigint", name="count")


@pytest.mark.parametrize("body", [native, python])
def test_a_region_moves_its_state_by_files_when_it_is_told_to(
    body: Callable[[Flow], Flow], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    saved: list[str] = []
    plain = PackageFiles.save

    def save_noted(files: PackageFiles, *package: int) -> None:
        plain(files, *package)
        saved.extend(path.name for path in files.folder.iterdir())

    monkeypatch.setattr(PackageFiles, "save", save_noted)
    keys = [f"k{n * n % 23}" for n in range(ROWS)]
    data = pa.table({"k": keys, "n": pa.array(range(ROWS), pa.int64())})
    made = flow("f", "k string, n bigint").parallel(
        body, by="k", channels=Elastic(1, 8), name="region"
    )
    spec = FlowSpec.of(made.threading("conveyor", threads=2), FILES)
    widths = itertools.cycle([4, 2, 3, 8, 1])
    turns: list[Callable[[str, int], None]] = []
    found = []
    for batch in worker.run(spec, iter(data.to_batches(max_chunksize=20)), steer=turns.append):
        turns[0]("region", next(widths))
        found += batch["seen"].to_pylist()
    counts = dict.fromkeys(keys, 0)
    right = []
    for key in keys:
        counts[key] += 1
        right.append(counts[key])
    assert found == right
    assert saved, "nothing moved by files"
    assert not list(tmp_path.iterdir()), "nothing is left behind"


def test_memory_is_the_default() -> None:
    assert not Settings().migrates_by_files
    assert Settings.of(FILES).migrates_by_files
