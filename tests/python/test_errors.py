from __future__ import annotations

import pickle

import pytest

from penstock import FlowError, OperatorError, PenstockError, SettingError
from penstock.errors import did_you_mean


def test_all_errors_have_one_base() -> None:
    assert all(issubclass(e, PenstockError) for e in (FlowError, OperatorError, SettingError))


def test_an_operator_error_survives_pickling_whole() -> None:
    error = OperatorError("parse", flow="f", row=3, last_row=5, reason="E: x", lines="Trace")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert (again.operator, again.facts()) == (error.operator, error.facts())


def test_a_row_that_is_known_exactly_is_said_so() -> None:
    exact = OperatorError("parse", flow="f", row=3, reason="E: x")
    vague = OperatorError("parse", flow="f", row=3, last_row=5, reason="E: x")
    assert "input row 3 (0-based" in str(exact)
    assert "input rows 3 to 5 (0-based" in str(vague)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("hots", "did you mean 'host'? Known: 'host', 'LINE'"),
        ("line", "did you mean 'LINE'? Known: 'host', 'LINE'"),
        ("zzz", "Known: 'host', 'LINE'"),
    ],
)
def test_the_nearest_known_word_is_offered(word: str, said: str) -> None:
    assert did_you_mean(word, ["host", "LINE"]) == said


def test_a_failure_at_the_end_blames_no_row() -> None:
    error = OperatorError("sum", flow="f", row=7, last_row=6, reason="ValueError: no")
    assert str(error) == "flow 'f', operator 'sum', behind 7 rows of the input: ValueError: no"
