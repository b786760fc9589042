"""What operators remember, damaged on its way: a clear error, no crash, nothing used (T8, G3)."""

from __future__ import annotations

import itertools
import math
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.fuzz.amount import share

from penstock import Elastic, Flow, FlowError, OperatorError, agg, flow, worker
from penstock.c_data import CStruct
from penstock.package_files import ARRAY_WORDS, PackageFiles
from penstock.spec import FlowSpec

DDL = "k string, n bigint"
DATA = pa.table({"k": [f"k{n % 23}" for n in range(400)], "n": pa.array(range(400), pa.int64())})
FILES = {"spark.penstock.migration.store": "files", "spark.penstock.tuple.rows": 20}
SCHEMA_WORDS = 9


def truncated(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content))]


def flipped(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.randrange(1, 4)):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def longer(content: bytes, chance: random.Random) -> bytes:
    return content + chance.randbytes(chance.randrange(1, 9))


DAMAGES: list[Callable[[bytes, random.Random], bytes]] = [truncated, flipped, longer]


def totals(rows: Flow) -> Flow:
    return rows.key_by("k").running(total=agg.sum("n"), most=agg.max("n"), name="totals")


@pytest.mark.parametrize("damage", DAMAGES)
def test_no_damaged_package_is_handed_on(damage: Callable[[bytes, random.Random], bytes]) -> None:
    chance = random.Random(damage.__name__)
    files = PackageFiles()
    batch = pa.RecordBatch.from_pydict({"k": ["a", None, "é" * 9], "n": [1, 2, None]})
    seen: Counter[str] = Counter()
    for _ in range(share(0.004)):
        schema, array = CStruct(SCHEMA_WORDS), CStruct(ARRAY_WORDS)
        batch._export_to_c(array.address, schema.address)
        files.save(0, 1, 2, schema.address, array.address)
        [path] = files.folder.iterdir()
        whole = path.read_bytes()
        spoiled = damage(whole, chance)
        path.write_bytes(spoiled)
        if spoiled == whole:  # a bit was flipped twice
            files.retrieve(0, 2, lambda _donor, address: take(address, batch.schema))
            seen["whole"] += 1
            continue
        with pytest.raises(FlowError, match=r"was damaged on its way.*0-1-2-\d+\.arrow"):
            files.retrieve(0, 2, lambda *_: pytest.fail("damaged rows were handed on"))
        path.unlink()
        seen["refused"] += 1
    files.close()
    assert seen["refused"] > share(0.004) * 0.9, seen


def take(address: int, schema: pa.Schema) -> None:
    pa.RecordBatch._import_from_c(address, schema)


@pytest.mark.parametrize("model", ["manual", "conveyor"])
def test_a_flow_whose_packages_are_damaged_fails_and_says_so(
    model: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    chance = random.Random(model)
    plain = PackageFiles.save

    def save(files: PackageFiles, *package: int) -> None:
        before = set(files.folder.iterdir())
        plain(files, *package)
        for path in set(files.folder.iterdir()) - before:
            damage = chance.choice(DAMAGES)
            path.write_bytes(damage(path.read_bytes(), chance))

    monkeypatch.setattr(PackageFiles, "save", save)
    made = flow("f", DDL).parallel(totals, by="k", channels=Elastic(1, 4), name="region")
    spec = FlowSpec.of(made.threading(model), FILES)  # type: ignore[arg-type]
    for _ in range(share(0.0002)):
        with pytest.raises(OperatorError, match="was damaged on its way between channels"):
            list(moving(spec))
        assert not list(tmp_path.iterdir()), "nothing is left behind"


def moving(spec: FlowSpec) -> Any:
    """The rows of a flow whose channels change with every batch."""
    turns: list[Callable[[str, int], None]] = []
    widths = itertools.cycle([4, 1, 3])
    for batch in worker.run(spec, iter(DATA.to_batches(max_chunksize=20)), steer=turns.append):
        turns[0]("region", next(widths))
        yield batch


def sent(table: pa.Table) -> bytes:
    with pa.BufferOutputStream() as sink:
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        return bytes(sink.getvalue().to_pybytes())


def spoiled_table(whole: bytes, chance: random.Random) -> pa.Table:
    """A table with a few bytes of its buffers changed, as Arrow's reader accepts it."""
    while True:
        # The second half of what is sent is buffers, but for the eight bytes that end it.
        half = len(whole) // 2
        changed = whole[:half] + flipped(whole[half:-8], chance) + whole[-8:]
        try:
            return pa.ipc.open_stream(changed).read_all()
        except pa.ArrowInvalid:
            continue


def is_state(table: pa.Table) -> bool:
    """Whether Arrow finds nothing wrong, and no key is there twice."""
    try:
        table.validate(full=True)
    except pa.ArrowInvalid:
        return False
    keys = table["k"].to_pylist()
    return len(set(keys)) == len(keys)


def test_a_broken_state_is_not_restored() -> None:
    chance = random.Random("restore")
    made = totals(flow("f", DDL))
    whole = sent(made.run(DATA, checkpoint=True).states["totals"].combine_chunks())
    seen: Counter[bool] = Counter()
    for _ in range(share(0.02)):
        given = spoiled_table(whole, chance)
        if not is_state(given):
            seen[False] += 1
            with pytest.raises(FlowError, match="operator 'totals': the state is broken"):
                made.run(DATA, restore={"totals": given})
        else:
            seen[True] += 1
            assert made.run(DATA, restore={"totals": given}).table.num_rows == DATA.num_rows
    assert min(seen[True], seen[False]) > share(0.02) // 50, seen


@pytest.mark.parametrize(("one", "other"), [(0.0, -0.0), (math.nan, -math.nan), (2.5, 2.5)])
def test_numbers_that_are_one_key_are_not_restored_as_two(one: float, other: float) -> None:
    made = flow("f", "k double, n bigint").key_by("k").running(total=agg.sum("n"), name="totals")
    data = pa.table({"k": [one, 7.0], "n": pa.array([1, 2], pa.int64())})
    state = made.run(data, checkpoint=True).states["totals"]
    assert made.run(data, restore={"totals": state}).table["total"].to_pylist() == [2, 4]
    double = state.set_column(0, "k", pa.array([one, other]))
    with pytest.raises(FlowError, match="it has a key twice"):
        made.run(data, restore={"totals": double})
