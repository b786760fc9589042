"""Regions on random rows, keys, channels and threads: what one thread would make."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.prop.bodies import Refused
from tests.prop.cases import Carriers, carriers
from tests.prop.comparison import EXAMPLES
from tests.prop.engine import open_element
from tests.prop.region_cases import WIDTHS, Order, RegionCase, cases, keyed

from penstock import Elastic, _native, flow
from penstock.parallel import Region, flattened
from penstock.running import RunningAggregate
from penstock.spec import FlowSpec
from penstock.threading_model import MODELS
from penstock.wiring import graph_of

thorough = settings(
    max_examples=EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
INPUT_ROWS = 29
Rows = list[tuple[Any, ...]]
# By operator and key, the last of what was made of the key.
States = dict[str, dict[tuple[str, ...], tuple[str, ...]]]


@dataclass
class Ran:
    """What came of a case: rows, the operator and row that failed, what is known in the end."""

    rows: Rows = field(default_factory=list)
    failed: tuple[str, int] | None = None
    states: States = field(default_factory=dict)


def as_rows(batch: pa.RecordBatch | None) -> Rows:
    """The rows of a batch as they can be compared: NaN is itself, and -0.0 is not 0.0."""
    if batch is None or batch.num_rows == 0:
        return []
    return list(zip(*([repr(v) for v in c.to_pylist()] for c in batch.columns), strict=True))


def right_rows(case: RegionCase, rows: int | None = None) -> Rows:
    """What one thread makes of the first rows."""
    made: pa.RecordBatch | None = case.batch.slice(0, rows)
    for operator in case.flow.operators:
        made = operator.process(made) if made is not None and made.num_rows else None
    return as_rows(made)


def right_states(case: RegionCase) -> States:
    """What is known in the end if one thread does everything."""
    states: States = {}
    made: pa.RecordBatch | None = case.batch
    for operator in flattened(case.flow.operators):
        if isinstance(operator, Region):
            continue
        if isinstance(operator, RunningAggregate):
            states[operator.name] = {}
        if made is None or made.num_rows == 0:
            continue
        made = operator.process(made)
        if made is not None and isinstance(operator, RunningAggregate):
            add_states(states[operator.name], made, operator.by)
    return states


def add_states(
    known: dict[tuple[str, ...], tuple[str, ...]], batch: pa.RecordBatch, by: tuple[str, ...]
) -> None:
    """Put down the two aggregates at the end of each row under its key."""
    rows = as_rows(batch)
    places = [batch.schema.get_field_index(column) for column in sorted(by)]
    for row in rows:
        known[as_key(row, places)] = row[-2:]


def as_key(row: tuple[Any, ...], places: list[int]) -> tuple[str, ...]:
    """A key as keys are compared: -0.0 is 0.0."""
    return tuple("0.0" if row[place] == "-0.0" else row[place] for place in places)


def states_of(element: _native.ProcessingElement) -> States:
    """What an element knows, by operator."""
    states: States = {}
    schemas: dict[str, pa.Schema] = {}

    def add(name: str, schema_address: int, array_address: int) -> None:
        if schema_address:
            schemas[name] = pa.Schema._import_from_c(schema_address)
            states[name] = {}
        else:
            batch = pa.RecordBatch._import_from_c(array_address, schemas[name])
            before = len(states[name])
            add_states(states[name], batch, tuple(batch.schema.names[:-2]))
            assert len(states[name]) == before + batch.num_rows, "a key is on one channel"

    element.export_states(add)
    return states


def run(
    case: RegionCase, model: str, given_to: Carriers, rows_per_tuple: int, widths: tuple[int, ...]
) -> Ran:
    """Run a case, asking for other channels with each batch and for other threads between reads."""
    made_flow = case.flow if model == "manual" else case.flow.threading(model)  # type: ignore[arg-type]
    spec = FlowSpec.of(made_flow, {"spark.penstock.keyed.parts": 3})
    region = case.flow.operators[0]
    assert isinstance(region, Region)
    changing = widths if not region.channels.fixed else ()

    def batches() -> Iterator[pa.RecordBatch]:
        # Between two reads much may have been taken in before anybody asks.
        for number, batch in enumerate(case.table.to_batches(max_chunksize=INPUT_ROWS)):
            if changing:
                element.set_channels("r", changing[number % len(changing)])
            yield batch

    element, reader = open_element(
        graph_of(spec),
        batches(),
        model,
        given_to,
        rows_per_tuple=rows_per_tuple,
        schemas=(spec.input_schema, spec.output_schema),
    )
    ran = Ran()
    reads = 0
    try:
        while True:
            if given_to.levels:
                element.limit_threads(given_to.levels[reads % len(given_to.levels)])
            reads += 1
            try:
                ran.rows += as_rows(reader.read_next_batch())
            except StopIteration:
                ran.states = states_of(element)
                return ran
            except (pa.ArrowException, OSError):
                failure = element.failure()
                if failure is None:
                    raise
                ran.failed = failure.operator, failure.row
                return ran
    finally:
        element.close()


tuple_sizes = st.integers(1, 64)
changes = st.sampled_from([(), WIDTHS]) | st.lists(st.integers(1, 8), max_size=9).map(tuple)


@pytest.mark.parametrize("model", MODELS)
@thorough
@given(case=cases(), given_to=carriers, rows_per_tuple=tuple_sizes, widths=changes)
def test_rows_and_states_are_those_of_one_thread_whatever_channels_there_are(
    model: str, case: RegionCase, given_to: Carriers, rows_per_tuple: int, widths: tuple[int, ...]
) -> None:
    made = run(case, model, given_to, rows_per_tuple, widths)
    assert made == Ran(right_rows(case), None, right_states(case))


@pytest.mark.parametrize("model", MODELS)
def test_the_channels_that_are_asked_for_are_there_and_keys_move_to_them(model: str) -> None:
    """Without this the tests above would not see that nothing ever changes."""
    shares: dict[int, list[set[int]]] = defaultdict(list)  # by tuple, the keys of each channel

    def note(batch: pa.RecordBatch) -> pa.RecordBatch:
        if batch.num_rows:  # it is tried without
            shares[batch["n"][0].as_py() // INPUT_ROWS].append(set(batch["k"].to_pylist()))
        return batch

    table = pa.table({"k": [n * n % 37 for n in range(40 * INPUT_ROWS)]})
    table = table.append_column("j", table["k"]).append_column("n", pa.array(range(len(table))))
    made = flow("f", table.schema).parallel(
        lambda rows: keyed(rows, ("k",)).map(note), by="k", channels=Elastic(1, 8), name="r"
    )
    case = RegionCase(made, table, ("k",), "stream", ("keyed", "note"))
    right = Ran(right_rows(case), None, right_states(case))
    shares.clear()
    assert run(case, model, Carriers(2, 8, False, ()), INPUT_ROWS, WIDTHS) == right
    assert len({len(channels) for channels in shares.values()}) > 2, "the number has changed"
    apart = {
        (one, other)
        for channels in shares.values()
        for mine, theirs in itertools.permutations(channels, 2)
        for one, other in itertools.product(mine, theirs)
    }
    together = {
        pair
        for channels in shares.values()
        for channel in channels
        for pair in itertools.permutations(channel, 2)
    }
    assert apart & together, "a key has moved away from another one"


def first_failure(case: RegionCase) -> int | None:
    """The first row that cannot be worked on: prefixes with it fail, and no others do."""
    good, bad = 0, len(case.table) + 1
    while bad - good > 1:
        middle = (good + bad) // 2
        try:
            right_rows(case, middle)
            good = middle
        except Refused:
            bad = middle
    return good if good < len(case.table) else None


@pytest.mark.parametrize("model", MODELS)
@settings(thorough, max_examples=1 + EXAMPLES // 2)
@given(case=cases(failing=True), given_to=carriers, rows_per_tuple=tuple_sizes, widths=changes)
def test_a_failure_names_the_operator_inside_and_the_row_after_the_rows_before_it(
    model: str, case: RegionCase, given_to: Carriers, rows_per_tuple: int, widths: tuple[int, ...]
) -> None:
    row = first_failure(case)
    made = run(case, model, given_to, rows_per_tuple, widths)
    assert made.failed == (None if row is None else ("picky", row))
    assert made.rows == right_rows(case, row)


@pytest.mark.parametrize("order", ["key", None])
@settings(thorough, max_examples=EXAMPLES)
@given(data=st.data(), given_to=carriers, rows_per_tuple=tuple_sizes, widths=changes)
def test_less_order_loses_no_row_and_keeps_what_it_promises(
    order: Order,
    data: st.DataObject,
    given_to: Carriers,
    rows_per_tuple: int,
    widths: tuple[int, ...],
) -> None:
    case = data.draw(cases(order=order))
    model = data.draw(st.sampled_from(MODELS))
    made = run(case, model, given_to, rows_per_tuple, widths)
    right = right_rows(case)
    assert made.failed is None
    assert made.states == right_states(case)
    assert sorted(made.rows) == sorted(right)
    if order == "key":
        assert by_key(case, made.rows) == by_key(case, right)


def by_key(case: RegionCase, rows: Rows) -> dict[tuple[Any, ...], Rows]:
    places = [case.flow.schema.get_field_index(column) for column in case.by]
    found: dict[tuple[Any, ...], Rows] = defaultdict(list)
    for row in rows:
        found[as_key(row, places)].append(row)
    return found
