"""How fast operators are now, as the page works it out from look to look, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from integration.scripts import Server, scripts


@pytest.fixture
def server() -> Iterator[Server]:
    with scripts() as made:
        yield made


def look(at: float, *, flow: str = "f", running: int = 1, **rows: int) -> dict[str, Any]:
    """What the page is told at a time."""
    return {
        "flow": {"id": flow, "running": running},
        "operators": [{"name": name, "rows_in": each} for name, each in rows.items()],
        "moments": [[at - 1, 1, 1, 0], [at, 1, 1, 0]],
    }


def found(server: Server, *looks: dict[str, Any]) -> Any:
    return server.answer(
        'import { Rates } from "./rates.js"; const rates = new Rates();',
        f"{json.dumps(looks)}.map((look) => Object.fromEntries(rates.of(look)))",
    )


def test_a_rate_is_that_of_the_last_seconds_and_not_since_the_start(server: Server) -> None:
    told = found(
        server,
        look(0, a=1_000_000, b=0),
        look(2, a=1_000_200, b=0),
        look(2, a=1_000_200, b=0),  # nothing new was heard meanwhile
        look(4, a=1_000_400, b=8),
        look(8, a=1_000_400, b=8),
        look(12, a=1_000_400, b=20, c=100),
    )
    assert told == [
        {},
        {"a": 100, "b": 0},
        {"a": 100, "b": 0},
        {"a": 100, "b": 2},
        {"a": 200 / 6, "b": 8 / 6},
        {"a": 0, "b": 1.5, "c": 12.5},
    ]


def test_another_flow_and_another_stage_begin_anew(server: Server) -> None:
    told = found(
        server,
        look(0, a=10),
        look(2, a=30),
        look(4, flow="g", a=5),
        look(6, flow="g", a=5, running=0),
        look(8, flow="g", a=90),
        look(10, flow="g", a=94),
    )
    assert told == [{}, {"a": 10}, {}, {}, {}, {"a": 2}]
