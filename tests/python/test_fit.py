from __future__ import annotations

import pyarrow as pa
import pytest

from penstock.errors import FlowError
from penstock.fit import Fit


def batch_of(**columns: pa.Array) -> pa.RecordBatch:
    return pa.record_batch(list(columns.values()), names=list(columns))


NOT_NULL = pa.schema([pa.field("l", pa.list_(pa.field("element", pa.int32(), False)), False)])


@pytest.mark.parametrize(
    ("declared", "came"),
    [
        (pa.schema([("t", pa.timestamp("us", "UTC"))]),
         batch_of(t=pa.array([1], pa.timestamp("us", "Asia/Tokyo")))),
        (NOT_NULL, batch_of(l=pa.array([[1]], pa.list_(pa.int32())))),
        (pa.schema([("n", pa.int64())]), batch_of(n=pa.array([1])).replace_schema_metadata({"k": "v"})),
        (pa.schema([("t", pa.list_(pa.timestamp("us", "UTC")))]),
         batch_of(t=pa.array([[1]], pa.list_(pa.timestamp("us", "Europe/Paris"))))),
    ],
)  # fmt: skip
def test_a_batch_that_differs_in_labels_only_is_passed_on_itself(
    declared: pa.Schema, came: pa.RecordBatch
) -> None:
    assert Fit(declared)(came) is came


@pytest.mark.parametrize(
    ("declared", "came"),
    [
        (pa.string(), pa.large_string()),
        (pa.large_string(), pa.string()),
        (pa.binary(), pa.large_binary()),
        (pa.list_(pa.string()), pa.large_list(pa.large_string())),
        (pa.string(), pa.dictionary(pa.int32(), pa.string())),
        (pa.dictionary(pa.int32(), pa.string()), pa.string()),
    ],
)
def test_another_encoding_of_the_same_values_is_cast(
    declared: pa.DataType, came: pa.DataType
) -> None:
    value: object = b"a" if "binary" in str(came) else "a"
    values = [[value] if "list" in str(came) else value, None]
    fitted = Fit(pa.schema([("c", declared)]))(batch_of(c=pa.array(values, came)))
    assert fitted.schema.field("c").type == declared
    assert fitted["c"].to_pylist() == values


@pytest.mark.parametrize(
    ("declared", "came"),
    [
        (pa.int32(), pa.int64()),
        (pa.timestamp("us"), pa.timestamp("us", "UTC")),
        (pa.timestamp("us"), pa.timestamp("ns")),
        (pa.decimal128(5, 2), pa.decimal128(5, 3)),
        (pa.struct([("a", pa.int8())]), pa.struct([("b", pa.int8())])),
        (pa.list_(pa.int8()), pa.list_(pa.int16())),
        (pa.binary(), pa.binary(4)),
        (pa.null(), pa.int8()),
    ],
)
def test_other_values_are_refused_with_both_types(declared: pa.DataType, came: pa.DataType) -> None:
    with pytest.raises(FlowError, match=r"column 'c' was declared (.*) but is (.*)") as raised:
        Fit(pa.schema([("c", declared)])).check(pa.schema([("c", came)]))
    names = str(raised.value).split("declared ")[1].split(" but is ")
    assert names[0] != names[1]


@pytest.mark.parametrize(
    ("declared", "values"),
    [
        (pa.string(), [None, None]),
        (pa.list_(pa.int32()), [[], [None]]),
        (pa.struct([("a", pa.int8()), ("b", pa.string())]), [{"a": None, "b": None}, None]),
    ],
)
def test_nulls_without_a_type_fit_every_type(declared: pa.DataType, values: list[object]) -> None:
    untyped = pa.array(values)
    assert "null" in str(untyped.type)
    fitted = Fit(pa.schema([("c", declared)]))(batch_of(c=untyped))
    assert fitted.schema.field("c").type == declared
    assert fitted["c"].to_pylist() == values


def test_by_name_order_is_free_and_other_columns_are_left_out() -> None:
    fit = Fit(pa.schema([("a", pa.int64()), ("b", pa.string())]), by_name=True)
    fitted = fit(pa.RecordBatch.from_pydict({"x": [0], "b": ["b"], "a": [1]}))
    assert fitted.to_pydict() == {"a": [1], "b": ["b"]}


def test_not_by_name_the_order_counts() -> None:
    fit = Fit(pa.schema([("a", pa.int64()), ("b", pa.int64())]))
    with pytest.raises(FlowError, match=r"'a', 'b' were declared but 'b', 'a' came"):
        fit(pa.RecordBatch.from_pydict({"b": [1], "a": [2]}))


def test_a_missing_column_is_named_with_the_one_that_was_meant() -> None:
    fit = Fit(pa.schema([("host", pa.string())]), by_name=True)
    with pytest.raises(FlowError, match=r"'host' was declared but is missing; did you mean 'Host'"):
        fit(pa.RecordBatch.from_pydict({"Host": ["a"]}))


def test_a_column_that_occurs_twice_in_the_data_is_refused() -> None:
    fit = Fit(pa.schema([("a", pa.int64())]), by_name=True)
    with pytest.raises(FlowError, match=r"column 'a' occurs 2 times"):
        fit(pa.record_batch([pa.array([1]), pa.array([2])], names=["a", "a"]))


def test_what_is_remembered_of_one_schema_is_not_applied_to_the_next() -> None:
    fit = Fit(pa.schema([("a", pa.int64()), ("b", pa.int64())]), by_name=True)
    straight, turned = (
        pa.RecordBatch.from_pydict({"a": [1], "b": [2]}),
        pa.RecordBatch.from_pydict({"b": [2], "a": [1]}),
    )
    for batch in (straight, turned, turned, straight):
        assert fit(batch).to_pydict() == {"a": [1], "b": [2]}
    with pytest.raises(FlowError, match=r"column 'b'"):
        fit(pa.RecordBatch.from_pydict({"a": [1], "b": ["x"]}))


def test_a_cast_that_fails_names_the_column() -> None:
    fit = Fit(pa.schema([("c", pa.dictionary(pa.int8(), pa.string()))]))
    wide = pa.array([str(number) for number in range(1000)])
    with pytest.raises(FlowError, match=r"column 'c' could not be cast from string to dict"):
        fit(batch_of(c=wide))


def test_a_null_where_none_was_declared_is_refused_before_spark_can_miscount_it() -> None:
    declared = pa.schema([pa.field("a", pa.int8(), nullable=False), ("b", pa.int8())])
    fit = Fit(declared)
    fine = pa.RecordBatch.from_arrays(
        [pa.array([1, 2], pa.int8()), pa.array([None, 2], pa.int8())], names=["a", "b"]
    )
    assert fit(fine) is fine
    wrong = pa.RecordBatch.from_arrays([fine.column(1), fine.column(0)], names=["a", "b"])
    with pytest.raises(FlowError, match="column 'a' was declared NOT NULL but holds a null"):
        fit(wrong)
