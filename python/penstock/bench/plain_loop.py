"""E32: a chain of costly operators as a flow, and as a loop in one function without Penstock.

Both call the same compiled code on the same batches; the loop is what one would write for
`mapInArrow`, one operator after another on each batch.
"""

from __future__ import annotations

import ctypes
import statistics
import time
from collections.abc import Mapping, Sequence
from functools import cache, partial

import pyarrow as pa

import penstock
from penstock.bench.keyed import timed
from penstock.bench.programs import own_program
from penstock.bench.report import Grid, Point, Target
from penstock.bench.section import Answer, Section, Stage
from penstock.bench.threshold import LIBRARY
from penstock.flow import Flow
from penstock.threading_model import ModelName

OPERATORS, US = 12, 100.0
ROWS = 400
BATCH_ROWS = 8
TRIED_ROUNDS, TRIES = 1_000_000, 9
LOOP = "plain loop"
WAYS: Mapping[str, tuple[ModelName, int]] = {
    "manual x1": ("manual", 1),
    "dynamic x1": ("dynamic", 1),
    "dynamic x2": ("dynamic", 2),
    "conveyor x2": ("conveyor", 2),
}
ONE = ("manual x1", "dynamic x1")
TWO = ("dynamic x2", "conveyor x2")
SCHEMA = "n bigint NOT NULL, rounds bigint NOT NULL"


def plain_loop(stage: Stage) -> Section:
    """Measure the loop and every way to run the flow, in turn."""
    data = table(max(4, stage.size.rows(ROWS)), US)
    turns = {LOOP: timed(len(data), partial(loop, data))}
    turns |= {way: timed(len(data), partial(run, way, data)) for way in WAYS}
    quick = stage.size.quick
    found = stage.rounds_of(turns, 3 if quick else 9, 5.0 if quick else 45.0, "E32: ")
    few = table(100, 0.01)
    expected = loop(few)
    return section_of(found, {way: run(way, few).equals(expected) for way in WAYS})


def table(rows: int, us: float) -> pa.Table:
    """Rows of which each costs so much in every operator."""
    rounds = max(1, round(us * rounds_per_us()))
    columns = [pa.array(range(rows), pa.int64()), pa.array([rounds] * rows, pa.int64())]
    schema = pa.schema([pa.field(name, pa.int64(), nullable=False) for name in ("n", "rounds")])
    return pa.Table.from_arrays(columns, schema=schema)


def loop(data: pa.Table) -> pa.Table:
    """One function, without Penstock."""
    work = _work()
    made = []
    for batch in data.to_batches(max_chunksize=BATCH_ROWS):
        column, rounds = batch.column(0), batch.column(1)
        for _ in range(OPERATORS):
            buffer = pa.allocate_buffer(8 * len(column))
            work(_address(column), _address(rounds), len(column), buffer.address)
            column = pa.Array.from_buffers(pa.int64(), len(column), [None, buffer])
        made.append(pa.RecordBatch.from_arrays([column, rounds], schema=data.schema))
    return pa.Table.from_batches(made, data.schema)


def flow_of(way: str) -> Flow:
    """The same as a flow, run in one way."""
    model, threads = WAYS[way]
    made = penstock.flow("busy", SCHEMA)
    for _ in range(OPERATORS):
        made = made.native(f"{own_program(LIBRARY)}:busy")
    return made.threading(model, threads=threads)


def run(way: str, data: pa.Table) -> pa.Table:
    """Run the flow to its end."""
    return flow_of(way).run(data, settings={"spark.penstock.tuple.rows": BATCH_ROWS}).table


def section_of(found: Mapping[str, Sequence[Answer]], same: Mapping[str, bool]) -> Section:
    """What was measured, as points, goals and a table."""
    rates = {
        label: statistics.median(each["rate"] for each in answers)
        for label, answers in found.items()
    }
    gains = {
        label: statistics.median(
            one["rate"] / other["rate"] for one, other in zip(answers, found[LOOP], strict=True)
        )
        for label, answers in found.items()
    }
    points = tuple(
        Point(
            f"E32/{label}",
            {
                "rows_per_s": rate,
                "over_plain_loop": gains[label],
                "result": "same" if same.get(label, True) else "wrong",
            },
        )
        for label, rate in rates.items()
    )
    rows = {label: (rate, f"{gains[label]:.2f}") for label, rate in rates.items()}
    wrong = sum(not each for each in same.values())
    return Section(
        points,
        (
            Target("E32: ways with other rows", wrong, most=0),
            *(Target(f"E32 {way} / plain loop", gains[way], least=0.8) for way in ONE),
            *(Target(f"E32 {way} / plain loop", gains[way], least=1.4) for way in TWO),
        ),
        (
            Grid(
                f"E32: {OPERATORS} operators of {US:g} us, batches of {BATCH_ROWS} rows",
                ("rows/s", "over plain loop"),
                rows,
            ),
        ),
    )


@cache
def rounds_per_us() -> float:
    """How often this machine multiplies in a microsecond."""
    value, rounds = pa.array([1], pa.int64()), pa.array([TRIED_ROUNDS], pa.int64())
    made = pa.allocate_buffer(8)

    def seconds() -> float:
        begun = time.thread_time()
        _work()(_address(value), _address(rounds), 1, made.address)
        return time.thread_time() - begun

    return TRIED_ROUNDS / (1e6 * min(seconds() for _ in range(TRIES)))


@cache
def _work() -> ctypes._NamedFuncPointer:
    work = ctypes.CDLL(str(own_program(LIBRARY))).penstock_bench_busy
    work.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p]
    work.restype = None
    return work


def _address(column: pa.Array) -> int:
    return int(column.buffers()[1].address) + 8 * int(column.offset)
