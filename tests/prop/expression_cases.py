"""Random expressions over random rows, for comparing the engine with Arrow."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import strategies as st

INTEGERS = {
    kind: (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if kind[0] == "i" else (0, 2**bits - 1)
    for bits in (8, 16, 32, 64)
    for kind in (f"int{bits}", f"uint{bits}")
}
FLOATS = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    3.0,
    1e10,
    16777217.0,
    1e300,
    *map(float, ("nan", "inf", "-inf")),
)
# Where safe casts and arithmetic change their mind.
EDGES = (
    0,
    1,
    -1,
    2,
    7,
    127,
    128,
    255,
    2**24,
    2**24 + 1,
    -(2**24) - 1,
    2**31,
    2**53,
    2**53 + 1,
    2**63,
)
SCHEMA = pa.schema(
    [
        *((kind, kind) for kind in INTEGERS),
        ("float", pa.float32()),
        ("double", pa.float64()),
        ("bool", pa.bool_()),
        ("other", pa.bool_()),
        ("int64b", pa.int64()),
        ("doubleb", pa.float64()),
        ("time", pa.timestamp("us", "UTC")),
        ("day", pa.date32()),
        ("text", pa.string()),
    ]
)
BINARY = ("add", "subtract", "multiply", "divide")
NUMBERS = [
    field.name for field in SCHEMA if field.name not in ("bool", "other", "time", "day", "text")
]
COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
LITERALS = st.sampled_from((*EDGES[:-1], *FLOATS, pa.scalar(None, pa.int32()))).map(pc.scalar)
NOON = pa.scalar(0, SCHEMA.field("time").type)


def _values(field: pa.Field) -> st.SearchStrategy[Any]:
    kind = str(field.type)
    if kind in INTEGERS:
        least, most = INTEGERS[kind]
        edges = [edge for edge in (*EDGES, least, most, most - 1) if least <= edge <= most]
        return st.sampled_from(edges) | st.integers(-3 if least else 0, 3)
    if pa.types.is_floating(field.type):
        return st.sampled_from(FLOATS)
    if pa.types.is_boolean(field.type):
        return st.booleans()
    if pa.types.is_string(field.type):
        return st.sampled_from(["", "a", "longer than that"])
    return st.integers(-2, 2)


@st.composite
def batches(draw: st.DrawFn) -> pa.RecordBatch:
    """Rows of all types, cut out of more rows; some columns have nulls, and some none at all."""
    rows = draw(st.integers(0, 12))
    columns = []
    for field in SCHEMA:
        values = _values(field)
        one = values if draw(st.booleans()) else st.none() | values
        given = draw(st.lists(one, min_size=rows, max_size=rows))
        stored = pa.int32() if pa.types.is_date(field.type) else field.type
        columns.append(pa.array(given, stored).cast(field.type))
    whole = pa.RecordBatch.from_arrays(columns, schema=SCHEMA)
    first = draw(st.integers(0, rows))
    return whole.slice(first, draw(st.integers(0, rows - first)))


def numbers(depth: int) -> st.SearchStrategy[pc.Expression]:
    """Expressions that are numbers of some type."""
    leaves = st.sampled_from(NUMBERS).map(pc.field)
    if depth == 0:
        return leaves
    deeper = numbers(depth - 1)
    second = deeper | LITERALS
    how = st.sampled_from(("", "_checked"))
    sums = st.builds(str.__add__, st.sampled_from(BINARY), how)
    return (
        st.builds(_call, sums, deeper, second)
        | st.builds(_call, sums, LITERALS, deeper)
        | st.builds(_call, st.builds(str.__add__, st.sampled_from(("negate", "abs")), how), deeper)
        | st.builds(pc.Expression.cast, deeper, st.sampled_from([*INTEGERS, "float", "double"]))
        | st.builds(pc.if_else, truths(depth - 1), deeper, second)
        | st.builds(pc.coalesce, deeper, second)
        | st.builds(pc.coalesce, deeper, deeper, second)
    )


def truths(depth: int) -> st.SearchStrategy[pc.Expression]:
    """Expressions that are true, false or null."""
    leaves = st.sampled_from(("bool", "other")).map(pc.field)
    if depth == 0:
        return leaves
    deeper = truths(depth - 1)
    comparison = st.sampled_from(COMPARISONS)
    number = numbers(depth - 1)
    return (
        st.builds(_call, comparison, number, number | LITERALS)
        | st.builds(_call, comparison, LITERALS, number)
        | st.builds(_call, comparison, deeper, deeper | st.booleans().map(pc.scalar))
        | st.builds(_call, comparison, st.just(pc.field("time")), st.just(pc.scalar(NOON)))
        | st.builds(_call, comparison, st.just(pc.field("day")), st.just(pc.field("day")))
        | st.builds(_call, st.sampled_from(("and_kleene", "or_kleene", "xor")), deeper, deeper)
        | st.builds(pc.invert, deeper)
        | st.builds(_call, st.sampled_from(("is_null", "is_valid", "is_nan")), number)
        | st.builds(pc.if_else, deeper, deeper, deeper)
    )


def _call(word: str, *arguments: pc.Expression) -> pc.Expression:
    return getattr(pc, word)(*arguments)
