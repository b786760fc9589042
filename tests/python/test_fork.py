"""User code that forks: the copy of a running flow gets an error, the flow itself goes on."""

from __future__ import annotations

import functools
import subprocess
import sys

import pytest

from penstock.threading_model import MODELS

PROGRAM = """
import os, sys
import pyarrow as pa
import pyarrow.compute as pc
from penstock import flow

batches = [pa.RecordBatch.from_pydict({"n": [n]}) for n in range(40)]

def run(model, where, child_does):
    parent = os.getpid()
    said = []

    def fork():
        child = os.fork()
        if child:
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            said.append(f"the child ended with {code}")
        elif child_does == "leaves":
            os._exit(3)
        elif child_does == "raises":
            raise ValueError("for the child only")
        elif child_does == "exits":
            sys.exit(5)

    def forks_at_17(batch):
        if where == "inside" and batch.num_rows and batch["n"][0].as_py() == 17:
            fork()
        return batch

    made = flow("forked", "n long").map(forks_at_17, name="forks").filter(pc.field("n") >= 0)
    rows = []
    for batch in made.threading(model).stream(batches):
        rows += batch["n"].to_pylist()
        if where == "between" and len(rows) == 5:
            fork()
    assert os.getpid() == parent, "a child got to the end of the flow"
    said.append("all rows" if rows == [*range(40)] else f"only {rows}")
    return said

model = sys.argv[1]
for case in sys.argv[2:]:
    where, child_does = case.split("/")
    print(case, *run(model, where, child_does), sep=", ", flush=True)
"""
CASES = ["between/goes on", "inside/goes on", "inside/raises", "between/exits", "between/raises"]
CASES += ["between/leaves", "inside/leaves"]


@functools.cache
def forked(model: str) -> tuple[dict[str, str], str]:
    """Run every case in one process, and its children; what came of each, and the errors."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, model, *CASES],
        capture_output=True,
        text=True,
        timeout=120,  # the end of a test that hangs
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = (line.partition(", ") for line in done.stdout.splitlines())
    return {case: outcome for case, _, outcome in lines}, done.stderr


@pytest.mark.parametrize("case", ["between/goes on", "inside/goes on", "inside/raises"])
@pytest.mark.parametrize("model", MODELS)
def test_a_child_that_goes_on_with_the_flow_ends_with_an_error(model: str, case: str) -> None:
    outcomes, errors = forked(model)
    assert outcomes[case] == "the child ended with 1, all rows"
    # One line for each of the three.
    assert errors.count("cannot go on in process") >= 3
    assert errors.count("start the flow after forking") >= 3


@pytest.mark.parametrize(("case", "code"), [("between/exits", 5), ("between/raises", 1)])
@pytest.mark.parametrize("model", MODELS)
def test_a_child_that_holds_a_copy_of_the_flow_ends_without_waiting_for_its_threads(
    model: str, case: str, code: int
) -> None:
    assert forked(model)[0][case] == f"the child ended with {code}, all rows"


@pytest.mark.parametrize("case", ["between/leaves", "inside/leaves"])
@pytest.mark.parametrize("model", MODELS)
def test_a_child_that_leaves_the_flow_alone_harms_nobody(model: str, case: str) -> None:
    assert forked(model)[0][case] == "the child ended with 3, all rows"
