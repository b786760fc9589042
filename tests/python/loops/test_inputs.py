from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import penstock
from penstock import Flow, FlowError
from penstock.threading_model import MODELS

TRADES = pa.table({"sym": ["a", "b", None], "ts": [2, 5, 5], "price": [1.0, 2.0, 3.0]})
QUOTES = pa.table({"price": ["x", "y"], "ts": [1, 5], "sym": ["a", "b"], "more": [0, 0]})
COLUMNS = {
    "trades": "sym string, ts long, price double NOT NULL",
    "quotes": "sym string, ts long, price string",
}


def both() -> Flow:
    trades, quotes = penstock.inputs("quoted", **COLUMNS)
    return trades.select("sym", "ts").union(quotes.select("sym", "ts"))


@pytest.mark.parametrize("model", MODELS)
def test_rows_of_all_inputs_come_in_one_order(model: Any) -> None:
    made = both() if model == "manual" else both().threading(model)
    rows = made.run(trades=TRADES, quotes=QUOTES, order_by="ts").to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        *(("a", 1), ("a", 2)),
        *(("b", 5), (None, 5), ("b", 5)),
    ]


def test_each_input_has_its_own_columns_of_the_same_name() -> None:
    trades, quotes = penstock.inputs("quoted", **COLUMNS)
    assert not trades.schema.field("price").nullable
    given: dict[str, Any] = {"trades": TRADES, "quotes": QUOTES, "order_by": None}
    assert trades.run(**given).table["price"].to_pylist() == [1.0, 2.0, 3.0]
    assert quotes.run(**given).table["price"].to_pylist() == ["x", "y"]


def test_without_an_order_one_input_comes_behind_the_other() -> None:
    rows = both().run(quotes=QUOTES, trades=TRADES, order_by=None).to_pylist()
    assert [row["ts"] for row in rows] == [2, 5, 5, 1, 5]


def test_nulls_come_first() -> None:
    rows = both().run(trades=TRADES, quotes=QUOTES, order_by=["sym", "ts"]).to_pylist()
    assert [row["sym"] for row in rows] == [None, "a", "a", "b", "b"]


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"trade": TRADES, "quotes": QUOTES, "order_by": "ts"}, "no input 'trade'; did you mean"),
        ({"trades": TRADES, "order_by": "ts"}, "input 'quotes' is missing"),
        ({"trades": TRADES, "quotes": QUOTES}, "order_by= is missing"),
        ({"trades": TRADES, "quotes": QUOTES, "order_by": "t"}, "'t' is not a column of input"),
        ({"trades": TRADES, "quotes": QUOTES, "order_by": "price"}, "double in 'trades', string"),
        ({"trades": QUOTES, "quotes": QUOTES, "order_by": "ts"}, "input 'trades': column 'price'"),
        ({"trades": 7, "quotes": QUOTES, "order_by": "ts"}, "input 'trades': a flow runs on"),
        ({"data": TRADES, "quotes": QUOTES}, "was given data and quotes="),
        ({}, "has several inputs; give trades=, quotes= and order_by="),
    ],
)
def test_what_is_given_must_be_what_was_declared(given: dict[str, Any], text: str) -> None:
    with pytest.raises(FlowError, match=f"flow 'quoted'.*{text}"):
        both().run(**given)


def test_a_flow_of_one_input_takes_no_names() -> None:
    with pytest.raises(FlowError, match="has one input, so trades= cannot be given"):
        penstock.flow("f", "n long").select("n").run(trades=TRADES, order_by=None)


@pytest.mark.parametrize(
    ("schemas", "text"),
    [
        ({"one": "n long"}, "inputs needs two or more"),
        ({"one": "n long", "data": "n long"}, "cannot be called 'data'"),
        ({"one": "n long", "two": "n strange"}, "input 'two': .*strange"),
    ],
)
def test_a_mistake_in_the_inputs_is_refused(schemas: dict[str, Any], text: str) -> None:
    with pytest.raises(FlowError, match=f"flow 'f'.*{text}"):
        penstock.inputs("f", **schemas)
