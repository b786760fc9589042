from __future__ import annotations

import decimal
import math
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import OperatorError, flow
from penstock.bodies import process_of
from penstock.expression_calls import evaluator, steps_of
from penstock.expressions import evaluate
from penstock.flow import Flow
from penstock.operators import Compute, Filter

ROWS = 9
BATCH = pa.RecordBatch.from_pydict(
    {
        "text": ["a", None, "", "bb", "7", "ü", "a", "12", "x,y"],
        "other": pa.array(["a", "b", None, "bb", "8", "", "b", "3", "é"], pa.large_string()),
        "word": pa.array(["a", "b", None, "a", "a", "b", "c", "", "a"]).dictionary_encode(),
        "raw": pa.array([b"\xff", None, b"", b"a", b"b", b"a", b"b", b"a", b"\x00"]),
        "price": pa.array(
            map(Decimal, ["0.10", "1", "2", "-3", "4", "5", "60", "7.25", "8"]),
            pa.decimal128(10, 2),
        ),
        "n": pa.array([3, 0, None, -128, 127, 5, 1, 2, 3], pa.int8()),
        "big": pa.array([3, 0, None, 2**40, -(2**62), 5, 1, 2, 3], pa.int64()),
        "f": pa.array([0.5, None, float("nan"), 0.1, 1.0, 2.0, -1.5, 1e30, 3.0], pa.float32()),
        "time": pa.array([0, None, 86_399, 1, 2, 3, 10**9, 5, -1], pa.timestamp("s")),
        "flag": [True, None, False, True, False, True, None, True, False],
        "list": pa.array([[1], None, [], [1, 2], [3], [4], [5], [6], [7]], pa.list_(pa.int32())),
        "record": pa.array([{"x": each} for each in range(ROWS)]),
    }
)
TEXT, OTHER, WORD, RAW = (pc.field(name) for name in ("text", "other", "word", "raw"))
PRICE, N, BIG, F, TIME = (pc.field(name) for name in ("price", "n", "big", "f", "time"))
CALLED = [
    TEXT != "7",
    TEXT == OTHER,
    OTHER > "a",
    pc.scalar(pa.scalar(None, pa.string())) == TEXT,
    TEXT.isin(["a", "7", None]),
    BIG.isin([3, 5]),
    N.isin([3, 5]),
    pc.index_in(TEXT, pa.array(["a", "7"])),
    WORD == "a",
    WORD.isin(["a", "c"]),
    WORD.cast(pa.string()),
    WORD,
    RAW == b"a",
    pc.utf8_length(TEXT) > 1,
    pc.utf8_length(TEXT) + 1,
    pc.utf8_upper(TEXT),
    pc.utf8_slice_codeunits(TEXT, 0, 1),
    pc.replace_substring_regex(TEXT, "[a-z]", "-"),
    pc.match_substring_regex(TEXT, r"^\d+$"),
    pc.extract_regex(TEXT, r"(?P<digits>\d+)"),
    pc.split_pattern(TEXT, ","),
    pc.binary_join_element_wise(TEXT, "x", "-"),
    pc.starts_with(TEXT, "a") & ~(TEXT == "a") | pc.field("flag"),
    pc.if_else(TEXT == "a", 1, 2),
    pc.if_else(TEXT == "a", BIG, 0),
    pc.coalesce(TEXT, "none"),
    pc.case_when(pc.make_struct(TEXT == "a", N > 3), TEXT, "n", "else"),
    pc.choose(pc.if_else(TEXT == "a", 1, 0), N, BIG),
    pc.list_value_length(pc.field("list")),
    pc.struct_field(pc.field("record"), ["x"]),
    pc.make_struct(TEXT, N, field_names=["t", "n"]),
    Decimal("1.5") < PRICE,
    PRICE + Decimal("1.5"),
    PRICE * Decimal(2) > Decimal(3),
    PRICE * N,
    PRICE.cast(pa.float64()) / 3,
    Decimal("4.00") == PRICE,
    pc.round(F, 1),
    pc.round(PRICE, ndigits=1),
    pc.power(F, 2),
    pc.min_element_wise(N, 5, BIG),
    F > 0.1,
    F > 0.5,
    F * 0.1,
    F + 0.5,
    pc.equal(F, pc.scalar(math.nan)),
    pc.add(N, 1),
    N + 1000,
    N > 1000,
    N < 2**40,
    pc.scalar(pa.scalar(3, pa.uint64())) < BIG,
    BIG.cast(pa.int32(), safe=False),
    N.is_null(nan_is_null=True),
    F.is_null(nan_is_null=True),
    pc.year(TIME),
    pc.strftime(TIME, format="%Y"),
    TIME.cast(pa.date32()),
    pc.scalar(pa.scalar(2, pa.timestamp("s"))) == TIME,
    pc.scalar("same"),
    pc.scalar(None),
    N,
]
PLANNED = [
    pc.field("record", "x") > 3,
    pc.add(pc.scalar(1), pc.scalar(2)),
    pc.utf8_upper(pc.scalar("a")) == TEXT,
    pc.scalar(pa.scalar(2_000_000, pa.timestamp("us"))) < TIME,
]


