"""Patterns: behaviour, errors, memory."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import Flow, FlowError, OperatorError, flow

START = flow("f", "k long, ts long, what string")
SCHEMA = START.input_schema


def is_(word: str) -> pc.Expression:
    return pc.match_substring(pc.field("what"), word)


def pattern(text: str, within: Any = None, **more: Any) -> Flow:
    names = {name: is_(name) for name in "abc" if name in text}
    return START.key_by("k").pattern(text, on="ts", within=within, **more, **names)


def found(made: Flow, words: str, **more: Any) -> list[tuple[int, int, int]]:
    """What is found in words of letters, one a second."""
    rows = [(0, ts, word) for ts, word in enumerate(words.split())]
    table = pa.table([pa.array(c) for c in zip(*rows, strict=True)], schema=SCHEMA)
    return [(row["first"], row["last"], row["rows"]) for row in made.run(table, **more).to_pylist()]


@pytest.mark.parametrize(
    ("text", "words", "matches"),
    [
        ("a", "a b a", [(0, 0, 1), (2, 2, 1)]),
        ("a then b", "a x b b a b", [(0, 2, 3), (4, 5, 2)]),
        ("a next b", "a x b a b", [(3, 4, 2)]),
        ("a then b next c", "a b x b c", [(0, 4, 5)]),
        ("a{3} then b", "a a x a a b", [(0, 5, 6)]),
        ("a{3,} then b", "a a b a b", [(0, 4, 5)]),
        ("a{2,3}", "a a a a a", [(0, 1, 2), (2, 3, 2)]),
        ("a+ next b", "a a b", [(0, 2, 3)]),
        ("a{1,2} next b", "a a a b", [(0, 3, 4)]),
        ("a+ next b", "a x b", []),
        ("a{1,2} then b", "a a b", [(0, 2, 3)]),
        ("a{2,} next b", "a a x b a b", [(0, 5, 6)]),
        ("a then a", "a a a a", [(0, 1, 2), (2, 3, 2)]),
        ("a then b", "ab ab", [(0, 1, 2)]),
        ("a then b", "b b", []),
    ],
)
@pytest.mark.parametrize("rows", [1, 1024])
def test_the_first_sequence_to_be_complete_counts(
    text: str, words: str, matches: Any, rows: int
) -> None:
    assert found(pattern(text), words, settings={"spark.penstock.tuple.rows": rows}) == matches


def test_a_sequence_must_not_last_longer_than_within() -> None:
    assert found(pattern("a then b", within=2), "a a x b") == [(1, 3, 3)]
    assert found(pattern("a then b", within=1), "a a x b") == []


def test_spans_are_in_the_unit_of_the_times() -> None:
    times = flow("f", "k long, ts timestamp, what string").key_by("k")
    made = times.pattern("a then b", on="ts", within="2 minutes", a=is_("a"), b=is_("b"))
    table = pa.table(
        [
            pa.array([1] * 4),
            pa.array([0, 150, 160, 280], pa.timestamp("s")).cast(pa.timestamp("us", "UTC")),
            pa.array(["a", "b", "a", "b"]),
        ],
        names=SCHEMA.names,
    )
    assert [row["first"].minute for row in made.run(table).to_pylist()] == [2]


def test_rows_of_other_keys_and_rows_without_a_time_are_not_seen() -> None:
    rows = [(1, 5, "a"), (2, 3, "x"), (1, None, "x"), (1, 6, "b"), (2, 4, "b")]
    table = pa.table([pa.array(c) for c in zip(*rows, strict=True)], schema=SCHEMA)
    assert pattern("a next b").run(table).to_pylist() == [
        {"k": 1, "first": 5, "last": 6, "rows": 2}
    ]


def test_a_condition_that_is_null_is_not_met() -> None:
    # The bit below a null may be anything.
    null = pa.Array.from_buffers(pa.bool_(), 2, [pa.py_buffer(b"\x02"), pa.py_buffer(b"\x03")])
    table = pa.table({"k": [1, 1], "ts": [1, 2], "ok": null})
    good = flow("f", "k long, ts long, ok boolean").key_by("k")
    made = good.pattern("good", on="ts", good=pc.field("ok")).run(table)
    assert [row["first"] for row in made.to_pylist()] == [2]


def test_times_that_descend_are_an_error_at_that_row() -> None:
    table = pa.table([[1, 1], [5, 4], ["a", "b"]], schema=SCHEMA)
    with pytest.raises(OperatorError, match="column 'ts' descends here") as caught:
        pattern("a then b", name="p").run(table, settings={"spark.penstock.tuple.rows": 1})
    assert (caught.value.operator, caught.value.row) == ("p", 1)


def test_a_run_goes_on_where_another_one_ended() -> None:
    whole = pattern("a{2} then b", within=9, name="p")
    first = whole.run(pa.table([[1, 1], [1, 2], ["a", "a"]], schema=SCHEMA), checkpoint=True)
    then = pa.table([[1, 1], [3, 4], ["x", "b"]], schema=SCHEMA)
    assert whole.run(then, restore=first.states).to_pylist() == [
        {"k": 1, "first": 1, "last": 4, "rows": 4}
    ]


def test_memory_does_not_grow_without_a_limit_of_time() -> None:
    few = {"spark.penstock.state.maxBytes": "16kB", "spark.penstock.tuple.rows": 10}
    assert found(pattern("a{3,} then b"), "a " * 5000 + "b", settings=few) == [(0, 5000, 5001)]


def test_the_reference_is_what_runs() -> None:
    made = pattern("a{2,} then b next c", within=4)
    words = "a a b x a ab c b c a a b c"
    rows = [(0, ts, word) for ts, word in enumerate(words.split())]
    table = pa.table([pa.array(c) for c in zip(*rows, strict=True)], schema=SCHEMA)
    computed = made.operators[0].process(table.to_batches()[0])
    assert computed is not None
    reference = made.operators[1].process(computed)
    assert reference is not None
    assert reference.to_pylist() == made.run(table).to_pylist()
    assert reference.num_rows == 2


KEYED = START.key_by("k")
TRUE = pc.field("ts") > 0
REFUSED: list[tuple[Any, str]] = [
    (lambda: KEYED.pattern("a b", on="ts", a=TRUE, b=TRUE), "'a b' is not a pattern"),
    (lambda: KEYED.pattern("a then", on="ts", a=TRUE), "is not a pattern"),
    (lambda: KEYED.pattern("a{0}", on="ts", a=TRUE), "must be at least one row"),
    (lambda: KEYED.pattern("a{3,2}", on="ts", a=TRUE), "must be at least one row"),
    (lambda: KEYED.pattern("a{65}", on="ts", a=TRUE), "counts more than 64 rows"),
    (lambda: KEYED.pattern("a then b", on="ts", a=TRUE), "a step 'b', but nothing says what"),
    (lambda: KEYED.pattern("a", on="ts", a=TRUE, b=TRUE), "b= is no step of the pattern"),
    (lambda: KEYED.pattern("a", on="ts", a=pc.field("ts")), "a filter needs a boolean"),
    (lambda: KEYED.pattern("a", on="what", a=TRUE), "on='what' is string"),
    (lambda: KEYED.pattern("a", on="k", a=TRUE), "on='k' is a column of the key"),
    (lambda: KEYED.pattern("a", on="ts", within="x", a=TRUE), "within='x' must be a whole number"),
    (
        lambda: flow("f", "first long, ts long").key_by("first").pattern("a", on="ts", a=TRUE),
        "column 'first' would occur twice",
    ),
]


@pytest.mark.parametrize(("build", "message"), REFUSED, ids=[m for _, m in REFUSED])
def test_what_cannot_be_is_refused_where_it_is_written(build: Any, message: str) -> None:
    with pytest.raises(FlowError) as caught:
        build()
    assert message in str(caught.value)
