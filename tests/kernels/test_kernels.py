"""Applications of the papers in every way to run them: what a plain loop makes, row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow as pa
import pytest
from tests.kernels import generated, oracles
from tests.kernels.break_ins import break_ins
from tests.kernels.cdr_fraud import case_counts, fast_phones
from tests.kernels.finance import finance
from tests.kernels.op_mon import op_mon, summaries
from tests.kernels.ways import WAYS, Way, remembered, run

from penstock import Flow
from penstock.row_calls import StateCalls

# As many rows as a way can work through in a moment: the smaller the tuples, the fewer.
ROWS = {1: 120, 7: 350, 1000: 1500}


@dataclass(frozen=True)
class Kernel:
    """An application.

    Attributes:
        data: The name of its input.
        flow: How it is written.
        oracle: What it must make.
        rules: What the input must lead to, for the test to be worth anything.
    """

    data: str
    flow: Flow
    oracle: Callable[[Iterable[oracles.Row]], oracles.Right]
    rules: tuple[str, ...] = ()


KERNELS = {
    "finance": Kernel(
        "finance",
        finance,
        oracles.finance,
        (
            *("invalid trade", "invalid quote", "quote too early", "neither"),
            *("bargain", "no bargain", "floats would differ"),
        ),
    ),
    "break_ins": Kernel(
        "break_ins",
        break_ins,
        oracles.break_ins,
        (
            *("other line", "failure", "repeated", "too few", "too old"),
            "exactly as old as allowed",
        ),
    ),
    "summaries": Kernel("op_mon", summaries, oracles.summaries, ("exactly a minute",)),
    "op_mon": Kernel("op_mon", op_mon, oracles.op_mon, ("small window",)),
    "fast_phones": Kernel(
        "cdr_fraud",
        fast_phones,
        oracles.fast_phones,
        ("other area", "slow", "no time between", "back in time"),
    ),
    "case_counts": Kernel("cdr_fraud", case_counts, oracles.case_counts),
}
# Each application once in every way; the two others are beginnings of these.
IN_EVERY_WAY = ("finance", "break_ins", "op_mon", "case_counts")


@cache
def given_and_right(name: str, rows: int) -> tuple[pa.Table, oracles.Right]:
    kernel = KERNELS[name]
    table = generated.table(kernel.data, rows)
    return table, kernel.oracle(table.to_pylist())


def same(made: Any, right: Any) -> bool:
    """Whether two values are equal; doubles may differ where a formula is written otherwise."""
    if isinstance(right, float):
        # What is nothing must be nothing: no tolerance around zero.
        return bool(made == pytest.approx(right, rel=1e-9, abs=0))
    if isinstance(right, dict):
        return made.keys() == right.keys() and all(same(made[key], right[key]) for key in right)
    if isinstance(right, list):
        return len(made) == len(right) and all(map(same, made, right))
    return bool(made == right)


def first_difference(made: list[Any], right: list[Any]) -> tuple[int, Any, Any] | None:
    for place, (one, other) in enumerate(zip(made, right, strict=False)):
        if not same(one, other):
            return place, one, other
    return None if len(made) == len(right) else (min(len(made), len(right)), len(made), len(right))


def check(name: str, way: Way) -> None:
    table, right = given_and_right(name, ROWS[way.rows])
    made, states = run(KERNELS[name].flow, table, way)
    assert first_difference(made, right.rows) is None
    assert same(states, right.states)


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("name", IN_EVERY_WAY)
def test_an_application_makes_and_remembers_the_same_in_every_way(name: str, way: Way) -> None:
    check(name, way)


@pytest.mark.parametrize("name", sorted(set(KERNELS) - set(IN_EVERY_WAY)))
def test_the_beginning_of_an_application_makes_the_same(name: str) -> None:
    check(name, Way("conveyor", 2, 7, changes=True))


@pytest.mark.parametrize("name", sorted(set(KERNELS) - {"case_counts"}))
def test_an_application_goes_on_where_an_earlier_run_stopped(name: str) -> None:
    table, right = given_and_right(name, ROWS[1000])
    flow, oracle = KERNELS[name].flow, KERNELS[name].oracle
    begin, end = table.slice(0, 300), table.slice(300)
    forgetful = oracle(begin.to_pylist()).rows + oracle(end.to_pylist()).rows
    assert first_difference(forgetful, right.rows), "the rows behind the cut need those before it"
    small = {"spark.penstock.tuple.rows": 100}
    first = flow.run(begin, settings=small, checkpoint=True)
    rest = flow.threading("conveyor", threads=2).run(
        end, settings=small, restore=first.states, checkpoint=True
    )
    assert first_difference(first.to_pylist() + rest.to_pylist(), right.rows) is None
    states = {name: remembered(state) for name, state in rest.states.items()}
    assert same(states, right.states)


@pytest.mark.parametrize("name", KERNELS)
def test_the_data_lead_to_every_rule(name: str) -> None:
    _, right = given_and_right(name, max(ROWS.values()))
    assert len(right.rows) > 10
    assert [rule for rule in KERNELS[name].rules if not right.reached[rule]] == []


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("rows", ROWS.values())
def test_every_input_is_worth_running(name: str, rows: int) -> None:
    _, right = given_and_right(name, rows)
    assert right.rows
    assert all(len(state) > 1 for state in right.states.values())


@pytest.mark.parametrize("name", IN_EVERY_WAY)
def test_changes_of_channels_move_what_is_remembered(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved: list[int] = []
    donate = StateCalls.donate

    def counted(self: StateCalls, channels: int, own: int, out: int) -> list[tuple[int, int]]:
        shares = donate(self, channels, own, out)
        moved.extend(keys for _, keys in shares)
        return shares

    monkeypatch.setattr(StateCalls, "donate", counted)
    check(name, Way("conveyor", 2, 7, changes=True))
    assert sum(moved) > 20
