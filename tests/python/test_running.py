"""Running aggregates: what can be asked for, what is refused, and where a row fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from penstock import agg, flow
from penstock.errors import FlowError, OperatorError
from penstock.threading_model import MODELS

SCHEMA = "host string, n int, x double, at timestamp, tags array<string>"


def collect_totals(batches: Iterator[pa.RecordBatch], made: list[int]) -> None:
    for batch in batches:
        made += batch["total"].to_pylist()


def test_every_aggregate_is_of_the_rows_so_far_of_the_same_key() -> None:
    totals = (
        flow("f", "k string, n int")
        .key_by("k")
        .running(
            rows=agg.count(),
            values=agg.count("n"),
            total=agg.sum("n"),
            least=agg.min("n"),
            most=agg.max("n"),
            middle=agg.mean("n"),
        )
    )
    data = {"k": ["a", "b", "a", None, "a"], "n": pa.array([3, 5, None, 7, -1], pa.int32())}
    assert totals.run(pa.table(data)).table.to_pydict() == {
        "k": ["a", "b", "a", None, "a"],
        "n": [3, 5, None, 7, -1],
        "rows": [1, 1, 2, 1, 3],
        "values": [1, 1, 1, 1, 2],
        "total": [3, 5, 3, 7, 2],
        "least": [3, 5, 3, 7, -1],
        "most": [3, 5, 3, 7, 3],
        "middle": [3.0, 5.0, 3.0, 7.0, 1.0],
    }


def test_single_values_and_variances_pass_over_nulls() -> None:
    made = (
        flow("f", "k long, s string, x double")
        .key_by("k")
        .running(
            first=agg.first("s"),
            last=agg.last("s"),
            least=agg.min("s"),
            most=agg.max("s"),
            var=agg.var("x"),
            stddev=agg.stddev("x"),
            different=agg.approx_distinct("s"),
        )
    )
    data = {"k": [1, 1, 1, 1], "s": [None, "b", "", None], "x": [1e9 + 1, None, 1e9 + 3, 1e9 + 5]}
    rows = made.run(pa.table(data), settings={"spark.penstock.tuple.rows": 3}).table
    assert rows.drop_columns(["k", "s", "x"]).to_pydict() == {
        "first": [None, "b", "b", "b"],
        "last": [None, "b", "", ""],
        "least": [None, "b", "", ""],
        "most": [None, "b", "b", "b"],
        "var": [None, None, 2.0, 4.0],
        "stddev": [None, None, 2.0**0.5, 2.0],
        "different": [0, 1, 2, 2],
    }
    assert not made.schema.field("different").nullable


@pytest.mark.parametrize("others", [[], [None]], ids=["without nulls", "with nulls"])
def test_a_sum_of_doubles_begins_with_its_first_value(others: list[None]) -> None:
    totals = flow("f", "k string, x double").key_by("k").running(total=agg.sum("x"))
    values = pa.array([-0.0, *others], pa.float64())
    data = pa.table({"k": ["a"] * len(values), "x": values})
    # Adding it to 0.0 would make 0.0 of it.
    assert [str(total) for total in totals.run(data).table["total"].to_pylist()] == ["-0.0"] * len(
        values
    )


def test_different_values_are_told_within_a_few_hundredths_and_so_after_a_restart() -> None:
    values = pa.table({"k": [1] * 100_000, "s": [str(i % 50_000) for i in range(100_000)]})
    made = flow("f", "k long, s string").key_by("k")
    told = made.running(different=agg.approx_distinct("s"), name="told")
    first = told.run(values.slice(0, 30_000), checkpoint=True)
    table = told.run(values.slice(30_000), restore=first.states).table
    assert table["different"][-1] == told.run(values).table["different"][-1]
    assert abs(table["different"][-1].as_py() - 50_000) < 2500


def test_the_schema_says_what_can_be_null_and_of_which_type_it_is() -> None:
    made = (
        flow("f", SCHEMA)
        .key_by("host")
        .running(rows=agg.count(), total=agg.sum("n"), area=agg.sum("x"), last=agg.max("at"))
    )
    fields = list(made.schema)[5:]
    assert [(f.type, f.nullable) for f in fields] == [
        (pa.int64(), False),
        (pa.int64(), True),
        (pa.float64(), True),
        (pa.timestamp("us", "UTC"), True),
    ]


def test_an_explanation_names_the_keys() -> None:
    made = flow("f", SCHEMA).key_by("host", "n").running(rows=agg.count(), name="seen")
    assert "running rows = count() by host, n" in made.explanation()
    assert "keyed, native" in made.explanation()


@pytest.mark.parametrize(
    ("keys", "aggregates", "problem"),
    [
        (["hots"], {"r": agg.count()}, "unknown key column 'hots'; did you mean 'host'"),
        ([], {"r": agg.count()}, "name at least one key column"),
        (["host", "host"], {"r": agg.count()}, "a key column is named twice"),
        (["tags"], {"r": agg.count()}, "key column 'tags' is array<string>, which cannot be a key"),
        (["host"], {}, "name at least one aggregate"),
        (["host"], {"n": agg.count()}, "column 'n' is there already"),
        (["host"], {"r": agg.sum("m")}, "sum\\(m\\): unknown column 'm'"),
        (["host"], {"r": agg.sum("host")}, "sum\\(host\\): the column is string, and must be"),
        (["host"], {"r": agg.mean("at")}, "the column is timestamp, and must be a number"),
        (["host"], {"r": agg.max("tags")}, "must be a number, a date, a timestamp or a string"),
        (
            ["host"],
            {"r": agg.var("host")},
            "var\\(host\\): the column is string, and must be a number",
        ),
        (["host"], {"r": agg.first("tags")}, "a timestamp, a string, a boolean or a decimal"),
        (["host"], {"r": agg.approx_distinct("tags")}, "the column is array<string>, and must be"),
        (["host"], {"r": "sum"}, "r= must be an aggregate such as agg.sum"),
    ],
)
def test_what_cannot_be_is_refused_where_it_is_written(
    keys: list[str], aggregates: dict[str, Any], problem: str
) -> None:
    with pytest.raises(FlowError, match=f"flow 'f', operator 'running_1': .*{problem}"):
        flow("f", SCHEMA).key_by(*keys).running(**aggregates)


@pytest.mark.parametrize("model", MODELS)
def test_a_sum_that_does_not_fit_fails_at_its_row_after_the_rows_before_it(model: str) -> None:
    most = 2**63 - 1
    total = flow("f", "k long, n long").key_by("k").running(total=agg.sum("n"), rows=agg.count())
    if model != "manual":
        total = total.threading(model)  # type: ignore[arg-type]
    rows = {"k": [1, 2, 1, 3, 2, 1], "n": [1, most, 2, 3, 1, most]}
    made: list[int] = []
    running = total.stream(pa.table(rows), settings={"spark.penstock.tuple.rows": 4})
    with pytest.raises(OperatorError) as caught:
        collect_totals(running, made)
    assert caught.value.row == 4, "the first of the two rows that do not fit"
    assert "9223372036854775807 + 1" in str(caught.value)
    assert made == [1, most, 3, 3]


def test_operators_behind_it_get_the_rows_before_a_failure() -> None:
    total = (
        flow("f", "k long, n long").key_by("k").running(total=agg.sum("n")).select("total")
    ).threading("conveyor", threads=2)
    made: list[int] = []
    running = total.stream(pa.table({"k": [1, 1, 1], "n": [1, 2, 2**63 - 1]}))
    with pytest.raises(OperatorError, match="does not fit into 64 bits"):
        collect_totals(running, made)
    assert made == [1, 3]


@pytest.mark.parametrize("model", ["manual", "conveyor"])
def test_state_beyond_the_limit_is_an_error_that_names_the_operator_and_its_longest_keys(
    model: str,
) -> None:
    keys = [f"key {i}" for i in range(5000)]
    keys[7] = "x" * 1000
    counts = flow("f", "k string").key_by("k").running(rows=agg.count(), name="seen")
    settings = {
        "spark.penstock.flow.f.threading": model,
        "spark.penstock.tuple.rows": 100,
        "spark.penstock.keyed.parts": 1 if model == "manual" else 4,
        "spark.penstock.state.maxBytes": "64k",
    }
    with pytest.raises(OperatorError, match="'seen'") as caught:
        counts.run(pa.table({"k": keys}), settings=settings)
    text = str(caught.value)
    assert "spark.penstock.state.maxBytes allows 65536" in text
    assert "its longest keys here are k = '" in text
    roomy = settings | {"spark.penstock.state.maxBytes": "64m"}
    assert counts.run(pa.table({"k": keys}), settings=roomy).num_rows == 5000
