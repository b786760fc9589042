"""Expressions that are no program: calls of Arrow's functions make what its evaluator makes."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from tests.prop.comparison import EXAMPLES
from tests.prop.expression_cases import SCHEMA, batches, numbers, truths

from penstock.expression_calls import steps_of
from penstock.expressions import evaluate

DEPTH = 2
TEXT = pc.field("text")
WORDS = st.sampled_from(["", "a", "longer than that", "no", "3"])
PLACES = st.integers(-2, 3)


def texts(depth: int) -> st.SearchStrategy[pc.Expression]:
    """Expressions that are text."""
    if depth == 0:
        return st.just(TEXT)
    deeper = texts(depth - 1)
    number = numbers(depth - 1)
    return (
        st.builds(pc.utf8_upper, deeper)
        | st.builds(pc.utf8_slice_codeunits, deeper, PLACES, PLACES)
        | st.builds(pc.coalesce, deeper, WORDS)
        | st.builds(pc.if_else, conditions(depth - 1), deeper, WORDS)
        | st.builds(pc.replace_substring, deeper, st.just("a"), WORDS)
        | st.builds(lambda value: value.cast(pa.string()), number)
    )


def conditions(depth: int) -> st.SearchStrategy[pc.Expression]:
    """Expressions that are true, false or null, of text above all."""
    text = texts(max(depth - 1, 0))
    length = st.builds(pc.utf8_length, text)
    of_text = (
        st.builds(lambda one, word: one != word, text, WORDS)
        | st.builds(lambda one, other: one < other, text, text)
        | st.builds(lambda one, words: one.isin(words), text, st.lists(WORDS, min_size=1))
        | st.builds(pc.match_substring_regex, text, st.sampled_from(["^a", "o.*a", "[0-9]"]))
        | st.builds(lambda one, number: one > number, length, st.integers(-1, 40_000))
        | st.builds(lambda one, number: one + number < 3, length, PLACES)
    )
    if depth == 0:
        return of_text
    other = truths(depth - 1)
    return (
        of_text | st.builds(pc.and_kleene, of_text, other) | st.builds(pc.or_kleene, other, of_text)
    )


@settings(
    max_examples=3 * EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(texts(DEPTH) | conditions(DEPTH) | numbers(DEPTH) | truths(DEPTH), batches())
def test_calls_make_what_arrows_evaluator_makes(
    expression: pc.Expression, batch: pa.RecordBatch
) -> None:
    steps = steps_of([expression], SCHEMA)
    event("called" if steps else "not called")
    assume(steps)
    assert steps is not None
    try:
        [expected] = evaluate([expression], batch)
    except pa.ArrowInvalid:
        # What fails in two ways may fail in the other one: a call casts when it has all arguments.
        with pytest.raises(pa.ArrowInvalid):
            steps[0](batch)
        return
    found = steps[0](batch)
    found.validate(full=True)
    assert found.type == expected.type
    assert repr(found.to_pylist()) == repr(expected.to_pylist())
