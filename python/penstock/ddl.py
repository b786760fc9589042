"""Spark's DDL notation, read into Arrow types without Spark.

>>> print(parse_ddl("host string NOT NULL, tries int"))
host: string not null
tries: int32
>>> parse_ddl("host string not nul")
Traceback (most recent call last):
    ...
penstock.errors.FlowError: NULL is expected after NOT at character 17 of the schema
  host string not nul
                  ^
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NoReturn

import pyarrow as pa

from penstock.errors import FlowError, did_you_mean

# Spark keeps microseconds; a zoned timestamp is an instant, so its zone is a label only.
TYPES: dict[str, pa.DataType] = {
    "boolean": pa.bool_(),
    "tinyint": pa.int8(),
    "byte": pa.int8(),
    "smallint": pa.int16(),
    "short": pa.int16(),
    "int": pa.int32(),
    "integer": pa.int32(),
    "bigint": pa.int64(),
    "long": pa.int64(),
    "float": pa.float32(),
    "real": pa.float32(),
    "double": pa.float64(),
    "string": pa.string(),
    "binary": pa.binary(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us", tz="UTC"),
    "timestamp_ltz": pa.timestamp("us", tz="UTC"),
    "timestamp_ntz": pa.timestamp("us"),
    "void": pa.null(),
}
# The label on its second field is what tells it from an ordinary struct, to Spark and to us.
VARIANT = pa.struct(
    [
        pa.field("value", pa.binary(), nullable=False),
        pa.field("metadata", pa.binary(), nullable=False, metadata={"variant": "true"}),
    ]
)
TIME = pa.time64("ns")
COMPOSED = (
    *("decimal", "dec", "numeric", "varchar", "char", "array", "map", "struct", "interval"),
    *("time", "variant"),
)
DAY_TIME_UNITS = ("day", "hour", "minute", "second")

TOKEN = re.compile(
    r"""\s*(?:
      `(?P<quoted>(?:[^`]|``)+)`
    | '(?P<text>(?:[^'\\]|\\.|'')*)'
    | (?P<number>-?\d+)
    | (?P<word>[^\W\d]\w*)
    | (?P<sign>[<>(),:])
    )""",
    re.VERBOSE,
)


def parse_ddl(ddl: str) -> pa.Schema:
    """Read a list of columns such as `host string NOT NULL, tries array<int>`."""
    parser = _Parser(ddl)
    fields = list(parser.columns(until=""))
    if not fields:
        raise FlowError("the schema is empty; name at least one column, as in 'line string'")
    return pa.schema(fields)


def parse_type(ddl: str) -> pa.DataType:
    """Read one type such as `map<string, decimal(10, 2)>`."""
    parser = _Parser(ddl)
    found = parser.type()
    parser.expect("")
    return found


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # quoted, text, number, word, sign or end
    text: str
    start: int

    def is_word(self, word: str) -> bool:
        return self.kind == "word" and self.text.lower() == word


class _Parser:
    def __init__(self, ddl: str) -> None:
        self._ddl = ddl
        self._tokens = list(self._scan())
        self._next = 0

    def columns(self, until: str) -> Iterator[pa.Field]:
        if self._at(until):
            return
        yield self._column(colon_allowed=until == ">")
        while self._at(","):
            self._take()
            yield self._column(colon_allowed=until == ">")
        self.expect(until)

    def type(self) -> pa.DataType:
        token = self._take()
        word = token.text.lower()
        if token.kind != "word":
            self._fail("a type is expected", token)
        if word in TYPES:
            return TYPES[word]
        composed: dict[str, Callable[[], pa.DataType]] = {
            "array": self._array,
            "map": self._map,
            "struct": self._struct,
            "interval": self._interval,
            "time": self._time,
            "variant": lambda: VARIANT,
            "varchar": self._text,
            "char": self._text,
            "decimal": self._decimal,
            "dec": self._decimal,
            "numeric": self._decimal,
        }
        if word not in composed:
            self._fail(
                f"unknown type '{token.text}'", token, did_you_mean(word, [*TYPES, *COMPOSED])
            )
        return composed[word]()

    def expect(self, sign: str) -> None:
        if not self._at(sign):
            self._fail(f"'{sign}' is expected" if sign else "',' or the end is expected")
        self._take()

    def _column(self, *, colon_allowed: bool) -> pa.Field:
        token = self._take()
        if token.kind not in {"quoted", "word"}:
            self._fail("a column name is expected (quote odd names with backquotes)", token)
        name = token.text.replace("``", "`") if token.kind == "quoted" else token.text
        if colon_allowed and self._at(":"):
            self._take()
        found = self.type()
        nullable, metadata = True, None
        if self._peek().is_word("not"):
            self._take()
            if not self._peek().is_word("null"):
                self._fail("NULL is expected after NOT")
            if pa.types.is_null(found):
                self._fail("a void column holds nothing but nulls")
            self._take()
            nullable = False
        if self._peek().is_word("comment"):
            self._take()
            comment = self._take()
            if comment.kind != "text":
                self._fail("a quoted text is expected after COMMENT", comment)
            metadata = {"comment": re.sub(r"\\(.)|''", lambda m: m[1] or "'", comment.text)}
        return pa.field(name, found, nullable, metadata)

    def _array(self) -> pa.DataType:
        self.expect("<")
        element = self.type()
        length = -1
        if self._at(","):  # not Spark's: what a compiled function remembers has a fixed size
            start = self._take()
            length = self._number("how many values there are")
            if length < 1:
                self._fail("an array of fixed length has at least one value", start)
        self.expect(">")
        return pa.list_(element, length)

    def _map(self) -> pa.DataType:
        self.expect("<")
        first = self._peek()
        key = self.type()
        if pa.types.is_null(key):
            self._fail("the keys of a map cannot be void", first)
        self.expect(",")
        value = self.type()
        self.expect(">")
        return pa.map_(key, value)

    def _struct(self) -> pa.DataType:
        self.expect("<")
        if self._at(">"):
            self._take()
            return pa.struct([])
        return pa.struct(list(self.columns(until=">")))

    def _interval(self) -> pa.DataType:
        first = self._take()
        last = first
        if self._peek().is_word("to"):
            self._take()
            last = self._take()
        units = [first.text.lower(), last.text.lower()]
        if not set(units) <= set(DAY_TIME_UNITS):
            self._fail("only intervals from DAY to SECOND have an Arrow form", first)
        if DAY_TIME_UNITS.index(units[0]) > DAY_TIME_UNITS.index(units[1]):
            self._fail(f"an interval cannot run from {first.text} to {last.text}", first)
        return pa.duration("us")

    def _time(self) -> pa.DataType:
        # The precision is a promise about the values, which pass as they are.
        if self._at("("):
            start = self._take()
            if not 0 <= self._number("a precision") <= 6:
                self._fail("the precision of a time is 0 to 6", start)
            self.expect(")")
        return TIME

    def _text(self) -> pa.DataType:
        self.expect("(")
        self._number("a length")
        self.expect(")")
        return pa.string()

    def _decimal(self) -> pa.DataType:
        precision, scale = 10, 0
        if self._at("("):
            start = self._take()
            precision = self._number("a precision")
            if self._at(","):
                self._take()
                scale = self._number("a scale")
            self.expect(")")
            if not (1 <= precision <= 38 and 0 <= scale <= precision):
                self._fail(
                    f"decimal({precision},{scale}) is not possible: 1 <= precision <= 38 and "
                    "0 <= scale <= precision must hold",
                    start,
                )
        return pa.decimal128(precision, scale)

    def _number(self, what: str) -> int:
        token = self._take()
        if token.kind != "number":
            self._fail(f"{what} is expected", token)
        return int(token.text)

    def _peek(self) -> _Token:
        return self._tokens[self._next]

    def _take(self) -> _Token:
        token = self._peek()
        if token.kind != "end":
            self._next += 1
        return token

    def _at(self, sign: str) -> bool:
        token = self._peek()
        return token.kind == ("sign" if sign else "end") and token.text == sign

    def _scan(self) -> Iterator[_Token]:
        position, end = 0, len(self._ddl.rstrip())
        while position < end:
            match = TOKEN.match(self._ddl, position)
            if match is None or match.lastgroup is None:
                start = position + len(self._ddl[position:]) - len(self._ddl[position:].lstrip())
                odd = self._ddl[start]
                self._fail(f"'{odd}' cannot stand here", _Token("odd", odd, start))
            yield _Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup))
            position = match.end()
        yield _Token("end", "", end)

    def _fail(self, problem: str, token: _Token | None = None, advice: str = "") -> NoReturn:
        at = (token or self._peek()).start
        position = "the end" if at >= len(self._ddl.rstrip()) else f"character {at + 1}"
        line = re.sub(r"\s", " ", self._ddl)
        more = f"; {advice}" if advice else ""
        raise FlowError(f"{problem} at {position} of the schema{more}\n  {line}\n  {' ' * at}^")
