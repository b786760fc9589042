"""Regions on random rows, keys, channels and threads: what one thread would make."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.prop.bodies import Refused
from tests.prop.cases import Carriers, carriers
from tests.prop.comparison import EXAMPLES
from tests.prop.engine import open_element
from tests.prop.region_cases import WIDTHS, Order, RegionCase, cases

from penstock.parallel import Region
from penstock.spec import FlowSpec
from penstock.threading_model import MODELS
from penstock.wiring import graph_of

thorough = settings(
    max_examples=EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
Rows = list[tuple[Any, ...]]


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


def run(
    case: RegionCase, model: str, given_to: Carriers, rows_per_tuple: int, widths: tuple[int, ...]
) -> tuple[Rows, tuple[str, int] | None]:
    """Run a case, asking for other channels and threads between reads; rows, and what failed."""
    made_flow = case.flow if model == "manual" else case.flow.threading(model)  # type: ignore[arg-type]
    spec = FlowSpec.of(made_flow, {"spark.penstock.keyed.parts": 3})
    region = case.flow.operators[0]
    assert isinstance(region, Region)
    element, reader = open_element(
        graph_of(spec),
        iter(case.table.to_batches(max_chunksize=29)),
        model,
        given_to,
        rows_per_tuple=rows_per_tuple,
        schemas=(spec.input_schema, spec.output_schema),
    )
    made: Rows = []
    reads = 0
    try:
        while True:
            if given_to.levels:
                element.limit_threads(given_to.levels[reads % len(given_to.levels)])
            if widths and not region.channels.fixed:
                element.set_channels("r", widths[reads % len(widths)])
            reads += 1
            try:
                made += as_rows(reader.read_next_batch())
            except StopIteration:
                return made, None
            except (pa.ArrowException, OSError):
                failure = element.failure()
                if failure is None:
                    raise
                return made, (failure.operator, failure.row)
    finally:
        element.close()


tuple_sizes = st.integers(1, 64)
changes = st.sampled_from([(), WIDTHS]) | st.lists(st.integers(1, 8), max_size=9).map(tuple)


@pytest.mark.parametrize("model", MODELS)
@thorough
@given(case=cases(), given_to=carriers, rows_per_tuple=tuple_sizes, widths=changes)
def test_rows_leave_as_one_thread_would_make_them_whatever_channels_there_are(
    model: str, case: RegionCase, given_to: Carriers, rows_per_tuple: int, widths: tuple[int, ...]
) -> None:
    made, failed = run(case, model, given_to, rows_per_tuple, widths)
    assert failed is None
    assert made == right_rows(case)


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
    made, failed = run(case, model, given_to, rows_per_tuple, widths)
    assert failed == (None if row is None else ("picky", row))
    assert made == right_rows(case, row)


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
    made, failed = run(case, model, given_to, rows_per_tuple, widths)
    right = right_rows(case)
    assert failed is None
    assert sorted(made) == sorted(right)
    if order == "key":
        assert by_key(case, made) == by_key(case, right)


def by_key(case: RegionCase, rows: Rows) -> dict[tuple[Any, ...], Rows]:
    places = [case.flow.schema.get_field_index(column) for column in case.by]
    found: dict[tuple[Any, ...], Rows] = defaultdict(list)
    for row in rows:
        # As keys are equal: -0.0 is 0.0.
        found[tuple(row[place].replace("-0.0", "0.0") for place in places)].append(row)
    return found
