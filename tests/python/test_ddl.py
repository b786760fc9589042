from __future__ import annotations

import pyarrow as pa
import pytest

from penstock.ddl import TYPES, VARIANT, parse_ddl, parse_type
from penstock.errors import FlowError
from penstock.schema import to_ddl


@pytest.mark.parametrize(("name", "kind"), TYPES.items())
def test_each_simple_type_is_read_in_any_case(name: str, kind: pa.DataType) -> None:
    assert parse_type(name) == kind
    assert parse_type(f" {name.upper()} ") == kind


@pytest.mark.parametrize(
    ("ddl", "kind"),
    [
        ("decimal", pa.decimal128(10, 0)),
        ("decimal(5)", pa.decimal128(5, 0)),
        ("numeric ( 38 , 38 )", pa.decimal128(38, 38)),
        ("varchar(3)", pa.string()),
        ("char(1)", pa.string()),
        ("interval day to second", pa.duration("us")),
        ("INTERVAL HOUR TO MINUTE", pa.duration("us")),
        ("interval day", pa.duration("us")),
        ("array<array<int>>", pa.list_(pa.list_(pa.int32()))),
        ("map<string,map<int,array<date>>>",
         pa.map_(pa.string(), pa.map_(pa.int32(), pa.list_(pa.date32())))),
        ("struct<a: int, b int>", pa.struct([("a", pa.int32()), ("b", pa.int32())])),
        ("struct<>", pa.struct([])),
    ],
)  # fmt: skip
def test_a_composed_type_is_read(ddl: str, kind: pa.DataType) -> None:
    assert parse_type(ddl) == kind


def test_columns_have_odd_names_nullability_and_comments() -> None:
    schema = parse_ddl("`a b``c` int NOT NULL COMMENT 'it\\'s ''so''',\n\tstraße string")
    assert schema.names == ["a b`c", "straße"]
    assert not schema.field(0).nullable
    assert schema.field(0).metadata == {b"comment": b"it's 'so'"}
    assert schema.field(1).nullable


def test_a_struct_member_may_be_not_null() -> None:
    kind = parse_type("struct<a: int NOT NULL COMMENT 'x', `b c`: string>")
    assert not kind.field(0).nullable
    assert kind.field(1).name == "b c"


@pytest.mark.parametrize(
    ("ddl", "problem", "caret"),
    [
        ("host strin", "unknown type 'strin' at character 6 .* did you mean 'string'", 5),
        ("host", "a type is expected at the end", 4),
        ("host string,", "a column name is expected .* at the end", 12),
        ("host string tries int", "',' or the end is expected at character 13", 12),
        ("a array<int", "'>' is expected at the end", 11),
        ("a array int", "'<' is expected at character 9", 8),
        ("a map<int>", "',' is expected at character 10", 9),
        ("a int not nul", "NULL is expected after NOT at character 11", 10),
        ("a int comment b", "a quoted text is expected after COMMENT at character 15", 14),
        ("a decimal(39,1)", r"decimal\(39,1\) is not possible", 9),
        ("a decimal(2,3)", r"decimal\(2,3\) is not possible", 9),
        ("a varchar(x)", "a length is expected at character 11", 10),
        ("a interval month", "only intervals from DAY to SECOND", 11),
        ("a interval second to day", "cannot run from second to day", 11),
        ("a void not null", "a void column holds nothing but nulls", 11),
        ("a map<void, int>", "the keys of a map cannot be void", 6),
        ("a int; b int", "';' cannot stand here at character 6", 5),
        ("`a int", "'`' cannot stand here at character 1", 0),
        ("a <int>", "a type is expected at character 3", 2),
    ],
)
def test_bad_ddl_is_pointed_at(ddl: str, problem: str, caret: int) -> None:
    with pytest.raises(FlowError, match=problem) as raised:
        parse_ddl(ddl)
    assert str(raised.value).splitlines()[-2:] == [f"  {ddl}", f"  {' ' * caret}^"]


@pytest.mark.parametrize("ddl", ["", "   "])
def test_an_empty_schema_is_refused(ddl: str) -> None:
    with pytest.raises(FlowError, match=r"at least one column"):
        parse_ddl(ddl)


def test_something_after_a_single_type_is_refused() -> None:
    with pytest.raises(FlowError, match=r"the end is expected at character 5"):
        parse_type("int string")


def test_a_variant_is_told_from_a_struct_of_the_same_fields() -> None:
    plain = pa.struct([pa.field(part.name, part.type, nullable=False) for part in VARIANT])
    assert to_ddl(pa.schema([("v", VARIANT)])) == "v variant"
    assert to_ddl(pa.schema([("s", plain)])).startswith("s struct<value: binary NOT NULL")
    assert (
        parse_ddl("v variant, w array<variant>")
        .field("v")
        .type.equals(VARIANT, check_metadata=True)
    )


@pytest.mark.parametrize("ddl", ["t time", "t time(0)", "t TIME(6)"])
def test_a_time_of_any_precision_is_one_arrow_type(ddl: str) -> None:
    assert parse_ddl(ddl).field("t").type == pa.time64("ns")


def test_a_time_of_an_impossible_precision_is_refused() -> None:
    with pytest.raises(FlowError, match="the precision of a time is 0 to 6"):
        parse_ddl("t time(7)")
