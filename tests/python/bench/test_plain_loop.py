from __future__ import annotations

import pytest

from penstock.bench.plain_loop import LOOP, WAYS, loop, plain_loop, run, section_of, table
from penstock.bench.section import Answer, Stage
from penstock.bench.suites import Size


def answers(gain: float) -> list[Answer]:
    return [{"rate": 10.0 * gain}, {"rate": 20.0 * gain}, {"rate": 30.0 * gain}]


def good() -> dict[str, list[Answer]]:
    return {LOOP: answers(1.0)} | {
        way: answers(1.0 * threads) for way, (_, threads) in WAYS.items()
    }


def test_flow_and_loop_make_the_same_rows() -> None:
    data = table(50, 0.01)
    expected = loop(data)
    assert not expected.column(0).equals(data.column(0))
    assert all(run(way, data).equals(expected) for way in WAYS)


def test_good_numbers_meet_every_goal() -> None:
    assert all(target.holds for target in section_of(good(), dict.fromkeys(WAYS, True)).targets)


@pytest.mark.parametrize("way", WAYS)
def test_a_way_that_is_too_slow_misses_its_goal(way: str) -> None:
    found = good() | {way: answers(0.79 if WAYS[way][1] == 1 else 1.39)}
    missed = [t.name for t in section_of(found, dict.fromkeys(WAYS, True)).targets if not t.holds]
    assert missed == [f"E32 {way} / plain loop"]


def test_other_rows_miss_a_goal() -> None:
    section = section_of(good(), dict.fromkeys(WAYS, True) | {"dynamic x2": False})
    assert not section.targets[0].holds


def test_all_of_it_is_measured() -> None:
    section = plain_loop(Stage(Size(quick=True, scale=0.02), lambda _: None, ()))
    assert len(section.points) == 1 + len(WAYS)
    assert section.targets[0].holds
