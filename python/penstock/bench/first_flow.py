"""How long the first compiled flow of a process takes: on the driver, and on an executor.

Each is asked of a fresh process: the driver compiles, an executor loads what was shipped to it.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from penstock.bench.report import Grid, Measure, Point, Target
from penstock.bench.section import Section, Stage

DRIVER, EXECUTOR = "driver compiles", "executor loads"

COMPILE = """
import json, pickle, sys, time
import penstock
import penstock.bench.threshold as bench
begin = time.perf_counter()
made = bench.flow_of(bench.COMPILED, "manual")
seconds = time.perf_counter() - begin
with open(sys.argv[1], "wb") as file:
    pickle.dump(made.operators[0], file)
print(json.dumps(seconds))
"""

LOAD = """
import json, pickle, sys, time
import penstock.wiring
with open(sys.argv[1], "rb") as file:
    operator = pickle.load(file)
begin = time.perf_counter()
operator.load()
seconds = time.perf_counter() - begin
print(json.dumps({"seconds": seconds, "numba": "numba" in sys.modules}))
"""


def first_flow(stage: Stage) -> Section:
    """Measure both in turn."""
    rounds = 3 if stage.size.quick else 7
    found: dict[str, list[float]] = {DRIVER: [], EXECUTOR: []}
    imports = 0
    with tempfile.TemporaryDirectory() as folder:
        shipped = Path(folder) / "operator"
        for _ in range(rounds):
            stage.tell("first flow: compiling")
            found[DRIVER].append(json.loads(_python(COMPILE, shipped)))
            stage.tell("first flow: loading")
            loaded = json.loads(_python(LOAD, shipped))
            found[EXECUTOR].append(loaded["seconds"])
            imports += loaded["numba"]
    return section_of(found, imports)


def section_of(found: Mapping[str, Sequence[float]], imports: int) -> Section:
    """What was measured, as points, goals and a table."""
    medians = {label: statistics.median(each) for label, each in found.items()}
    points = tuple(
        Point(f"first flow/{label}", {"median_s": medians[label], "runs": len(each)})
        for label, each in found.items()
    )
    rows: dict[str, tuple[Measure, ...]] = {
        label: (f"{seconds:.3g}",) for label, seconds in medians.items()
    }
    return Section(
        points,
        (
            Target("first flow: seconds to compile, numba's import included", medians[DRIVER], 2.0),
            Target("first flow: seconds to load what was shipped", medians[EXECUTOR], 0.2),
            Target("first flow: executors that had to import numba", imports, most=0),
        ),
        (Grid("the first compiled flow of a process", ("s",), rows),),
    )


def _python(program: str, shipped: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, str(shipped)], capture_output=True, text=True, check=True
    )
    return done.stdout
