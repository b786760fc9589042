from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyspark.resource import ResourceProfileBuilder, TaskResourceRequests
from pyspark.sql import SparkSession

from penstock import FlowError, SettingError, flow
from penstock.dataframe import session_settings

# PySpark's own warnings differ from version to version and are not ours to mend.
pytestmark = pytest.mark.filterwarnings("ignore")

EVEN = (
    flow("even", "word string, n long")
    .filter(pc.equal(pc.bit_wise_and(pc.field("n"), 1), 0), name="even")
    .select("n", "word")
)


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    with pytest.MonkeyPatch.context() as patch:
        # Workers must be of the interpreter that has the package.
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        session = (
            SparkSession.builder.master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "1")
            .getOrCreate()
        )
        yield session
        session.stop()


@pytest.fixture
def df(spark: SparkSession) -> Any:
    return spark.range(100).selectExpr("id AS n", "concat('w', id) AS word", "interval 1 month x")


def test_a_flow_transforms_a_data_frame_in_order(df: Any) -> None:
    made = df.transform(EVEN)
    expected = df.where("n % 2 = 0").select("n", "word")
    assert made.dtypes == expected.dtypes
    assert made.collect() == expected.collect()


def test_the_plan_shows_the_name_of_the_flow(df: Any, capsys: pytest.CaptureFixture[str]) -> None:
    df.transform(EVEN).explain()
    assert "MapInArrow even(word#" in capsys.readouterr().out


def test_flows_follow_one_another(df: Any) -> None:
    few = flow("few", "n long").filter(pc.field("n") < 5)
    assert [row.n for row in df.transform(EVEN).transform(few).collect()] == [0, 2, 4]


def test_an_empty_partition_is_no_trouble(spark: SparkSession) -> None:
    none = spark.createDataFrame([], "word string, n long")
    assert none.transform(EVEN).collect() == []


def test_the_error_of_a_function_arrives_with_its_line(df: Any) -> None:
    def explode(batch: pa.RecordBatch) -> pa.RecordBatch:
        if 42 in batch["n"].to_pylist():
            raise KeyError("forty-two")
        return batch

    with pytest.raises(Exception, match=r"forty-two") as raised:
        df.transform(flow("bad", "n long").map(explode, name="explode")).collect()
    said = str(raised.value)
    assert "OperatorError: flow 'bad', operator 'explode', input row 42 (0-based" in said
    assert 'raise KeyError("forty-two")' in said


class OfSpark35:
    """A DataFrame whose mapInArrow is that of PySpark 3.5."""

    def __init__(self, df: Any) -> None:
        self.sparkSession = df.sparkSession

    def mapInArrow(self, func: Any, schema: Any, barrier: bool = False) -> Any:
        raise AssertionError((func, schema, barrier))


def test_a_profile_is_refused_where_pyspark_takes_none(df: Any) -> None:
    profile = ResourceProfileBuilder().require(TaskResourceRequests().cpus(2)).build
    wanted = r"flow 'even': profile= needs PySpark 4\.0 or newer, and this is .*spark\.task\.cpus"
    with pytest.raises(FlowError, match=wanted):
        EVEN(OfSpark35(df), profile=profile)


def test_what_is_no_profile_is_refused_with_how_to_make_one(df: Any) -> None:
    builder = ResourceProfileBuilder().require(TaskResourceRequests().cpus(2))
    wanted = "flow 'even': profile= was given a ResourceProfileBuilder; give a .*cpus(2)).build"
    with pytest.raises(FlowError, match=re.escape(wanted).replace(r"\.\*", ".*")):
        df.transform(EVEN, profile=builder)


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ("n int", "flow 'f': column 'n' was declared int but is bigint"),
        ("wort string", "'wort' was declared but is missing; did you mean 'word'"),
        ("x string", "column 'x': only intervals from DAY to SECOND"),
    ],
)
def test_a_data_frame_that_does_not_fit_is_refused_before_any_job(
    df: Any, schema: str, problem: str
) -> None:
    with pytest.raises(FlowError, match=problem):
        df.transform(flow("f", schema).select(schema.partition(" ")[0]))


def test_zone_and_nullability_do_not_matter(spark: SparkSession) -> None:
    session_zone = spark.sql("SELECT timestamp'2024-03-31 01:02:03' AS t")
    same = flow("same", "t timestamp").map(lambda batch: batch)
    assert session_zone.transform(same).collect() == session_zone.collect()


