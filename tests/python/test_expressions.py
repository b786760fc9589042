from __future__ import annotations

import subprocess
import sys

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock.errors import FlowError
from penstock.expressions import bind, evaluate, text_of

SCHEMA = pa.schema([("n", pa.int64()), ("s", pa.string()), ("t", pa.struct([("x", pa.int32())]))])


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        (pc.field("n") > 1, pa.bool_()),
        (pc.field("n"), pa.int64()),
        (pc.field("n").cast("float64") * 2, pa.float64()),
        (pc.field("t", "x") + 1, pa.int32()),
        (pc.utf8_upper(pc.field("s")), pa.string()),
        (pc.scalar(1), pa.int64()),
    ],
)
def test_an_expression_has_the_type_of_its_result(
    expression: pc.Expression, kind: pa.DataType
) -> None:
    assert bind(expression, SCHEMA) == kind


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        (pc.field("N") > 1, "unknown column 'N'; did you mean 'n'"),
        (pc.field("t", "y") > 1, "unknown field 't.y' in column"),
        (pc.field("u", "y") > 1, "unknown column 'u'"),
        (pc.field(9) > 1, r"unknown column 'FieldPath\(9\)'"),
        (pc.field("n") > "a", r"\(n > \"a\"\) does not fit .*n int64.*no kernel"),
        (pc.sum(pc.field("n")), r"sum\(n\) does not give one value per row"),
        (pc.field("n") == pc.max(pc.field("n")), "does not give one value per row"),
    ],
)
def test_an_expression_that_cannot_be_is_refused_in_words(
    expression: pc.Expression, problem: str
) -> None:
    with pytest.raises(FlowError, match=problem):
        bind(expression, SCHEMA)


@pytest.mark.parametrize(
    ("value", "advice"),
    [
        (True, "got bool; a Python comparison has already been decided"),
        ("n > 1", "got str; write it with pyarrow.compute"),
        (len, "or give the function to map or flat_map"),
    ],
)
def test_what_is_no_expression_is_refused_with_advice(value: object, advice: str) -> None:
    with pytest.raises(FlowError, match=advice):
        bind(value, SCHEMA)


def test_more_rows_than_arrow_takes_at_a_time_keep_their_order() -> None:
    batch = pa.RecordBatch.from_pydict({"n": pa.array(range(200_000))})
    doubled, same = evaluate([pc.field("n") * 2, pc.field("n")], batch)
    assert doubled.equals(pa.array(range(0, 400_000, 2)))
    assert same.equals(batch["n"])


def test_expressions_are_computed_on_the_calling_thread() -> None:
    # Another thread would be one more than a task of Spark's has been given a core for.
    program = """if True:
        import os, pyarrow as pa, pyarrow.acero, pyarrow.compute as pc
        from penstock.expressions import evaluate

        before = set(os.listdir("/proc/self/task"))
        evaluate([pc.field("n") * 2], pa.RecordBatch.from_pydict({"n": range(200_000)}))
        print(set(os.listdir("/proc/self/task")) - before)
    """
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert ran.stdout.decode().strip() == "set()"


def test_a_constant_is_repeated_for_every_row() -> None:
    assert evaluate([pc.scalar("x")], pa.RecordBatch.from_pydict({"n": [1, 2]}))[0].to_pylist() == [
        "x",
        "x",
    ]


def test_a_batch_without_rows_gives_arrays_without_rows() -> None:
    batch = pa.RecordBatch.from_pydict({"n": pa.array([], pa.int64())})
    assert [len(array) for array in evaluate([pc.field("n") + 1, pc.scalar(1)], batch)] == [0, 0]


def test_nulls_stay_nulls() -> None:
    batch = pa.RecordBatch.from_pydict({"n": [1, None]})
    assert evaluate([pc.field("n") > 0], batch)[0].to_pylist() == [True, None]


def test_the_text_of_an_expression_is_one_line() -> None:
    assert "\n" not in text_of(pc.field("n").isin([1, 2, 3]))


def test_the_text_of_an_expression_tells_options_only_where_they_were_asked_for() -> None:
    assert text_of(pc.field("n").is_null()) == "is_null(n)"
    assert "nan_is_null=true" in text_of(pc.field("n").is_null(nan_is_null=True))
