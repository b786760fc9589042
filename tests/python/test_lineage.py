"""Columns are followed through operators as far as it can be proven what they are."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow.compute as pc
import pytest

from penstock import Flow, agg, flow
from penstock.lineage import Lineage, Origin
from penstock.operators import Expression

START = flow("f", "a int, b int")


def lineage_of(made: Flow) -> Lineage:
    lineage = Lineage.of(made.input_schema)
    for operator in made.operators:
        lineage = lineage.through(operator)
    return lineage


SUM = Expression(pc.field("a") + pc.field("b"))
CASES: list[tuple[Callable[[Flow], Flow], dict[str, Origin]]] = [
    (lambda made: made.filter(pc.field("a") > 1), {"a": "a", "b": "b"}),
    (lambda made: made.select("b", x=pc.field("a")), {"b": "b", "x": "a"}),
    (lambda made: made.select(a=pc.field("b"), b=pc.field("a")), {"a": "b", "b": "a"}),
    (lambda made: made.with_column("s", SUM.value), {"a": "a", "b": "b", "s": SUM}),
    (lambda made: made.with_column("a", SUM.value), {"a": SUM, "b": "b"}),
    (
        lambda made: made.key_by("a").running(rows=agg.count()).select("rows", "a"),
        {"a": "a"},
    ),
    (lambda made: made.map(lambda batch: batch), {}),
    (lambda made: made.flat_map(lambda batch: batch).select("a"), {}),
    # The same words over other columns mean something else.
    (
        lambda made: made.with_column("b", pc.field("a") * 2).with_column("s", SUM.value),
        {"a": "a", "b": Expression(pc.field("a") * 2)},
    ),
    (
        lambda made: made.select(a=pc.field("b"), b=pc.field("a")).with_column("s", SUM.value),
        {"a": "b", "b": "a"},
    ),
]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_columns_are_followed_and_what_is_not_known_is_left_out(case: int) -> None:
    add, origins = CASES[case]
    assert lineage_of(add(START)).origins == origins


def test_the_origins_of_a_key_are_known_only_if_all_are() -> None:
    lineage = lineage_of(
        START.key_by("a").running(rows=agg.count()).select("rows", x=pc.field("a"))
    )
    assert lineage.of_columns(("x",)) == ("a",)
    assert lineage.of_columns(("x", "rows")) is None
