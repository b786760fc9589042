from __future__ import annotations

import pickle
from datetime import date, datetime, timezone

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import flow
from penstock.errors import OperatorError
from penstock.expression_program import MOST_LINES, Line, can_gather, program_of
from penstock.expressions import evaluate
from penstock.spec import FlowSpec

SCHEMA = pa.schema(
    [
        ("i", pa.int32()),
        ("l", pa.int64()),
        ("u", pa.uint64()),
        ("f", pa.float32()),
        ("d", pa.float64()),
        ("k", pa.bool_()),
        ("t", pa.timestamp("us", "UTC")),
        ("day", pa.date32()),
        ("s", pa.string()),
        ("n", pa.decimal128(10, 2)),
    ]
)
I, L, U, F, D, K, T, _, S, N = (pc.field(name) for name in SCHEMA.names)


@pytest.mark.parametrize(
    "expression",
    [
        (I + 1 > L) & K,
        D / F - 0.5,
        pc.negate_checked(I),
        pc.field("t") > datetime(2020, 1, 1, tzinfo=timezone.utc),
        pc.field("day") == date(2020, 1, 1),
        pc.if_else(K, I, None),
        pc.coalesce(D, L, 1),
        ~K | D.is_nan() | I.is_null() | T.is_valid(),
        I.cast("int8"),
        pc.scalar(1),
        pc.xor(K, I == L),
    ],
    ids=str,
)
def test_numbers_booleans_and_times_are_native(expression: pc.Expression) -> None:
    assert program_of([expression], SCHEMA) is not None


@pytest.mark.parametrize(
    "expression",
    [
        S == "x",
        N + 1,
        N > 1,
        pc.sqrt(D),
        T - T,
        pc.field("t") == T.cast(pa.timestamp("ns", "UTC")),
        K.cast("int8"),
        I.cast("string"),
        I.cast("bool"),
        pc.scalar(1) + 1,
        pc.if_else(pc.scalar(1) > 0, I, L),
        pc.negate(U),
        pc.is_nan(I),
        pc.year(T),
        S.is_null(),
        I.isin([1]),
    ],
    ids=str,
)
def test_everything_else_is_left_to_arrow(expression: pc.Expression) -> None:
    assert program_of([expression], SCHEMA) is None
    assert program_of([I + 1, expression], SCHEMA) is None


def test_what_occurs_twice_is_worked_out_once() -> None:
    made = program_of([(I + L) * 2, (I + L) * 3], SCHEMA)
    assert made is not None
    words = [line.word for line in made.lines]
    assert words.count("column") == 2
    assert words.count("add_checked") == 1
    assert made.results == (words.index("multiply_checked"), len(words) - 1)


@pytest.mark.parametrize(
    ("value", "bits"),
    [
        (pa.scalar(-1, pa.int32()), 2**32 - 1),
        (pa.scalar(1.0), 0x3FF0000000000000),
        (pa.scalar(True), 1),
        (pa.scalar(False), 0),
        (pa.scalar(None, pa.int8()), None),
        (pa.scalar(date(1970, 1, 3)), 2),
        (pa.scalar(5, pa.timestamp("ns", "UTC")), 5),
    ],
    ids=str,
)
def test_a_literal_travels_as_it_lies_in_memory(value: pa.Scalar, bits: int | None) -> None:
    made = program_of([pc.scalar(value)], SCHEMA)
    assert made is not None
    assert [line.bits for line in made.lines] == [bits]


def test_arguments_are_cast_as_arrow_casts_them() -> None:
    # 2.5 is exact in 32 bits, so Arrow compares in 32 bits, where few whole numbers are exact.
    made = program_of([L > 2.5], SCHEMA)
    assert made is not None
    assert Line("cast", "f", (0,)) in made.lines
    wide = program_of([L > 0.1], SCHEMA)
    assert wide is not None
    assert Line("cast", "g", (0,)) in wide.lines


@pytest.mark.parametrize(
    "expression", [L > 2.5, L * 2.5, U + pc.field("i"), U > -1, pc.if_else(L > 0, L, 0.5)], ids=str
)
def test_a_cast_that_arrow_refuses_is_an_error_of_its_row(expression: pc.Expression) -> None:
    numbers = {"i": [1, 1, 1], "l": [1, 2**60, 2], "u": [1, 2**63, 2]}
    batch = pa.RecordBatch.from_pydict(
        {field.name: pa.array(numbers.get(field.name, [None] * 3), field.type) for field in SCHEMA}
    )
    with pytest.raises(pa.ArrowInvalid) as known:
        evaluate([expression], batch)
    made = flow("f", SCHEMA).select(x=expression)
    assert made.operators[0].native
    with pytest.raises(OperatorError) as caught:
        made.run(batch)
    assert (caught.value.row, caught.value.operator) == (1, "select_1")
    assert str(known.value) in str(caught.value), "the same words"


def test_a_program_of_too_many_lines_is_left_to_arrow() -> None:
    deep = I
    for number in range(MOST_LINES // 2):
        deep = deep * (number + 2)
    assert program_of([deep], SCHEMA) is None


def test_rows_that_cannot_be_moved_one_by_one_are_filtered_by_arrow() -> None:
    union = pa.union([pa.field("x", pa.int8())], mode="dense")
    assert can_gather(SCHEMA)
    assert not can_gather(pa.schema([("a", union)]))
    assert not can_gather(pa.schema([("a", pa.list_(union))]))


def test_a_program_travels_with_the_flow() -> None:
    made = flow("f", "a int").filter(pc.field("a") > 1).select(b=pc.field("a") + 1)
    spec = FlowSpec.of(made)
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert [operator.native for operator in spec.operators] == [True, True]
