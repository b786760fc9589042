"""A running sum by key, as users run it: ordered, with many threads, even and skewed keys.

The same rows also go through the loop over a dict that one would write in Python otherwise: once
with lists that are there already, once from Arrow to Arrow as everything else.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from penstock import agg, flow
from penstock.bench.report import Grid, Measure, Point, Target
from penstock.bench.section import Answer, Section, Stage
from penstock.flow import Flow
from penstock.threading_model import ModelName

ROWS = 8_000_000
LOOP_ROWS = 1_000_000
KEYS = 1_000
TUPLE_ROWS = 1_024
DRAWN = 1 << 17
EXPONENTS = {"uniform": 0.0, "zipf 1.2": 1.2}
LOOP, ARROW_LOOP = "dict loop", "dict loop over Arrow"
MANUAL, ONE = "manual", "conveyor x1"
TWO, QUEUED, AUTOMATIC = "conveyor x2", "dynamic x2", "automatic x2"
WAYS: Mapping[str, tuple[ModelName, int]] = {
    MANUAL: ("manual", 1),
    ONE: ("conveyor", 1),
    TWO: ("conveyor", 2),
    QUEUED: ("dynamic", 2),
    AUTOMATIC: ("automatic", 2),
}


@dataclass(frozen=True)
class Result:
    """What one way reached with one kind of keys: medians.

    Attributes:
        rate: Rows a second.
        cpu_rate: Rows in a second of CPU time, of all threads together.
        runs: How many there were.
        same: Whether its totals are those of the loop, row for row.
    """

    rate: float
    cpu_rate: float
    runs: int
    same: bool

    @classmethod
    def of(cls, answers: Sequence[Answer], *, same: bool) -> Result:
        """The medians of what `timed` gave."""
        rate = statistics.median(each["rate"] for each in answers)
        cpu_rate = statistics.median(each["cpu_rate"] for each in answers)
        return cls(rate, cpu_rate, len(answers), same)

    def point(self, name: str) -> Point:
        """The result for the report."""
        return Point(
            name,
            {
                "rows_per_s": self.rate,
                "rows_per_cpu_s": self.cpu_rate,
                "runs": self.runs,
                "totals": "same" if self.same else "different",
            },
        )


Results = Mapping[tuple[str, str], Result]  # by keys and way


def keyed(stage: Stage) -> Section:
    """Measure every way with every kind of keys."""
    rows, loop_rows = stage.size.rows(ROWS), stage.size.rows(LOOP_ROWS)
    found: dict[tuple[str, str], Result] = {}
    for keys, exponent in EXPONENTS.items():
        stage.tell(f"keyed, {keys}: checking")
        data = table(rows, exponent)
        few = data.slice(0, loop_rows)
        lists = few["k"].to_pylist(), few["v"].to_pylist()
        expected = pa.chunked_array([dict_loop(*lists)], pa.int64())
        same = {way: run(way, few)["total"].equals(expected) for way in WAYS}
        turns = {way: timed(rows, partial(run, way, data)) for way in WAYS}
        turns[LOOP] = timed(len(few), partial(dict_loop, *lists))
        turns[ARROW_LOOP] = timed(len(few), partial(arrow_loop, few))
        quick = stage.size.quick
        answers = stage.rounds_of(
            turns, 5 if quick else 11, 8.0 if quick else 120.0, f"keyed, {keys}: "
        )
        found |= {
            (keys, way): Result.of(each, same=same.get(way, True)) for way, each in answers.items()
        }
    return section_of(found)


def totals(way: str) -> Flow:
    """The flow that is measured, run in one way."""
    model, threads = WAYS[way]
    running = flow("totals", "k bigint, v bigint").key_by("k").running(total=agg.sum("v"))
    return running.threading(model, threads=threads)


def run(way: str, data: pa.Table) -> pa.Table:
    """Run the flow to its end."""
    return totals(way).run(data, settings={"spark.penstock.tuple.rows": TUPLE_ROWS}).table


def dict_loop(keys: Sequence[int], values: Sequence[int]) -> list[int]:
    """The same in Python."""
    sums: dict[int, int] = {}
    made = []
    for key, value in zip(keys, values, strict=True):
        total = sums.get(key, 0) + value
        sums[key] = total
        made.append(total)
    return made


def arrow_loop(data: pa.Table) -> pa.Table:
    """The loop as a function of a table."""
    made = dict_loop(data["k"].to_pylist(), data["v"].to_pylist())
    return data.append_column("total", pa.array(made, pa.int64()))


def table(rows: int, exponent: float) -> pa.Table:
    """So many rows; key k is (k + 1) ** -exponent times as frequent as key 0.

    Some are drawn and repeated, because drawing all would take longer than what is measured.
    """
    chance = random.Random(4)
    weights = [(key + 1) ** -exponent for key in range(KEYS)]
    drawn = pa.RecordBatch.from_pydict(
        {
            "k": pa.array(chance.choices(range(KEYS), weights, k=min(rows, DRAWN)), pa.int64()),
            "v": pa.array(chance.choices(range(1_000), k=min(rows, DRAWN)), pa.int64()),
        }
    )
    times = -(-rows // drawn.num_rows)
    # In one piece: the same few rows again and again would stay in the cache.
    return pa.Table.from_batches([drawn] * times).slice(0, rows).combine_chunks()


def section_of(found: Results) -> Section:
    """What was measured, as points, goals and a table."""
    points = tuple(result.point(f"keyed, {keys}/{way}") for (keys, way), result in found.items())
    different = Target(
        "keyed: ways with other totals", sum(not each.same for each in found.values()), most=0
    )
    return Section(points, (different, *targets(found)), (_grid(found),))


def targets(found: Results) -> tuple[Target, ...]:
    """The goals; the best of the ways with two threads, and with one, is what counts."""

    def rate(way: str, keys: str = "uniform") -> float:
        return found[keys, way].rate

    alone = max(rate(MANUAL), rate(ONE))
    two = max(rate(way) for way in (TWO, QUEUED, AUTOMATIC))
    cpu = max(found["uniform", way].cpu_rate for way in (MANUAL, ONE))
    return (
        Target("keyed: M rows per second of CPU time, one thread", cpu / 1e6, least=25.0),
        Target("keyed: two threads / one", two / alone, least=1.6),
        *(
            Target(f"keyed: one thread / {loop}", alone / rate(loop), least=10.0)
            for loop in (LOOP, ARROW_LOOP)
        ),
        *(
            Target(
                f"keyed, {way}: zipf 1.2 / uniform", rate(way, "zipf 1.2") / rate(way), least=0.65
            )
            for way in (MANUAL, TWO)
        ),
    )


def timed(rows: int, work: Callable[[], object]) -> Callable[[], Answer]:
    """What measures some work on so many rows."""

    def measure() -> Answer:
        wall, cpu = time.perf_counter(), time.process_time()
        made = work()  # kept until the clock stopped: freeing it is not part of the work
        seconds, cpu_seconds = time.perf_counter() - wall, time.process_time() - cpu
        del made
        return {"rate": rows / seconds, "cpu_rate": rows / cpu_seconds}

    return measure


def _grid(found: Results) -> Grid:
    rows: dict[str, tuple[Measure, ...]] = {}
    for (keys, way), each in found.items():
        cell = f"{each.rate / 1e6:.3g}" + ("" if each.same else "*")
        rows[f"{keys}/{way}"] = (cell, f"{each.cpu_rate / 1e6:.3g}")
    title = f"running sum by key, {KEYS} keys, tuples of {TUPLE_ROWS} rows (* other totals)"
    return Grid(title, ("M rows/s", "M rows/s of CPU time"), rows)
