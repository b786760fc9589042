from __future__ import annotations

import datetime as dt
from typing import Any

import pyarrow as pa
import pytest

from penstock import flow
from penstock.errors import FlowError, OperatorError

START = flow("f", "line string, n long")
SSHD = "{host} sshd[{pid:int}]: Failed password for {user} from {ip} port {port:int}"
LINES = ["a sshd[12]: Failed password for x from ::1 port 22", "a sshd[12]: closed", None]


def parsed(template: str, *lines: str | None, **how: Any) -> list[dict[str, Any]]:
    rows = pa.table({"line": pa.array(lines, pa.string()), "n": list(range(len(lines)))})
    made = START.parse("line", template, **how).run(rows, settings={"spark.penstock.tuple.rows": 2})
    return [{k: v for k, v in row.items() if k != "line"} for row in made.to_pylist()]


def test_fields_become_columns_of_their_types() -> None:
    assert parsed(SSHD, LINES[0]) == [
        {"n": 0, "host": "a", "pid": 12, "user": "x", "ip": "::1", "port": 22}
    ]
    assert START.parse("line", "{a:int} {b:long} {c:double} {d}").schema.types[2:] == [
        pa.int32(),
        pa.int64(),
        pa.float64(),
        pa.string(),
    ]


def test_a_row_that_does_not_match_is_null_dropped_or_an_error() -> None:
    nothing = dict.fromkeys(("host", "pid", "user", "ip", "port"))
    assert parsed(SSHD, *LINES)[1:] == [{"n": 1} | nothing, {"n": 2} | nothing]
    assert [row["n"] for row in parsed(SSHD, *LINES, on_mismatch="drop")] == [0]
    with pytest.raises(OperatorError, match=r"'a sshd\[12\]: closed' does not match") as caught:
        parsed(SSHD, *LINES, on_mismatch="error")
    assert caught.value.row == 1


def test_a_field_ends_where_the_text_behind_it_begins_and_the_last_one_at_the_end() -> None:
    assert parsed("{a} - {b}!", "x - y - z!!") == [{"n": 0, "a": "x", "b": "y - z!"}]
    assert parsed("<{a}>", "<>", "<b", "b>") == [
        {"n": 0, "a": ""},
        {"n": 1, "a": None},
        {"n": 2, "a": None},
    ]
    assert parsed("{{{a}}} {}={b}", "{x} y=é") == [{"n": 0, "a": "x", "b": "é"}]


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("int", "-7", -7),
        ("int", "2147483648", None),
        ("long", "2147483648", 2147483648),
        ("long", "9223372036854775808", None),
        ("long", "", None),
        ("long", "+1", None),
        ("long", "1 ", None),
        ("double", "-1.5e3", -1500.0),
        ("double", ".5", 0.5),
        ("double", "nan", None),
        ("double", "1e999", None),
        ("double", "0x1", None),
        ("timestamp:%Y-%m-%d", "2026-02-29", None),
        ("timestamp:%Y-%m-%d", "2024-02-29", dt.datetime(2024, 2, 29)),
        (
            "timestamp:%d/%b/%Y:%H:%M:%S %z",
            "01/Feb/2026:03:04:05 +0130",
            dt.datetime(2026, 2, 1, 1, 34, 5),
        ),
        (
            "timestamp:%Y-%m-%dT%H:%M:%S.%f%z",
            "2026-01-01T00:00:00.25Z",
            dt.datetime(2026, 1, 1, microsecond=250_000),
        ),
        ("timestamp:%b %d %Y %H:%M", "jan  2 1969 1:02", dt.datetime(1969, 1, 2, 1, 2)),
        ("timestamp:%Y-%m-%d %H", "2026-01-01 24", None),
        ("timestamp:%Y-%m-%d", "2026-01-011", None),
    ],
)
def test_a_text_is_a_value_of_its_type_as_a_whole_or_none(kind: str, text: str, value: Any) -> None:
    found = parsed(f"<{{v:{kind}}}>", f"<{text}>")[0]["v"]
    if isinstance(value, dt.datetime):
        value = value.replace(tzinfo=dt.timezone.utc)
    assert found == value
    made = START.parse("line", f"<{{v:{kind}}}>").operators[0]
    batch = pa.RecordBatch.from_pydict({"line": [f"<{text}>"], "n": [0]})
    referred = made.process(batch)
    assert referred is not None
    assert referred["v"].to_pylist() == [value]


def test_an_explanation_shows_the_template() -> None:
    made = START.parse("line", "{a} {b}", on_mismatch="drop").explanation()
    assert "parse line by '{a} {b}', otherwise drop" in made
    assert "stateless, native" in made


@pytest.mark.parametrize(
    ("column", "template", "how", "problem"),
    [
        ("lime", "{a}", {}, "unknown column 'lime'; did you mean 'line'"),
        ("n", "{a}", {}, "column 'n' is bigint, and must be a string"),
        ("line", "{n}", {}, "column 'n' is there already"),
        ("line", "no field", {}, "names no field"),
        ("line", "{}", {}, "names no field"),
        ("line", 3, {}, "a template is a string"),
        ("line", "{a} {a}", {}, "field 'a' is twice"),
        ("line", "{a}{b}", {}, "nothing tells where field 'a' ends"),
        ("line", "{a", {}, "'{' at 0 of the template '{a' begins or ends no field"),
        ("line", "{a:itn}", {}, "field 'a': unknown type 'itn'; did you mean 'int'"),
        ("line", "{:int} {a}", {}, "a field without a name is passed over"),
        ("line", "{a:int:%Y}", {}, "only a timestamp has a format"),
        ("line", "{a:timestamp}", {}, "'' is no format of a timestamp"),
        ("line", "{a:timestamp:%Y-%m}", {}, "'%Y-%m' is no format of a timestamp"),
        ("line", "{a:timestamp:%Y-%m-%d %p}", {}, "is no format of a timestamp"),
        ("line", "{a}", {"on_mismatch": "skip"}, "on_mismatch= must be one of null, drop, error"),
    ],
)
def test_what_cannot_be_is_refused_where_it_is_written(
    column: str, template: Any, how: dict[str, Any], problem: str
) -> None:
    with pytest.raises(FlowError, match=f"operator 'parse_1': .*{problem}"):
        START.parse(column, template, **how)
