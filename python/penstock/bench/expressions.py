"""Filters and projections: the engine's own programs against Arrow's evaluator.

Arrow works through batches of as many rows as a tuple has in two ways: with one plan for all of
them, which is the least it can cost and what programs are held against; and with a plan for each
of them, which is how a function in `mapInArrow` evaluates expressions, since it is given batch
after batch. What has no program is worked out batch by batch in the flow too, so it is held
against the latter. Kernels called by hand on each batch are there for comparison.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from penstock import flow
from penstock.bench.keyed import timed
from penstock.bench.report import Grid, Measure, Point, Target
from penstock.bench.section import Answer, Section, Stage
from penstock.flow import Flow
from penstock.operators import Compute, Filter, Operator

ROWS = 4_000_000
FEW_ROWS = 400_000
TUPLE_ROWS = 1_024
DRAWN = 1 << 16
SETTINGS = {"spark.penstock.tuple.rows": TUPLE_ROWS}
NATIVE, ARROW, EACH = "program", "Arrow's plan", "Arrow's plan for each batch"
KERNELS, THROUGH = "Arrow's kernels", "Arrow in the flow"
WAYS = (NATIVE, ARROW, EACH, KERNELS, THROUGH)
A, B, X, Y = (pc.field(name) for name in "abxy")


@dataclass(frozen=True)
class Case:
    """Expressions that are measured together.

    Attributes:
        keep: Which rows pass; none for all.
        make: The columns that are made of them.
        given: The columns that there are.
    """

    keep: pc.Expression | None
    make: Mapping[str, pc.Expression]
    given: str = "a bigint, b bigint, x double, y double"


CASES: Mapping[str, Case] = {
    "filter and projection": Case((A > 500) & (X < 0.8), {"s": A + B, "p": X * Y, "q": A * 3 - B}),
    "filter": Case((A > 500) & (X < 0.8), {}),
    "projection": Case(None, {"s": A + B, "p": X * Y, "q": A * 3 - B}),
    # Of text, so there is no program, and the flow calls Arrow's kernels.
    "no program": Case(
        pc.field("t") != "7", {"u": pc.utf8_length(pc.field("t"))}, "a bigint, t string"
    ),
}
PROGRAMS = tuple(CASES)[:-1]


def expressions(stage: Stage) -> Section:
    """Measure every case in every way."""
    cases = {}
    data = table(stage.size.rows(ROWS))
    few = data.slice(0, stage.size.rows(FEW_ROWS))
    same = {}
    for name, case in CASES.items():
        stage.tell(f"{name}: checking")
        same[name] = run(written(case), few).equals(plan(case, chunked(few, case)).read_all())
        cases[f"expressions, {name}"] = turns(case, data, few)
    found = stage.rounds_of_cases(cases, 20.0 if stage.size.quick else 240.0)
    return section_of(found, same)


def turns(case: Case, data: pa.Table, few: pa.Table) -> dict[str, Callable[[], Answer]]:
    """The ways to measure a case once; slow ones get fewer rows."""
    chunks, few_chunks = chunked(data, case), chunked(few, case)
    made = written(case)
    plain = without_programs(made)
    ways = {
        ARROW: timed(len(data), lambda: drained(plan(case, chunks))),
        EACH: timed(len(few), lambda: drained(plans(case, few_chunks))),
        KERNELS: timed(len(few), lambda: drained(kernels(case, few_chunks))),
        THROUGH: timed(len(few), lambda: drained(streamed(plain, few))),
    }
    if made.operators[0].native:
        ways[NATIVE] = timed(len(data), lambda: drained(streamed(made, data)))
    return ways


def drained(batches: Iterable[pa.RecordBatch]) -> int:
    """Take batch after batch, as Spark does: nothing is kept."""
    return sum(batch.num_rows for batch in batches)


def written(case: Case) -> Flow:
    """The flow of a case."""
    made = flow("expressions", case.given)
    if case.keep is not None:
        made = made.filter(case.keep)
    return made.select("a", **case.make) if case.make else made


def without_programs(made: Flow) -> Flow:
    """The same flow, whose expressions Arrow works out."""

    def plain(operator: Operator) -> Operator:
        if isinstance(operator, (Compute, Filter)):
            return replace(operator, program=None)
        return operator

    return replace(made, operators=tuple(plain(operator) for operator in made.operators))


def run(made: Flow, data: pa.Table) -> pa.Table:
    """Run the flow to its end."""
    return made.run(data, settings=SETTINGS).table


def streamed(made: Flow, data: pa.Table) -> Iterator[pa.RecordBatch]:
    """Run the flow as far as it is read."""
    return made.stream(data, settings=SETTINGS)


def plan(case: Case, data: pa.Table) -> pa.RecordBatchReader:
    """Let Arrow's engine do the same, on one thread and batch by batch."""
    from pyarrow import acero  # noqa: PLC0415 - it loads pyarrow.dataset as well

    steps = [acero.Declaration("table_source", acero.TableSourceNodeOptions(data))]
    if case.keep is not None:
        steps.append(acero.Declaration("filter", acero.FilterNodeOptions(case.keep)))
    if case.make:
        columns = [A, *case.make.values()]
        options = acero.ProjectNodeOptions(columns, ["a", *case.make])
        steps.append(acero.Declaration("project", options))
    return acero.Declaration.from_sequence(steps).to_reader(use_threads=False)