def same(found: pa.Array, expected: pa.Array) -> None:
    found.validate(full=True)
    assert found.type == expected.type
    assert repr(found.to_pylist()) == repr(expected.to_pylist())


@pytest.mark.parametrize("expression", CALLED, ids=str)
@pytest.mark.parametrize(("first", "rows"), [(0, ROWS), (0, 0), (1, 1), (3, 5), (ROWS, 0)])
def test_calls_make_what_arrows_evaluator_makes(
    expression: pc.Expression, first: int, rows: int
) -> None:
    steps = steps_of([expression], BATCH.schema)
    assert steps is not None
    batch = BATCH.slice(first, rows)
    made = evaluator([expression], BATCH.schema)(batch)
    for found, expected in zip(made, evaluate([expression], batch), strict=True):
        same(found, expected)


@pytest.mark.parametrize("expression", PLANNED, ids=str)
def test_what_calls_might_do_otherwise_is_left_to_arrows_evaluator(
    expression: pc.Expression,
) -> None:
    assert steps_of([TEXT, expression], BATCH.schema) is None
    found = evaluator([TEXT, expression], BATCH.schema)(BATCH)
    same(found[1], evaluate([expression], BATCH)[0])


def test_a_column_that_occurs_twice_is_left_to_arrow_as_well() -> None:
    twice = pa.schema([("a", pa.string()), ("a", pa.string())])
    assert steps_of([pc.field("a")], twice) is None


@pytest.mark.parametrize(
    "expression",
    [TEXT.cast(pa.int32()), pc.add_checked(N, N), pc.add(pc.utf8_length(TEXT), TEXT.cast("int32"))],
    ids=str,
)
def test_calls_fail_as_arrows_evaluator_does(expression: pc.Expression) -> None:
    steps = steps_of([expression], BATCH.schema)
    assert steps is not None
    with pytest.raises(pa.ArrowInvalid) as expected:
        evaluate([expression], BATCH)
    with pytest.raises(pa.ArrowInvalid) as found:
        steps[0](BATCH)
    assert str(found.value) == str(expected.value)


def told(made: Flow, batch: pa.RecordBatch, **settings: Any) -> list[dict[str, Any]]:
    return made.run(batch, settings={"spark.penstock.tuple.rows": 2, **settings}).to_pylist()


@pytest.mark.parametrize("check", ["schema", "full"])
def test_a_flow_makes_the_columns_and_rows_that_its_operators_say(check: str) -> None:
    start = flow("f", BATCH.schema.remove(7).remove(6).remove(2))
    made = start.filter(TEXT.isin(["a", "bb", "7", "x,y"]))
    made = made.select("n", "text", length=pc.utf8_length(TEXT), doubled=PRICE * Decimal(2))
    keep, compute = made.operators
    assert isinstance(keep, Filter)
    assert isinstance(compute, Compute)
    assert (keep.native, compute.native) == (False, False)
    batch = BATCH.select(start.schema.names)
    expected = compute.process(keep.process(batch))
    for place, operator in enumerate(made.operators):
        given = batch if place == 0 else keep.process(batch)
        done = process_of(operator)(given)
        assert done is not None
        assert done.equals(operator.process(given))
    assert told(made, batch, **{"spark.penstock.check.batches": check}) == expected.to_pylist()
    by_key = start.parallel(lambda part: part.filter(TEXT != "a"), by="text", channels=2)
    expected = batch.filter(evaluate([TEXT != "a"], batch)[0])
    assert told(by_key, batch) == expected.to_pylist()


def test_the_row_that_fails_is_named_and_the_rows_before_it_come() -> None:
    made = flow("f", "text string").select(n=TEXT.cast(pa.int32()))
    batch = pa.RecordBatch.from_pydict({"text": ["1", "2", None, "4", "x", "6"]})
    found: list[dict[str, Any]] = []

    def read() -> None:
        for one in made.stream(batch, settings={"spark.penstock.tuple.rows": 3}):
            found.extend(one.to_pylist())

    with pytest.raises(OperatorError, match="Failed to parse string: 'x'") as failed:
        read()
    assert failed.value.row == 4
    assert [row["n"] for row in found] == [1, 2, None, 4]


def test_decimals_are_worked_out_exactly() -> None:
    [made] = evaluator([PRICE * Decimal(3)], BATCH.schema)(BATCH)
    with decimal.localcontext() as context:
        context.prec = 38
        assert made.to_pylist() == [value * 3 for value in BATCH["price"].to_pylist()]
