"""A sensor's values that differ by more than a threshold: Gedik et al., Listing 2, in every way.

Compiled from Python, by hand in C++, row by row over Arrow as one writes it for `mapInArrow`, and
group by group with pandas as one writes it for `applyInPandas`.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pyarrow as pa

import penstock
from penstock.bench.keyed import timed
from penstock.bench.programs import own_program
from penstock.bench.report import Grid, Measure, Point, Target
from penstock.bench.section import Answer, Section, Stage
from penstock.flow import Flow
from penstock.threading_model import ModelName

ROWS = 20_000_000
SLOW_ROWS = 1_000_000
KEYS = 1_000
THRESHOLD = 10.0
TUPLE_ROWS = 10_000  # as many as Spark puts into a batch
DRAWN = 1 << 18
LIBRARY = "lib/penstock_bench_operators.so"
SCHEMA = "id bigint, value double"
LOOP, COLUMN_LOOP = "row loop in mapInArrow", "loop over lists of columns in mapInArrow"
GROUPS = "groups as in applyInPandas"
COMPILED, BY_HAND = "compiled", "C++ by hand"
WAYS: Mapping[str, tuple[ModelName, int]] = {
    "manual": ("manual", 1),
    "conveyor x1": ("conveyor", 1),
    "conveyor x2": ("conveyor", 2),
}
ALONE = ("manual", "conveyor x1")


@penstock.compiled
def changed(state: Any, row: Any, out: Any) -> None:
    """Pass on a sensor's first value, and every one far from the last that was passed on."""
    if state.known == 0 or abs(row.value - state.stored) > THRESHOLD:
        state.known = 1
        state.stored = row.value
        out.keep()


def threshold(stage: Stage) -> Section:
    """Measure all ways to write it, and the native ones with one thread and two."""
    data = table(stage.size.rows(ROWS))
    few = data.slice(0, stage.size.rows(SLOW_ROWS))
    stage.tell("threshold: checking")
    expected = row_loop(few)
    native = {f"{body}, {way}": flow_of(body, way) for body in (COMPILED, BY_HAND) for way in WAYS}
    same = {label: run(made, few).equals(expected) for label, made in native.items()}
    same[COLUMN_LOOP] = column_loop(few).equals(expected)
    same[GROUPS] = sorted(groups(few).to_pylist(), key=str) == sorted(expected.to_pylist(), key=str)
    turns = {label: timed(len(data), partial(run, made, data)) for label, made in native.items()}
    turns[LOOP] = timed(len(few), partial(row_loop, few))
    turns[COLUMN_LOOP] = timed(len(few), partial(column_loop, few))
    turns[GROUPS] = timed(len(few), partial(groups, few))
    quick = stage.size.quick
    found = stage.rounds_of(turns, 3 if quick else 9, 12.0 if quick else 150.0, "threshold: ")
    return section_of(found, same)


def flow_of(body: str, way: str) -> Flow:
    """The flow that is measured, run in one way."""
    model, threads = WAYS[way]
    keyed = penstock.flow("sensors", SCHEMA).key_by("id")
    if body == COMPILED:
        made = keyed.process(changed, state="known long, stored double")
    else:
        made = keyed.native(f"{own_program(LIBRARY)}:threshold")
    return made.threading(model, threads=threads)


def run(made: Flow, data: pa.Table) -> pa.Table:
    """Run the flow to its end."""
    return made.run(data, settings={"spark.penstock.tuple.rows": TUPLE_ROWS}).table


def row_loop(data: pa.Table) -> pa.Table:
    """What one writes for `mapInArrow`: a dictionary, and a loop over the rows of each batch."""
    stored: dict[int, float] = {}
    made = []
    for batch in data.to_batches(max_chunksize=TUPLE_ROWS):
        kept = []
        for row in batch.to_pylist():
            sensor, value = row["id"], row["value"]
            if sensor not in stored or abs(value - stored[sensor]) > THRESHOLD:
                stored[sensor] = value
                kept.append(row)
        made.append(pa.RecordBatch.from_pylist(kept, data.schema))
    return pa.Table.from_batches(made, data.schema)


def column_loop(data: pa.Table) -> pa.Table:
    """The same by somebody who knows what `to_pylist` of whole rows costs."""
    stored: dict[int, float] = {}
    made = []
    for batch in data.to_batches(max_chunksize=TUPLE_ROWS):
        kept = []
        rows = zip(batch["id"].to_pylist(), batch["value"].to_pylist(), strict=True)
        for row, (sensor, value) in enumerate(rows):
            if sensor not in stored or abs(value - stored[sensor]) > THRESHOLD:
                stored[sensor] = value
                kept.append(row)
        made.append(batch.take(pa.array(kept, pa.int32())))
    return pa.Table.from_batches(made, data.schema)


def groups(data: pa.Table) -> pa.Table:
    """What one writes for `applyInPandas`: a function of all rows of a sensor."""

    def of_sensor(rows: Any) -> Any:
        kept, stored = [], None
        for value in rows["value"]:
            far = stored is None or abs(value - stored) > THRESHOLD
            kept.append(far)
            stored = value if far else stored
        return rows[kept]

    import pandas as pd  # noqa: PLC0415 - Spark's extra brings it

    parts = [of_sensor(rows) for _, rows in data.to_pandas().groupby("id", sort=False)]
    return pa.Table.from_pandas(pd.concat(parts), data.schema, preserve_index=False)


def table(rows: int) -> pa.Table:
    """Sensors whose values wander; some rows are drawn and repeated, in one piece."""
    chance = random.Random(6)
    ids = chance.choices(range(KEYS), k=DRAWN)
    drawn = pa.RecordBatch.from_pydict(
        {
            "id": pa.array(ids, pa.int64()),
            "value": pa.array([chance.gauss(0.0, 4.0) for _ in ids]),
        }
    )
    return pa.Table.from_batches([drawn] * -(-rows // DRAWN)).slice(0, rows).combine_chunks()


def section_of(found: Mapping[str, Sequence[Answer]], same: Mapping[str, bool]) -> Section:
    """What was measured, as points, goals and a table."""
    rates = {
        label: statistics.median(each["rate"] for each in answers)
        for label, answers in found.items()
    }
    points = tuple(
        Point(f"threshold/{label}", {"rows_per_s": rate, "runs": len(found[label])})
        for label, rate in rates.items()
    )
    different = Target(
        "threshold: ways with other rows", sum(not each for each in same.values()), most=0
    )
    return Section(points, (different, *targets(rates)), (_grid(rates),))


def targets(rates: Mapping[str, float]) -> tuple[Target, ...]:
    """The goals; the better of the ways with one thread is what counts."""

    def alone(body: str) -> float:
        return max(rates[f"{body}, {way}"] for way in ALONE)

    compiled = alone(COMPILED)
    return (
        Target("threshold: compiled / row loop", compiled / rates[LOOP], least=30.0),
        Target("threshold: compiled / groups of pandas", compiled / rates[GROUPS], least=10.0),
        Target("threshold: compiled / C++ by hand", compiled / alone(BY_HAND), least=0.8),
        Target(
            "threshold: compiled, two threads / one",
            rates[f"{COMPILED}, conveyor x2"] / compiled,
            least=1.6,
        ),
    )


def _grid(rates: Mapping[str, float]) -> Grid:
    rows: dict[str, tuple[Measure, ...]] = {
        label: (f"{rate / 1e6:.3g}",) for label, rate in rates.items()
    }
    title = f"values that changed by more than {THRESHOLD:g}, {KEYS} sensors"
    return Grid(title, ("M rows/s",), rows)
