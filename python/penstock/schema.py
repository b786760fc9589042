"""One notion of schema: DDL, StructType and pyarrow.Schema in, Arrow inside, DDL out.

>>> schema = as_schema("host string, `two words` array<struct<a: int>>")
>>> to_ddl(schema)
'host string, `two words` array<struct<a: int>>'
>>> as_schema(schema) is schema
True
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import pyarrow as pa
from pyarrow import types as is_

from penstock.ddl import TIME, TYPES, VARIANT, parse_ddl, parse_type
from penstock.errors import FlowError

# A str, a pyarrow.Schema, or anything with StructType's jsonValue(): pyspark is not imported here.
SchemaLike: TypeAlias = Any

PLAIN_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)

# Spark has no such types; what a user should cast a column to instead.
CAST_TO: list[tuple[Callable[[pa.DataType], bool], str]] = [
    (is_.is_uint8, "int16 (SMALLINT)"),
    (is_.is_uint16, "int32 (INT)"),
    (is_.is_uint32, "int64 (BIGINT)"),
    (is_.is_uint64, "decimal128(20, 0) (DECIMAL(20,0))"),
    (is_.is_float16, "float32 (FLOAT)"),
    (is_.is_date64, "date32 (DATE)"),
    (is_.is_time, "time64('ns') (TIME)"),
    (is_.is_timestamp, "timestamp('us')"),
    (is_.is_duration, "duration('us')"),
    (is_.is_fixed_size_binary, "binary (BINARY)"),
    (is_.is_fixed_size_list, "a list of variable size"),
    (is_.is_large_list, "list_"),
    (is_.is_dictionary, "the dictionary's value type"),
    (is_.is_decimal, "decimal128 with a precision of at most 38 and 0 <= scale <= precision"),
]


def as_schema(schema: SchemaLike) -> pa.Schema:
    """Turn a DDL string, a pyspark StructType or a pyarrow.Schema into a pyarrow.Schema."""
    if isinstance(schema, str):
        found = parse_ddl(schema)
    elif isinstance(schema, pa.Schema):
        found = schema
    elif callable(getattr(schema, "jsonValue", None)):
        json = schema.jsonValue()
        if not (isinstance(json, Mapping) and json.get("type") == "struct"):
            raise FlowError(f"a schema must be a StructType, got the type {json!r}")
        found = pa.schema([_field_from_json(field) for field in json["fields"]])
    else:
        raise FlowError(
            "a schema must be a DDL string, a pyspark StructType or a pyarrow.Schema, "
            f"got {type(schema).__name__}"
        )
    if not found.names:
        raise FlowError("the schema is empty; name at least one column, as in 'line string'")
    _reject_duplicates(found.names)
    return found


def to_ddl(schema: pa.Schema) -> str:
    """Write a schema the way a person would; types foreign to Spark keep Arrow's name."""
    return ", ".join(_column_ddl(field, " ") for field in schema)


def spark_ddl(schema: pa.Schema) -> str:
    """Write a schema for `DataFrame.mapInArrow`, or say which column Spark cannot hold.

    A column that is declared NOT NULL stays so, which saves Spark a null check per value and
    is made sure of while the flow runs. Inside structs nothing is promised.

    >>> spark_ddl(pa.schema([("n", pa.uint8())]))
    Traceback (most recent call last):
        ...
    penstock.errors.FlowError: column 'n' has the Arrow type uint8, which Spark does not have; \
cast it to int16 (SMALLINT)
    """
    return ", ".join(
        f"{quote(field.name, always=True)} {_spark_type(field.type, field.name)}"
        + ("" if field.nullable else " NOT NULL")
        for field in schema
    )


def type_name(kind: pa.DataType) -> str:
    """Write one type the way a person would; one foreign to Spark keeps Arrow's name."""
    return _type_ddl(kind, lambda field: _column_ddl(field, ": "), str)


