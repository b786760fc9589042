from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from penstock import flow
from penstock.errors import FlowError

START = flow("f", "host string, tags array<string>, n long")
ROWS = pa.table(
    {"host": ["a", "b", "c", "d"], "tags": [["x", None], [], None, ["y"]], "n": [*range(4)]}
)


def test_each_item_makes_a_row_in_the_place_of_its_list() -> None:
    made = START.explode("tags").run(ROWS, settings={"spark.penstock.tuple.rows": 3}).table
    assert made.to_pydict() == {"host": ["a", "a", "d"], "tags": ["x", None, "y"], "n": [0, 0, 3]}


def test_outer_makes_a_row_of_nothing_and_places_are_counted() -> None:
    made = START.explode("tags", into="tag", outer=True, position="place").run(ROWS).table
    assert made.to_pydict() == {
        "host": ["a", "a", "b", "c", "d"],
        "tag": ["x", None, None, None, "y"],
        "n": [0, 0, 1, 2, 3],
        "place": [0, 1, None, None, 0],
    }


ITEMS = [
    (pa.int16(), 1),
    (pa.bool_(), True),
    (pa.null(), None),
    (pa.large_string(), "x"),
    (pa.string_view(), "longer than fits into a view"),
    (pa.decimal128(20, 2), None),
    (pa.list_(pa.int64()), [1, 2]),
    (pa.large_list(pa.string()), ["x"]),
    (pa.list_(pa.int8(), 2), [1, 2]),
    (pa.struct([("a", pa.string()), ("b", pa.list_(pa.int64()))]), {"a": "x", "b": [1]}),
    (pa.dictionary(pa.int8(), pa.string()), "x"),
]


@pytest.mark.parametrize("of", [pa.list_, pa.large_list, lambda item: pa.list_(item, 2)])
@pytest.mark.parametrize(("item", "value"), ITEMS, ids=str)
def test_items_of_any_type_leave_as_they_are(of: Any, item: pa.DataType, value: Any) -> None:
    lists = pa.array([[value, None], None, [None, value]], of(item))
    rows = pa.table({"v": lists.slice(1)})
    made = flow("f", rows.schema).explode("v", outer=True).run(rows).table
    assert made.schema.field("v").type == item
    assert made["v"].to_pylist() == [None, None, value]
    made.validate(full=True)


def test_an_explanation_says_what_is_made() -> None:
    made = START.explode("tags", outer=True, position="place").explanation()
    assert "explode outer tags into place" in made
    assert "stateless, native" in made


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"column": "tag"}, "unknown column 'tag'; did you mean 'tags'"),
        ({"column": "host"}, "column 'host' is string, and must be an array"),
        ({"column": "tags", "into": "n"}, "column 'n' is there already"),
        ({"column": "tags", "position": "tags"}, "column 'tags' is there already"),
        ({"column": "tags", "position": ""}, "a column needs a name"),
    ],
)
def test_what_cannot_be_is_refused_where_it_is_written(
    arguments: dict[str, Any], problem: str
) -> None:
    with pytest.raises(FlowError, match=f"operator 'explode_1': .*{problem}"):
        START.explode(**arguments)
