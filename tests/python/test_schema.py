from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.errors import FlowError
from penstock.schema import as_schema, spark_ddl, to_ddl

NAMES = st.text(min_size=1, max_size=6).filter(lambda name: name.strip() == name and name)
SIMPLE = st.sampled_from(
    [
        pa.bool_(), pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.float32(), pa.float64(),
        pa.string(), pa.binary(), pa.date32(), pa.timestamp("us"), pa.timestamp("us", tz="UTC"),
        pa.duration("us"), pa.null(), pa.decimal128(10, 2), pa.decimal128(38, 38),
    ]
)  # fmt: skip


def fields(types: st.SearchStrategy[pa.DataType]) -> st.SearchStrategy[list[pa.Field]]:
    field = st.tuples(NAMES, types, st.booleans()).map(
        lambda drawn: pa.field(drawn[0], drawn[1], drawn[2] or pa.types.is_null(drawn[1]))
    )
    return st.lists(field, min_size=1, max_size=3, unique_by=lambda each: each.name)


TYPES = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        inner.map(pa.list_),
        st.tuples(SIMPLE.filter(lambda kind: kind != pa.null()), inner).map(
            lambda pair: pa.map_(*pair)
        ),
        fields(inner).map(pa.struct),
    ),
    max_leaves=6,
)


@given(fields(TYPES).map(pa.schema))
def test_ddl_written_and_read_again_is_the_same_schema(schema: pa.Schema) -> None:
    assert as_schema(to_ddl(schema)) == schema


@given(fields(TYPES).map(pa.schema))
def test_ddl_for_spark_keeps_names_and_nullability_and_promises_nothing_inside(
    schema: pa.Schema,
) -> None:
    again = as_schema(spark_ddl(schema))
    assert [(each.name, each.nullable) for each in again] == [
        (each.name, each.nullable) for each in schema
    ]
    inside = pa.schema([("s", pa.struct([pa.field("a", pa.int8(), nullable=False)]))])
    assert "NOT NULL" not in spark_ddl(inside)


def test_a_comment_survives() -> None:
    ddl = r"a int NOT NULL COMMENT 'it\'s a \\ sign'"
    assert to_ddl(as_schema(ddl)) == ddl


@pytest.mark.parametrize(
    ("kind", "advice"),
    [
        (pa.uint8(), "int16"),
        (pa.uint16(), "int32"),
        (pa.uint32(), "int64"),
        (pa.uint64(), "decimal128"),
        (pa.float16(), "float32"),
        (pa.time32("s"), r"time64\('ns'\) \(TIME\)"),
        (pa.date64(), "date32"),
        (pa.timestamp("ns"), r"timestamp\('us'\)"),
        (pa.duration("s"), r"duration\('us'\)"),
        (pa.dictionary(pa.int8(), pa.string()), "value type"),
        (pa.decimal256(50, 2), "decimal128"),
        (pa.decimal128(5, -2), "0 <= scale"),
        (pa.binary(4), "binary"),
        (pa.list_(pa.int8(), 2), "variable size"),
        (pa.list_(pa.uint8()), "int16"),
        (pa.struct([("x", pa.map_(pa.string(), pa.uint16()))]), "int32"),
        (pa.month_day_nano_interval(), "one that Spark has"),
    ],
)
def test_a_type_foreign_to_spark_is_named_with_what_to_cast_it_to(
    kind: pa.DataType, advice: str
) -> None:
    with pytest.raises(FlowError, match=rf"column 'n' .* which Spark does not have; .*{advice}"):
        spark_ddl(pa.schema([("ok", pa.int8()), ("n", kind)]))


def test_large_strings_are_strings_to_spark() -> None:
    schema = pa.schema([("a", pa.large_string()), ("b", pa.large_binary())])
    assert spark_ddl(schema) == "`a` string, `b` binary"


def test_a_zone_other_than_utc_is_still_a_timestamp() -> None:
    assert spark_ddl(pa.schema([("t", pa.timestamp("us", "Asia/Tokyo"))])) == "`t` timestamp"


@pytest.mark.parametrize("schema", ["a int, a string", pa.schema([("a", "int8"), ("a", "int8")])])
def test_a_column_that_occurs_twice_is_refused(schema: object) -> None:
    with pytest.raises(FlowError, match=r"column 'a' occurs twice"):
        as_schema(schema)


@pytest.mark.parametrize("schema", [None, 3, ["a"], {"a": "int"}])
def test_what_is_no_schema_is_refused_by_its_type(schema: object) -> None:
    with pytest.raises(FlowError, match=rf"got {type(schema).__name__}"):
        as_schema(schema)


def test_an_empty_arrow_schema_is_refused() -> None:
    with pytest.raises(FlowError, match=r"at least one column"):
        as_schema(pa.schema([]))


class StructTypeLike:
    """What a StructType gives away of itself."""

    def __init__(self, *fields: dict[str, object]) -> None:
        self.fields = fields

    def jsonValue(self) -> dict[str, object]:
        return {"type": "struct", "fields": list(self.fields)}


def test_a_struct_type_is_read_by_its_json() -> None:
    schema = as_schema(
        StructTypeLike(
            {"name": "a", "type": "decimal(5,2)", "nullable": False, "metadata": {"comment": "x"}},
            {"name": "b", "type": {"type": "array", "elementType": "long", "containsNull": True}},
            {"name": "c", "type": {"type": "map", "keyType": "string", "valueType": "void"}},
            {"name": "d", "type": {"type": "udt", "sqlType": "interval day to second"}},
        )
    )
    expected = "a decimal(5,2) NOT NULL COMMENT 'x', b array<bigint>, c map<string, void>, "
    assert to_ddl(schema) == expected + "d interval day to second"


@pytest.mark.parametrize("kind", ["calendar", {"type": "geometry"}])
def test_a_struct_type_with_a_type_arrow_lacks_names_the_column(kind: object) -> None:
    with pytest.raises(FlowError, match=r"column 'v': .*(calendar|geometry)"):
        as_schema(StructTypeLike({"name": "v", "type": kind}))
