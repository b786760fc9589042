from __future__ import annotations

import pyarrow as pa
import pytest

from penstock.bench.expressions import (
    ARROW,
    CASES,
    EACH,
    KERNELS,
    NATIVE,
    PROGRAMS,
    THROUGH,
    TUPLE_ROWS,
    chunked,
    drained,
    expressions,
    kernels,
    plan,
    plans,
    run,
    section_of,
    streamed,
    table,
    without_programs,
    written,
)
from penstock.bench.section import Answer, Stage
from penstock.bench.suites import Size

ROWS = 5_000
DATA = table(ROWS)


def answers(native: float = 6.0, through: float = 1.0) -> dict[tuple[str, str], list[Answer]]:
    rates = {NATIVE: native, ARROW: 2.0, EACH: 1.0, KERNELS: 1.0, THROUGH: through}
    found = {
        (f"expressions, {case}", way): [{"cpu_rate": rate}]
        for case in CASES
        for way, rate in rates.items()
    }
    del found["expressions, no program", NATIVE]
    return found


@pytest.mark.parametrize("name", CASES)
def test_every_way_makes_the_same_rows(name: str) -> None:
    case = CASES[name]
    made = written(case)
    expected = plan(case, chunked(DATA, case)).read_all()
    assert 0 < len(expected) <= ROWS
    assert run(made, DATA).equals(expected)
    assert run(without_programs(made), DATA).equals(expected)
    assert all(operator.native for operator in made.operators) == (name in PROGRAMS)
    assert not any(operator.native for operator in without_programs(made).operators)
    for way in (kernels, plans):
        assert pa.Table.from_batches(way(case, chunked(DATA, case))).equals(expected)
    assert drained(streamed(made, DATA)) == len(expected)


def test_arrow_is_given_as_many_rows_at_a_time_as_a_tuple_has() -> None:
    chunks = chunked(DATA, CASES["filter"])
    assert chunks.equals(DATA.select(["a", "b", "x", "y"]))
    assert [len(batch) for batch in chunks.to_batches()][:2] == [TUPLE_ROWS, TUPLE_ROWS]


def test_the_goals_are_ratios_of_one_run() -> None:
    same = dict.fromkeys(CASES, True)
    good = section_of(answers(), same)
    assert all(target.holds for target in good.targets)
    assert [target.holds for target in section_of(answers(5.0), same).targets].count(False) == 1
    slower = section_of(answers(through=0.94), same)
    assert [target.holds for target in slower.targets] == [True, True, False]
    other = section_of(answers(), same | {"filter": False})
    assert [target.holds for target in other.targets] == [False, True, True]
    assert len(good.points) == len(answers())


def test_it_measures_every_case_in_every_way() -> None:
    made = expressions(Stage(Size(quick=True, scale=0.002), lambda _: None, ()))
    assert {point.name for point in made.points} >= {
        f"expressions, {case}/{way}" for case in CASES for way in (ARROW, EACH, KERNELS, THROUGH)
    }
    assert "expressions, no program/program" not in {point.name for point in made.points}
