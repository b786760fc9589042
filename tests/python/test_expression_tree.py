from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import expression_tree
from penstock.expression_tree import Call, Field, Literal, Node, put_together, taken_apart

A, B = pc.field("a"), pc.field("b")


@pytest.mark.parametrize(
    "expression",
    [
        A,
        pc.scalar(1.5),
        (A + 1 > B * 2) & (A.is_null() | ~B.is_valid()),
        pc.is_null(A),
        pc.if_else(A > B, A, None),
        pc.coalesce(A, B, 0),
        A.cast(pa.int8()) - B.cast(pa.timestamp("us", "UTC")),
        pc.field("name with 'quotes' and ümlauts") == "text",
    ],
    ids=str,
)
def test_an_expression_is_the_same_when_put_together_again(expression: pc.Expression) -> None:
    tree = taken_apart(expression)
    assert tree is not None
    assert put_together(tree).equals(expression)


def test_parts_keep_their_order_also_where_they_are_alike() -> None:
    tree = taken_apart((A - B) - (B - A))
    inner = Call("subtract_checked", (Field("a"), Field("b")))
    other = Call("subtract_checked", (Field("b"), Field("a")))
    assert tree == Call("subtract_checked", (inner, other))


def test_literals_are_told_from_each_other() -> None:
    tree = taken_apart(pc.if_else(A > 3, 5, 7))
    assert isinstance(tree, Call)
    assert [part.value.as_py() for part in tree.arguments if isinstance(part, Literal)] == [5, 7]


@pytest.mark.parametrize(
    "expression",
    [
        A.isin([1, 2]),
        pc.field("a", "x"),
        pc.field(0),
        A.cast("int8", safe=False),
        A.is_null(nan_is_null=True),
        pc.round(A, ndigits=2),
    ],
    ids=str,
)
def test_what_needs_more_than_its_arguments_is_left_alone(expression: pc.Expression) -> None:
    assert taken_apart(expression) is None


@pytest.mark.parametrize(
    "pairs",
    [
        [],
        [("field", "a")],
        [("field_ref", "b")],
        [("field_ref", "a"), ("field_ref", "a")],
        [("call", "negate"), ("field_ref", "a")],
        [("call", "negate"), ("field_ref", "a"), ("end", "abs")],
        [("call", "negate"), ("what", "a"), ("end", "negate")],
        [("call", "no_such_function"), ("field_ref", "a"), ("end", "no_such_function")],
        [("literal", "9")],
        [("literal", "nine")],
    ],
    ids=str,
)
def test_a_form_of_another_version_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, pairs: list[tuple[str, str]]
) -> None:
    batch = pa.RecordBatch.from_pydict({"": [1]})
    monkeypatch.setattr(expression_tree, "_pickled", lambda _: (batch, pairs))
    assert taken_apart(A) is None


def test_a_tree_is_what_it_looks_like() -> None:
    found: Node | None = taken_apart(A)
    assert found == Field("a")
