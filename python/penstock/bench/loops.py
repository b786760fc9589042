"""A Barrier as a driver loop in Python, against a plain Python loop over the same batches.

The plain loop is what one would write in `mapInArrow`: it parts each batch by its tag, keeps what is
left over, and puts rows together. Rows of the two ports alternate, which is the worst for a loop that
wakes by rows: it goes on with every second row.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Generator
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from penstock.bench.keyed import timed
from penstock.bench.report import Grid, Point, Target
from penstock.bench.section import Section, Stage
from penstock.flow import Flow
from penstock.loops.inputs import inputs
from penstock.loops.waits import wait_all

ROWS = 2_000_000
FEW_ROWS = 40_000  # for the loop that wakes by rows
BATCH_ROWS = 10_000
PLAIN, TUPLES, BY_ROWS = "plain loop", "loop, wake by tuples", "loop, wake by rows"


def barrier(left: Any, right: Any, out: Any) -> Generator[Any, Any, None]:
    """Put the rows of two ports together, the first with the first."""
    while (yield wait_all(left=1, right=1)):
        count = min(len(left), len(right))
        out.push(joined(left.take(count), right.take(count)))


def joined(left: pa.RecordBatch, right: pa.RecordBatch) -> pa.RecordBatch:
    """What is made of rows of both, by either contender."""
    columns = [left["k"], left["n"], right["n"], pc.add(left["n"], right["n"])]
    return pa.RecordBatch.from_arrays(columns, names=["k", "a", "b", "total"])


def plain(batches: list[pa.RecordBatch]) -> list[pa.RecordBatch]:
    """The same without an engine."""
    made = []
    waiting: list[list[pa.RecordBatch]] = [[], []]
    for batch in batches:
        tags, rows = batch.column(0), batch.select(["k", "n"])
        for side in (0, 1):
            waiting[side].append(rows.filter(pc.equal(tags, pa.scalar(side, pa.int8()))))
        whole = [pa.Table.from_batches(parts).combine_chunks() for parts in waiting]
        count = min(len(one) for one in whole)
        if count:
            made.append(joined(*(one.slice(0, count).to_batches()[0] for one in whole)))
        waiting = [one.slice(count).to_batches() or [rows.slice(0, 0)] for one in whole]
    return made


def flow_of(wake: Any) -> Flow:
    """The loop as a flow of two inputs."""
    left, right = inputs("barrier", left="k long, n long", right="k long, n long")
    return left.loop(barrier, right=right, out="k long, a long, b long, total long", wake=wake)


def given(rows: int) -> list[pa.RecordBatch]:
    """Rows of both ports by turns, as they come to a flow of two inputs."""
    numbers = pa.array(range(rows), pa.int64())
    tags = pa.array([0, 1] * (rows // 2), pa.int8())
    schema = flow_of("rows").input_schema
    table = pa.table([tags, pc.multiply(numbers, 7), numbers], schema=schema)
    return list(table.to_batches(max_chunksize=BATCH_ROWS))


def loops(stage: Stage) -> Section:
    """Measure the three by turns, and compare what they make."""
    many, few = given(stage.size.rows(ROWS) // 2 * 2), given(FEW_ROWS)
    work: dict[str, tuple[list[pa.RecordBatch], Callable[[Any], Any]]] = {
        PLAIN: (many, plain),
        TUPLES: (many, flow_of("tuples").run),
        BY_ROWS: (few, flow_of("rows").run),
    }
    contenders = {
        name: timed(sum(len(one) for one in batches), partial(run, batches))
        for name, (batches, run) in work.items()
    }
    seconds = 6.0 if stage.size.quick else 40.0
    found = stage.rounds_of(contenders, 3 if stage.size.quick else 9, seconds, "loops: ")
    rates = {name: statistics.median(one["rate"] for one in each) for name, each in found.items()}
    times = [
        one["rate"] / other["rate"] for one, other in zip(found[PLAIN], found[TUPLES], strict=True)
    ]
    wanted = pa.Table.from_batches(plain(few))
    wrong = sum(flow_of(wake).run(few).table != wanted for wake in ("rows", "tuples"))
    points = tuple(
        Point(f"loops/{name}", {"rows_per_s": rate, "runs": len(found[name])})
        for name, rate in rates.items()
    )
    slower = rates[PLAIN] / rates[BY_ROWS]
    targets = (
        Target("loops: with other rows than the plain loop", wrong, most=0),
        Target(
            'Barrier in Python, wake="tuples": time / plain loop',
            float(statistics.median(times)),
            most=1.5,
            note=f'by the default, wake="rows", {slower:,.0f} times as long here',
        ),
    )
    cells: dict[str, tuple[str | int | float, ...]] = {
        name: (f"{rate / 1e6:.3g}",) for name, rate in rates.items()
    }
    return Section(points, targets, (Grid("Barrier in Python", ("M rows/s",), cells),))
