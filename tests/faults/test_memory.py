"""A worker under `spark.executor.pyspark.memory`, which is a limit on address space (T5)."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import resource, sys, threading, warnings
import pyarrow as pa
import pyarrow.compute as pc
from penstock import agg, flow
from penstock.spec import FlowSpec
from penstock.partition import run_partition

kind, room = sys.argv[1], int(sys.argv[2]) << 20
warnings.simplefilter("always")

def twice(batch):
    return pa.RecordBatch.from_pydict({"n": pc.multiply(batch["n"], 2)})

def hungry(batch):
    if batch.num_rows:
        kept.append(bytearray(1 << 30))
    return batch

kept = []
begun = flow("tight", "n long")
made = {
    "threads": lambda: begun.map(twice).threading("conveyor", threads=200),
    "dynamic": lambda: begun.map(twice).threading("dynamic", threads=200),
    "dedicated": lambda: begun.map(twice).threading("dedicated"),
    "python": lambda: begun.map(hungry, name="hungry").threading("conveyor", threads=2),
    "state": lambda: begun.key_by("n").running(total=agg.sum("n"), name="totals").select("n"),
}[kind]()
per_batch = 200_000 if kind == "state" else 10
count = 400 if kind == "state" else 200
batches = (
    pa.RecordBatch.from_pydict({"n": range(at * per_batch, (at + 1) * per_batch)})
    for at in range(count)
)
spec = FlowSpec.of(made)
with open("/proc/self/statm") as sizes:
    used = int(sizes.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + room, used + room))
rows = 0
for batch in run_partition(spec, batches):
    rows += batch.num_rows
print("rows", rows)
"""


def tight(kind: str, room: int) -> subprocess.CompletedProcess[str]:
    """Run a flow with so many MiB more than an idle worker uses."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, kind, str(room)],
        capture_output=True,
        text=True,
        timeout=240,  # the end of a test that hangs
        check=False,
    )


@pytest.mark.parametrize("kind", ["threads", "dynamic"])
def test_a_flow_goes_on_with_the_threads_it_can_have_and_says_so(kind: str) -> None:
    done = tight(kind, 128)
    assert done.stdout == "rows 2000\n", done.stderr
    assert "flow 'tight' went on with fewer threads: cannot start thread 'penstock-" in done.stderr
    assert "spark.executor.pyspark.memory" in done.stderr


@pytest.mark.parametrize(("kind", "operator"), [("python", "hungry"), ("state", "totals")])
def test_an_operator_that_needs_more_than_there_is_fails_with_the_way_out(
    kind: str, operator: str
) -> None:
    done = tight(kind, 256)
    assert done.returncode == 1, done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert f"operator '{operator}', input row" in done.stderr
    assert "MemoryError" in done.stderr
    assert "memory ran out; this Python worker may use " in done.stderr
    assert "which spark.executor.pyspark.memory sets" in done.stderr
    assert "spark.penstock.flow.tight.threads" in done.stderr, last