def plans(case: Case, data: pa.Table) -> Iterator[pa.RecordBatch]:
    """The same with a plan for each batch, as for a function that is given one at a time."""
    for batch in data.to_batches():
        yield from plan(case, pa.Table.from_batches([batch]))


def kernels(case: Case, data: pa.Table) -> Iterator[pa.RecordBatch]:
    """The same as a user writes it for one batch after another."""
    for batch in data.to_batches():
        yield (_kernels_of_text if "t" in batch.schema.names else _kernels_of_numbers)(case, batch)


def _kernels_of_numbers(case: Case, batch: pa.RecordBatch) -> pa.RecordBatch:
    if case.keep is not None:
        passes = pc.and_kleene(pc.greater(batch["a"], 500), pc.less(batch["x"], 0.8))
        batch = batch.filter(passes)
    if case.make:
        a, b, x, y = (batch[name] for name in "abxy")
        q = pc.subtract_checked(pc.multiply_checked(a, 3), b)
        columns = [a, pc.add_checked(a, b), pc.multiply_checked(x, y), q]
        batch = pa.RecordBatch.from_arrays(columns, names=["a", *case.make])
    return batch


def _kernels_of_text(case: Case, batch: pa.RecordBatch) -> pa.RecordBatch:
    kept = batch.filter(pc.not_equal(batch["t"], "7"))
    columns = [kept["a"], pc.utf8_length(kept["t"])]
    return pa.RecordBatch.from_arrays(columns, names=["a", *case.make])


def table(rows: int) -> pa.Table:
    """Random numbers; some are drawn and repeated, in one piece."""
    chance = random.Random(5)
    drawn = pa.RecordBatch.from_pydict(
        {
            "a": pa.array(chance.choices(range(1_000), k=DRAWN), pa.int64()),
            "b": pa.array(chance.choices(range(1_000), k=DRAWN), pa.int64()),
            "x": pa.array([chance.random() for _ in range(DRAWN)]),
            "y": pa.array([chance.random() for _ in range(DRAWN)]),
            "t": pa.array([str(number) for number in chance.choices(range(100), k=DRAWN)]),
        }
    )
    return pa.Table.from_batches([drawn] * -(-rows // DRAWN)).slice(0, rows).combine_chunks()


def chunked(data: pa.Table, case: Case) -> pa.Table:
    """The columns of a case in batches of as many rows as a tuple has."""
    columns = data.select(flow("expressions", case.given).schema.names)
    return pa.Table.from_batches(columns.to_batches(max_chunksize=TUPLE_ROWS))


Found = Mapping[tuple[str, str], Sequence[Answer]]


def section_of(found: Found, same: Mapping[str, bool]) -> Section:
    """What was measured, as points, goals and a table."""
    rates = {
        key: statistics.median(each["cpu_rate"] for each in answers)
        for key, answers in found.items()
    }
    points = tuple(
        Point(f"{case}/{way}", {"rows_per_cpu_s": rate, "runs": len(found[case, way])})
        for (case, way), rate in rates.items()
    )
    return Section(points, targets(rates, same), (_grid(rates),))


def targets(rates: Mapping[tuple[str, str], float], same: Mapping[str, bool]) -> tuple[Target, ...]:
    """The goals: three times Arrow where there is a program, and no loss where there is none."""

    def times(case: str, way: str, other: str) -> float:
        return rates[f"expressions, {case}", way] / rates[f"expressions, {case}", other]

    different = sum(not each for each in same.values())
    first = PROGRAMS[0]
    return (
        Target("expressions: cases with other rows", different, most=0),
        Target(f"expressions, {first}: program / {ARROW}", times(first, NATIVE, ARROW), least=3.0),
        Target(
            f"expressions, no program: {THROUGH} / {EACH}",
            times("no program", THROUGH, EACH),
            least=0.95,
        ),
    )


def _grid(rates: Mapping[tuple[str, str], float]) -> Grid:
    rows: dict[str, tuple[Measure, ...]] = {}
    for case in CASES:
        label = f"expressions, {case}"
        found = {way: rates.get((label, way)) for way in WAYS}
        rows[case] = tuple("" if rate is None else f"{rate / 1e6:.3g}" for rate in found.values())
    title = f"M rows per second of CPU time, tuples and batches of {TUPLE_ROWS} rows"
    return Grid(title, WAYS, rows)
