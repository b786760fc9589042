"""Keyed operators on random keys, values, tuples and threads: what one thread would make."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import Any

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.prop.comparison import EXAMPLES

from penstock import agg, flow
from penstock.running import RunningAggregate
from penstock.threading_model import MODELS

# Few of each, so that keys come again.
KEYS = {
    "long": st.integers(-3, 3),
    "string": st.sampled_from(["", "a", "b", "ab", "long enough to lie elsewhere"]),
    "double": st.sampled_from([0.0, -0.0, 1.5, math.nan, math.inf]),
    "boolean": st.booleans(),
    "date": st.dates(dt.date(1969, 12, 30), dt.date(1970, 1, 2)),
    "decimal(20,2)": st.sampled_from([Decimal("-0.50"), Decimal("0.00"), Decimal("0.50")]),
}
VALUES = {
    "tinyint": st.integers(-128, 127),
    "long": st.integers(-(2**40), 2**40),
    "float": st.floats(width=32, allow_infinity=False),
    "double": st.floats(allow_infinity=False),
}
AGGREGATES: dict[str, Any] = {
    "rows": agg.count(),
    "count": agg.count("value"),
    "sum": agg.sum("value"),
    "min": agg.min("value"),
    "max": agg.max("value"),
    "mean": agg.mean("value"),
    "var": agg.var("value"),
    "stddev": agg.stddev("value"),
    "first": agg.first("value"),
    "last": agg.last("value"),
    "different": agg.approx_distinct("value"),
}


def same(left: object, right: object) -> bool:
    both_nan = isinstance(left, float) and isinstance(right, float) and math.isnan(left)
    return math.isnan(right) if both_nan else left == right  # type: ignore[arg-type]


@settings(
    max_examples=4 * EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.data())
def test_the_result_is_that_of_one_thread_row_by_row(data: st.DataObject) -> None:
    key_types = data.draw(st.lists(st.sampled_from(sorted(KEYS)), min_size=1, max_size=3))
    value_type = data.draw(st.sampled_from(sorted(VALUES)))
    names = [f"key{i}" for i in range(len(key_types))]
    ddl = ", ".join(f"{n} {t}" for n, t in zip(names, key_types, strict=True))
    keyed = flow("f", f"{ddl}, value {value_type}").key_by(*names).running(**AGGREGATES)
    row = st.tuples(*(st.none() | KEYS[t] for t in key_types), st.none() | VALUES[value_type])
    rows = data.draw(st.lists(row, max_size=60))
    model = data.draw(st.sampled_from(MODELS))
    if model not in {"manual", "dedicated"}:
        threads = data.draw(st.integers(1, 4))
        keyed = keyed.threading(model, threads=threads)  # type: ignore[arg-type]
    chosen = {
        "spark.penstock.tuple.rows": data.draw(st.integers(0, 20)),
        "spark.penstock.keyed.parts": data.draw(st.integers(1, 20)),
        "spark.penstock.flow.f.threading": model,
    }
    columns = list(zip(*rows, strict=True)) or [()] * len(keyed.input_schema)
    table = pa.table(
        [pa.array(c, f.type) for c, f in zip(columns, keyed.input_schema, strict=True)],
        schema=keyed.input_schema,
    )
    operator = keyed.operators[0]
    assert isinstance(operator, RunningAggregate)
    whole = table.combine_chunks().to_batches()
    wanted = (
        operator.process(whole[0]).to_pydict() if whole else {n: [] for n in keyed.schema.names}
    )
    made = keyed.run(table, settings=chosen).table.to_pydict()
    for name in keyed.schema.names:
        assert len(made[name]) == len(wanted[name])
        for place, (left, right) in enumerate(zip(made[name], wanted[name], strict=True)):
            assert same(left, right), f"row {place} of {name}: {left!r} instead of {right!r}"