def test_a_result_spark_cannot_hold_is_refused_before_any_job(df: Any) -> None:
    unsigned = flow("u", "n long").select(u=pc.field("n").cast(pa.uint32()))
    with pytest.raises(FlowError, match=r"flow 'u': column 'u' .* uint32, .* cast it to int64"):
        df.transform(unsigned)


@pytest.mark.parametrize("thing", [pa.table({"n": [1]}), [1], None])
def test_what_is_no_data_frame_is_sent_to_run(thing: object) -> None:
    with pytest.raises(FlowError, match=rf"a {type(thing).__name__}, which is not .* use flow.run"):
        EVEN(thing)


def test_a_column_of_spark_is_no_expression(df: Any) -> None:
    with pytest.raises(FlowError, match=r"a pyspark Column works on a DataFrame only"):
        flow("f", "n long").filter(df.n > 1)


def test_a_flow_without_operators_is_refused(df: Any) -> None:
    with pytest.raises(FlowError, match=r"flow 'f' has no operators"):
        df.transform(flow("f", "n long"))


def test_a_struct_type_is_a_schema(df: Any) -> None:
    one = flow("f", df.select("n", "word").schema).select("n")
    assert one == flow("f", "n bigint NOT NULL, word string NOT NULL").select("n")


def test_a_function_may_use_a_broadcast_variable(spark: SparkSession, df: Any) -> None:
    squares = spark.sparkContext.broadcast({n: n * n for n in range(100)})

    def look_up(batch: pa.RecordBatch) -> pa.RecordBatch:
        found = [squares.value[n] for n in batch["n"].to_pylist()]
        return pa.RecordBatch.from_pydict({"n": pa.array(found, pa.int64())})

    made = df.transform(flow("squares", "n long").map(look_up))
    assert [row.n for row in made.collect()] == [n * n for n in range(100)]
    assert made.count() == 100


def test_settings_of_the_session_reach_the_workers(spark: SparkSession, df: Any) -> None:
    def count(batch: pa.RecordBatch) -> pa.RecordBatch:
        return pa.RecordBatch.from_pydict({"rows": [batch.num_rows] * batch.num_rows})

    spark.conf.set("spark.penstock.tuple.rows", "30")
    try:
        assert session_settings(spark) == {
            "spark.penstock.tuple.rows": "30",
            "spark.master": "local[1]",  # by which a task knows how many share its cores
        }
        made = df.transform(flow("f", "n long").map(count, "rows long")).distinct().collect()
        assert sorted(row.rows for row in made) == [10, 30]
    finally:
        spark.conf.unset("spark.penstock.tuple.rows")


def test_a_wrong_setting_of_the_session_is_refused_before_any_job(
    spark: SparkSession, df: Any
) -> None:
    spark.conf.set("spark.penstock.tupel.rows", "30")
    try:
        with pytest.raises(SettingError, match=r"spark.penstock.tupel.rows is not a setting; did"):
            df.transform(EVEN)
    finally:
        spark.conf.unset("spark.penstock.tupel.rows")


def test_a_name_with_a_dot_is_refused_before_spark_stumbles_over_it(spark: SparkSession) -> None:
    df = spark.range(3).selectExpr("id AS `a.b`")
    with pytest.raises(FlowError, match=r"flow 'dots': column 'a\.b' has a dot in its name"):
        df.transform(flow("dots", "`a.b` long").select("a.b"))


@pytest.fixture
def settings(spark: SparkSession) -> Iterator[Any]:
    keys: list[str] = []

    def set_to(key: str, value: str) -> None:
        keys.append(key)
        spark.conf.set(key, value)

    yield set_to
    for key in keys:
        spark.conf.unset(key)


def test_operators_that_hold_the_gil_are_refused_on_the_driver(df: Any, settings: Any) -> None:
    settings("spark.penstock.gil.fail", "true")
    words = "flow 'slow': 'score' holds the GIL, and spark.penstock.gil.fail is true"
    with pytest.raises(FlowError, match=words):
        df.transform(flow("slow", "n long").apply(lambda row: [row], name="score"))


def test_a_flow_that_takes_a_large_object_along_is_refused_on_the_driver(
    df: Any, settings: Any
) -> None:
    table = bytes(100_000)
    heavy = flow("heavy", "n long").map(lambda batch: (table, batch)[1], name="look_up")
    assert df.transform(heavy).columns == ["n"]
    settings("spark.penstock.task.maxBytes", "64k")
    with pytest.raises(FlowError, match="flow 'heavy': operator 'look_up' takes 10"):
        df.transform(heavy)