def quote(name: str, *, always: bool = False) -> str:
    """Backquote a column name where DDL needs it."""
    if not always and PLAIN_NAME.fullmatch(name):
        return name
    return "`" + name.replace("`", "``") + "`"


def _reject_duplicates(names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise FlowError(f"column '{name}' occurs twice in the schema; rename one of them")
        seen.add(name)


def _column_ddl(field: pa.Field, separator: str) -> str:
    comment = (field.metadata or {}).get(b"comment")
    return "".join(
        [
            quote(field.name),
            separator,
            type_name(field.type),
            "" if field.nullable else " NOT NULL",
            f" COMMENT {_quoted_text(comment.decode())}" if comment else "",
        ]
    )


def _quoted_text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SIMPLE_NAMES: dict[pa.DataType, str] = {
    pa.duration("us"): "interval day to second",
    TIME: "time(6)",
}
for _name, _type in TYPES.items():
    # The first spelling of a type that Spark itself prints wins over its synonyms.
    if _name not in {"byte", "short", "integer", "long", "real", "timestamp_ltz"}:
        SIMPLE_NAMES[_type] = _name


def _spark_type(kind: pa.DataType, column: str) -> str:
    def member(field: pa.Field) -> str:
        return f"{quote(field.name, always=True)}: {_spark_type(field.type, column)}"

    def otherwise(foreign: pa.DataType) -> str:
        # Spark's reader takes these two encodings as they are.
        if is_.is_large_string(foreign):
            return "string"
        if is_.is_large_binary(foreign):
            return "binary"
        advice = next((text for test, text in CAST_TO if test(foreign)), None)
        raise FlowError(
            f"column '{column}' has the Arrow type {foreign}, which Spark does not have; "
            + (f"cast it to {advice}" if advice else "cast it to one that Spark has")
        )

    return _type_ddl(kind, member, otherwise)


def _type_ddl(
    kind: pa.DataType, member: Callable[[pa.Field], str], otherwise: Callable[[pa.DataType], str]
) -> str:
    def inner(part: pa.DataType) -> str:
        return _type_ddl(part, member, otherwise)

    # The zone of a timestamp is a label: Spark keeps the instant and the session has the zone.
    if is_.is_timestamp(kind) and kind.unit == "us" and kind.tz:
        kind = TYPES["timestamp"]
    if kind in SIMPLE_NAMES or _is_variant(kind):
        return SIMPLE_NAMES.get(kind, "variant")
    if is_.is_decimal128(kind) and 0 <= kind.scale <= kind.precision:
        return f"decimal({kind.precision},{kind.scale})"
    if is_.is_map(kind):
        return f"map<{inner(kind.key_type)}, {inner(kind.item_type)}>"
    if is_.is_list(kind):
        return f"array<{inner(kind.value_type)}>"
    if not is_.is_struct(kind):
        return otherwise(kind)
    return f"struct<{', '.join(member(kind.field(i)) for i in range(kind.num_fields))}>"


def _is_variant(kind: pa.DataType) -> bool:
    return bool(is_.is_struct(kind) and kind.equals(VARIANT, check_metadata=True))


def _field_from_json(json: Mapping[str, Any]) -> pa.Field:
    comment = json.get("metadata", {}).get("comment")
    metadata = {"comment": comment} if comment else None
    try:
        kind = _type_from_json(json["type"])
    except FlowError as error:
        raise FlowError(f"column '{json['name']}': {error}") from None
    return pa.field(json["name"], kind, json.get("nullable", True), metadata)


def _type_from_json(json: Any) -> pa.DataType:
    if isinstance(json, str):
        return parse_type(json)
    match json["type"]:
        case "struct":
            return pa.struct([_field_from_json(field) for field in json["fields"]])
        case "array":
            return pa.list_(_type_from_json(json["elementType"]))
        case "map":
            return pa.map_(_type_from_json(json["keyType"]), _type_from_json(json["valueType"]))
        case "udt":
            return _type_from_json(json["sqlType"])
        case other:
            raise FlowError(f"the type '{other}' has no Arrow form")
