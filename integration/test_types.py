from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from pyspark.errors import PySparkException
from tests.python.arrow_cases import CASES, Case

from integration.flows import identity
from integration.oracle import assert_same
from integration.settings import settings

SENT_BY_SPARK = [case for case in CASES if case.from_spark]
SMALL_BATCHES = {"spark.sql.execution.arrow.maxRecordsPerBatch": "4"}


@pytest.mark.parametrize("case", SENT_BY_SPARK, ids=lambda case: case.name)
def test_a_column_of_this_type_passes_unchanged(spark: Any, case: Case) -> None:
    # In one piece: Spark stops reading a table at its first chunk without rows.
    values = [value for array in case.arrays() for value in array.to_pylist()]
    df = spark.createDataFrame(pa.table({"c": pa.array(values, case.type)}))
    with settings(spark, SMALL_BATCHES):
        count = assert_same(df.transform(identity(df.schema)), df, partitions=False)
    assert count == len(values)


@pytest.mark.parametrize(
    "changed",
    [
        {"spark.sql.session.timeZone": "Asia/Kathmandu"},
        {"spark.sql.session.timeZone": "America/St_Johns", "spark.penstock.tuple.rows": "1"},
        {"spark.sql.execution.arrow.useLargeVarTypes": "true"},
        {"spark.sql.execution.arrow.maxBytesPerBatch": "2147483647"},
        {"spark.penstock.check.batches": "full", "spark.penstock.tuple.rows": "3"},
    ],
    ids=str,
)
def test_all_types_together_pass_unchanged_with(spark: Any, changed: dict[str, str]) -> None:
    with settings(spark, SMALL_BATCHES | changed):
        df = everything(spark)
        # Declared by Spark's own schema, and by the text of it that a person would write.
        assert assert_same(df.transform(identity(df.schema)), df, partitions=False) == 12
        ddl = ", ".join(f"`{name}` {kind}" for name, kind in df.dtypes)
        assert assert_same(df.transform(identity(ddl)), df, partitions=False) == 12


def test_numbers_that_are_not_equal_to_themselves_pass_unchanged(spark: Any) -> None:
    df = spark.sql("SELECT double('NaN') AS d, float('NaN') AS f, -0.0D AS z FROM range(10)")
    assert assert_same(df.transform(identity("d double, f float, z double")), df) == 10


def test_names_that_need_quotes_pass_unchanged(spark: Any) -> None:
    df = spark.sql("SELECT id AS `a b`, named_struct('c`d', id, 'e.f', 'x') AS `g-h` FROM range(9)")
    assert assert_same(df.transform(identity(df.schema)), df, partitions=False) == 9


def test_not_null_is_kept_where_it_is_true_and_refused_where_it_is_not(spark: Any) -> None:
    df = spark.sql("SELECT id, nullif(id, 3) AS maybe FROM range(10)")
    made = df.transform(identity(df.schema))
    assert [field.nullable for field in made.schema] == [False, True]
    assert assert_same(made, df, partitions=False) == 10
    assert made.where("maybe IS NULL").count() == 1
    promised = df.transform(identity("id long NOT NULL, maybe long NOT NULL"))
    with pytest.raises(PySparkException, match="'maybe' was declared NOT NULL but holds a null"):
        promised.collect()


def test_times_and_variants_pass_unchanged(spark: Any) -> None:
    with settings(spark, SMALL_BATCHES | {"spark.sql.timeType.enabled": "true"}):
        df = spark.range(10).selectExpr(
            "parse_json(concat('{\"a\": ', id, '}')) AS v",
            "make_time(id, 0, 1.5) AS t",
            "array(named_struct('t', make_time(id, 1, 2), 'v', parse_json('[1]'))) AS nested",
        )
        made = df.transform(identity(df.schema))
        assert [kind for _, kind in made.dtypes] == [kind for _, kind in df.dtypes]
        # Variants cannot be compared, but their texts can.
        texts = ["to_json(v) AS v", "t", "nested[0].t AS nested_t", "to_json(nested[0].v) AS w"]
        assert assert_same(made.selectExpr(*texts), df.selectExpr(*texts), partitions=False) == 10


def everything(spark: Any) -> Any:
    """A DataFrame of 12 rows with a column of every type."""
    columns = {}
    for case in SENT_BY_SPARK:
        values = [*case.values, None, None] * 6
        columns[case.name] = pa.array(values[:12], case.type)
    return spark.createDataFrame(pa.table(columns))
