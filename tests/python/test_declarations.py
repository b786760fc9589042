from __future__ import annotations

import pytest

from penstock.declarations import Declaration, parse_declarations
from penstock.errors import SettingError


def declared(line: str, default: str, key: str = "spark.penstock.a.b") -> Declaration:
    return parse_declarations(f"# What it does,\n# and why.\n# @ {line}\n{key}   {default}\n")[key]


def test_a_declaration_holds_what_the_file_says() -> None:
    found = declared("int 0..10", "3")
    assert found == Declaration(
        "spark.penstock.a.b", "3", ("What it does,", "and why."), "int", ("0", "10")
    )


@pytest.mark.parametrize(
    ("line", "default", "text", "value"),
    [
        ("int -5..10", "0", "-5", -5),
        ("int 0..10", "0", " 10 ", 10),
        ("duration 10ms..1h", "1s", "500", 500),
        ("duration 10ms..1h", "1s", "2s", 2000),
        ("duration 10ms..1h", "1s", "1m", 60_000),
        ("duration 10ms..1h", "1s", "1min", 60_000),
        ("duration 10ms..1d", "1s", "1H", 3_600_000),
        ("bytes 0..1g", "0", "64k", 65_536),
        ("bytes 0..1g", "0", "2MB", 2 * 1024**2),
        ("bytes 0..1g", "0", "1g", 1024**3),
        ("bytes 0..1g", "0", "17", 17),
        ("bool", "true", "FALSE", False),
        ("bool", "false", "true", True),
        ("enum schema|full", "schema", "full", "full"),
    ],
)
def test_a_value_is_read_by_its_type(line: str, default: str, text: str, value: object) -> None:
    found = declared(line, default)
    assert found.parse(found.key, text) == value


@pytest.mark.parametrize(
    ("line", "default", "text", "problem"),
    [
        ("int 0..10", "0", "11", "11 is out of range; allowed is an int from 0 to 10"),
        ("int 0..10", "0", "-1", "-1 is out of range"),
        ("int 0..10", "0", "many", "many is not an int; allowed is an int from 0 to 10"),
        ("int 0..10", "0", "1.5", "1.5 is not an int"),
        ("int 0..10", "0", "", " is not an int"),
        ("duration 10ms..1h", "1s", "9", "9 is out of range; .* a duration from 10ms to 1h"),
        ("duration 10ms..1h", "1s", "3 fortnights", "is not a duration"),
        ("bytes 0..1k", "0", "2k", "a size in bytes from 0 to 1k"),
        ("bool", "true", "yes", "yes is not possible; allowed is true or false"),
        ("enum schema|full", "full", "Full", "Full is not possible; allowed is schema or full"),
    ],
)
def test_an_impossible_value_is_refused_with_what_is_allowed(
    line: str, default: str, text: str, problem: str
) -> None:
    found = declared(line, default)
    with pytest.raises(SettingError, match=rf"^spark.penstock.a.b=.*{problem}"):
        found.parse(found.key, text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("spark.penstock.a 1", "line 1: spark.penstock.a needs a line '# @ <type> <range>'"),
        ("# @ int 0..1\n\nspark.penstock.a 1", "line 3: .* needs a line"),
        ("# @ float 0..1\nspark.penstock.a 1", "line 2: 'float' is not int, bool"),
        ("# @ int 0-1\nspark.penstock.a 1", "line 2: '0-1' is not a range"),
        ("# @ int 0..x\nspark.penstock.a 1", "line 2: '0..x' is not a range"),
        ("# @ int 0..1\nspark.penstock.a 2", "spark.penstock.a=2 is out of range"),
        ("# @ bool\nspark.p.a true\n# @ bool\nspark.p.a true", "line 4: spark.p.a is declared twi"),
    ],
)
def test_a_wrong_defaults_file_is_refused(text: str, problem: str) -> None:
    with pytest.raises(SettingError, match=problem):
        parse_declarations(text)


def test_key_and_value_may_be_parted_as_in_any_properties_file() -> None:
    text = "# @ int 0..9\na=1\n# @ int 0..9\nb = 2\n# @ enum x|y z\nc   y z"
    assert [each.default for each in parse_declarations(text).values()] == ["1", "2", "y z"]


@pytest.mark.parametrize(
    ("key", "fits"),
    [
        ("spark.penstock.flow.fraud.threads", True),
        ("spark.penstock.flow.a-b_9.threads", True),
        ("spark.penstock.flow.a.b.threads", False),
        ("spark.penstock.flow..threads", False),
        ("spark.penstock.flow.9.threads", False),
        ("spark.penstock.flow.threads", False),
        ("spark.penstock.flow.fraud.thread", False),
    ],
)
def test_a_star_stands_for_the_name_of_one_flow(key: str, fits: bool) -> None:
    starred = declared("int 1..9", "1", "spark.penstock.flow.*.threads")
    assert starred.matches(key) is fits


def test_a_key_without_a_star_matches_no_flow() -> None:
    assert not declared("int 1..9", "1").matches("spark.penstock.a.b")
