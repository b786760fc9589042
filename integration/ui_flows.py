"""The flow that the tests of the UI look at: some of everything, and as long as it takes to look."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import penstock
from penstock import Flow, agg
from penstock.busy_work import with_work

HOSTILE = "<img src=x onerror=document.title='taken'>"
BATCH = 2_000
SHARES = (5, 1, 1, 1)


# From this row on, which only the largest partition has, nothing goes on before it may end.
LAST_TO_SHOW = 1_200_000
PATIENCE = 150.0


class Enrich:
    """A function that takes its time until `folder` holds a file `released`."""

    def __init__(self, folder: Path) -> None:
        self._released = folder / "released"

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        if not self._released.exists():
            hashlib.pbkdf2_hmac("sha256", b"penstock", b"salt", 4_000)
        if batch.num_rows and batch["id"][0].as_py() > LAST_TO_SHOW:
            # A browser may need longer to start than all these rows take.
            ends = time.monotonic() + PATIENCE
            while not self._released.exists() and time.monotonic() < ends:
                time.sleep(0.05)
        return batch


def clicks(folder: Path) -> Flow:
    """Native, keyed and Python operators, a region with channels, and threads that are elastic."""
    begun = penstock.flow("clicks", "id long").filter(pc.field("id") >= 0, name="valid")
    worked = with_work(begun, "id", rounds=1_500).with_column(
        "visitor", pc.bit_wise_and(pc.field("id"), 1023), name="visitor"
    )
    return (
        worked.parallel(
            lambda rows: rows.key_by("visitor").running(seen=agg.count(), name="visits"),
            by="visitor",
            channels=2,
            name="by_visitor",
        )
        .map(Enrich(folder), name="enrich")
        .select("visitor", "seen", name="result")
        .threading("automatic", threads=2, elastic=True)
    )


# The second operator takes a thousand times as long as the first, so that tuples wait before it.
waits = with_work(
    penstock.flow("waits", "id long").filter(pc.field("id") >= 0, name="quick"), "id", rounds=1_500
).threading("dynamic", threads=2)


def uneven(spark: Any, batches: int) -> Any:
    """Four partitions, of which the first has five times as many rows as the others."""
    rows = f"IF(id = 0, {SHARES[0]}, {SHARES[1]}) * {batches * BATCH}L"
    # Not a union of ranges: Spark makes one partition of those that have one each.
    return spark.range(0, len(SHARES), 1, len(SHARES)).selectExpr(
        f"explode(sequence(0L, {rows} - 1)) AS id"
    )


class Pretends:
    """A function that writes a status file of its own, with names that no flow can have."""

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        if batch.num_rows:
            folder = Path(os.environ["SPARK_LOCAL_DIRS"].split(",")[0]) / "penstock"
            (folder / f"pe-{os.getpid()}-666.json").write_text(json.dumps(hostile_status()))
        return batch


def hostile_status() -> dict[str, Any]:
    return {
        "version": 1,
        "flow": HOSTILE,
        "pid": os.getpid(),
        "host": HOSTILE,
        "stage": 0,
        "partition": 0,
        "started": 1.0,
        "state": "failed",
        "error": HOSTILE,
        "operators": [{"name": HOSTILE, "kind": HOSTILE}],
        "channels": {HOSTILE: 2},
        "decisions": [{"lever": HOSTILE, "text": HOSTILE, "seconds": 0}],
    }


pretending = penstock.flow("pretending", "id long").map(Pretends(), name="pretends")
