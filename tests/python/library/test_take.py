from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import flow
from penstock.errors import FlowError

START = flow("f", "k long, n long, good boolean")
ROWS = pa.table(
    {"k": [1, 2, 1, 2, 1], "n": [0, 1, 2, 3, 4], "good": [True, False, True, True, None]}
)


@pytest.mark.parametrize(("rows", "wanted"), [(0, []), (3, [0, 1, 2]), (9, [0, 1, 2, 3, 4])])
def test_the_first_rows_stay_whatever_tuples_they_come_in(rows: int, wanted: list[int]) -> None:
    made = START.take(rows).run(ROWS, settings={"spark.penstock.tuple.rows": 2})
    assert made.table["n"].to_pylist() == wanted


def test_each_key_has_its_own_first_rows() -> None:
    assert START.key_by("k").take(2).run(ROWS).table["n"].to_pylist() == [0, 1, 2, 3]


def test_a_column_ends_the_rows_of_its_key_and_null_does_so_too() -> None:
    assert START.take_while("good").run(ROWS).table["n"].to_pylist() == [0]
    assert START.key_by("k").take_while("good").run(ROWS).table["n"].to_pylist() == [0, 2]


def test_an_expression_leaves_the_columns_as_they_were() -> None:
    rows = ROWS.append_column("condition", ROWS["n"])
    made = flow("f", rows.schema).take_while(pc.field("condition") < 3, name="low")
    assert made.run(rows).table.to_pydict() == rows.slice(0, 3).to_pydict()
    assert [step.name for step in made.operators] == ["low.condition", "low", "low.columns"]


def test_an_explanation_says_what_is_taken_and_how_it_runs() -> None:
    assert "take 2 by k" in START.key_by("k").take(2).explanation()
    assert "serial, because 'take_1' is stateful" in START.take(2).explanation()
    assert "take_while good by k" in START.key_by("k").take_while("good").explanation()


@pytest.mark.parametrize("rows", [-1, 1.5, "2", True, 2**63])
def test_what_is_no_number_of_rows_is_refused(rows: Any) -> None:
    with pytest.raises(FlowError, match="operator 'take_1': a number of rows is a whole number"):
        START.take(rows)


@pytest.mark.parametrize(
    ("condition", "problem"),
    [
        ("goood", "operator 'take_while_1': unknown column 'goood'; did you mean 'good'"),
        ("n", "operator 'take_while_1': column 'n' is bigint, but take_while needs a boolean"),
        (pc.field("n") + 1, "is bigint, but take_while needs a boolean; compare it"),
        (pc.field("m") > 1, "unknown column 'm'"),
        (3, "unknown column 3"),
    ],
)
def test_what_is_no_condition_is_refused(condition: Any, problem: str) -> None:
    with pytest.raises(FlowError, match=problem):
        START.take_while(condition)


def test_all_rows_cannot_be_taken_from_on_several_channels() -> None:
    with pytest.raises(FlowError, match="'take_1' is stateful: it must see all rows"):
        START.parallel(lambda rows: rows.take(3, name="take_1"), by="k")
