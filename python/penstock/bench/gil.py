"""Flows with one operator that holds the GIL among native ones: two threads against one.

Two threads in Python at once are slower than one. In the lane they never are, so a second thread
gains what the native operators are worth, and loses nothing where they are worth little.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from penstock import flow
from penstock.bench.keyed import timed
from penstock.bench.report import Grid, Measure, Point, Target
from penstock.bench.section import Answer, Section, Stage
from penstock.busy_work import with_work
from penstock.flow import Flow
from penstock.threading_model import ModelName

ROWS = 1_000_000
TUPLE_ROWS = 1_024
MANUAL, ONE = "manual", "conveyor x1"
WAYS: Mapping[str, tuple[ModelName, int]] = {
    MANUAL: ("manual", 1),
    ONE: ("conveyor", 1),
    "conveyor x2": ("conveyor", 2),
    "dynamic x2": ("dynamic", 2),
    "automatic x2": ("automatic", 2),
}
TWO = tuple(way for way, (_, threads) in WAYS.items() if threads == 2)

# Multiplications for each row of both native operators together.
LOADS = {"light": 8, "even": 64, "heavy": 400}
NOISE = 0.03  # of the medians of runs that take turns


def untouched(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The cheapest Python there is: a few microseconds for each tuple."""
    return batch


def row_by_row(batch: pa.RecordBatch) -> pa.RecordBatch:
    """As people write it: some tens of nanoseconds for each row."""
    values = [value + 1 for value in batch.column(0).to_pylist()]
    return batch.set_column(0, "n", pa.array(values, pa.int64()))


FUNCTIONS: Mapping[str, Callable[[pa.RecordBatch], pa.RecordBatch]] = {
    "cheap": untouched,
    "costly": row_by_row,
}


@dataclass(frozen=True)
class Result:
    """What one way reached in one case: medians.

    Attributes:
        rate: Rows a second.
        gain: This rate over that of the better way with one thread, round by round.
        runs: How many there were.
        same: Whether its rows are those of the other ways.
    """

    rate: float
    gain: float
    runs: int
    same: bool

    def point(self, name: str) -> Point:
        """The result for the report."""
        rows = "same" if self.same else "different"
        return Point(
            name,
            {"rows_per_s": self.rate, "over_one": self.gain, "runs": self.runs, "rows": rows},
        )


Results = Mapping[tuple[str, str], Result]  # by case and way


def gil(stage: Stage) -> Section:
    """Measure every way in every case."""
    data = pa.table({"n": pa.array(range(stage.size.rows(ROWS)), pa.int64())})
    cases = {
        f"{python} Python, {load} native": (python, load) for python in FUNCTIONS for load in LOADS
    }
    contenders = {
        f"gil, {case}": {
            way: timed(len(data), partial(run, way, python, load, data)) for way in WAYS
        }
        for case, (python, load) in cases.items()
    }
    answers = stage.rounds_of_cases(contenders, 12.0 if stage.size.quick else 120.0)
    few = data.slice(0, 20 * TUPLE_ROWS + 1)
    found: dict[tuple[str, str], Result] = {}
    for case, (python, load) in cases.items():
        expected = run(MANUAL, python, load, few)
        of_ways = {way: answers[f"gil, {case}", way] for way in WAYS}
        for way, each in of_ways.items():
            found[case, way] = Result(
                rate=statistics.median(one["rate"] for one in each),
                gain=gain(each, [of_ways[MANUAL], of_ways[ONE]]),
                runs=len(each),
                same=run(way, python, load, few).equals(expected),
            )
    return section_of(found)


def gain(two: Sequence[Answer], ones: Sequence[Sequence[Answer]]) -> float:
    """The median over rounds of a rate over that of whichever other way is better on the whole."""
    best = max(ones, key=lambda each: statistics.median(one["rate"] for one in each))
    over_one = [one["rate"] / other["rate"] for one, other in zip(two, best, strict=True)]
    return float(statistics.median(over_one))


def mixed(way: str, python: str, load: str) -> Flow:
    """The flow that is measured, run in one way."""
    model, threads = WAYS[way]
    rounds = LOADS[load] // 2
    before = with_work(flow("mixed", "n bigint"), "n", rounds).select("n", "worked")
    between = before.map(FUNCTIONS[python], "n bigint, worked bigint").select("n")
    return with_work(between, "n", rounds).threading(model, threads=threads)


def run(way: str, python: str, load: str, data: pa.Table) -> pa.Table:
    """Run the flow to its end."""
    settings = {"spark.penstock.tuple.rows": TUPLE_ROWS}
    return mixed(way, python, load).run(data, settings=settings).table


def section_of(found: Results) -> Section:
    """What was measured, as points, goals and a table."""
    points = tuple(result.point(f"gil, {case}/{way}") for (case, way), result in found.items())
    different = Target(
        "gil: ways with other rows", sum(not each.same for each in found.values()), most=0
    )
    return Section(points, (different, *targets(found)), (_grid(found),))


def targets(found: Results) -> tuple[Target, ...]:
    """The goals: nowhere slower than one thread, and faster where there is something to share."""
    slowest = {way: min(r.gain for (_, each), r in found.items() if each == way) for way in TWO}
    return (
        *(
            Target(f"gil, {way} / one thread: the worst case", least, least=1.0 - NOISE)
            for way, least in slowest.items()
        ),
        Target(
            "gil, conveyor x2 / one thread: cheap Python, heavy native",
            found["cheap Python, heavy native", "conveyor x2"].gain,
            least=1.6,
        ),
    )


def _grid(found: Results) -> Grid:
    rows: dict[str, tuple[Measure, ...]] = {}
    for (case, way), each in found.items():
        cell = f"{each.rate / 1e6:.3g}" + ("" if each.same else "*")
        rows[f"{case}/{way}"] = (cell, f"{each.gain:.2f}")
    title = f"one operator under the GIL, tuples of {TUPLE_ROWS} rows (* other rows)"
    return Grid(title, ("M rows/s", "over one thread"), rows)
