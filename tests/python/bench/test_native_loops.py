from __future__ import annotations

from penstock.bench.native_loops import BARRIERS, EVENT, LIBRARY, LOOP, section_of
from penstock.bench.section import Answer


def barrier(rate: float, checksum: str = "7") -> list[Answer]:
    return [{"tuples_per_s": rate, "pairs": 3, "checksum": checksum}] * 3


def many(ms: float = 5.0, size: float = 2048.0, correct: str = "yes") -> list[Answer]:
    return [{"start_ms": ms, "bytes_per_operator": size, "correct": correct}] * 3


def missed(barriers: dict[str, list[Answer]], started: list[Answer]) -> list[str]:
    return [target.name for target in section_of(barriers, started).targets if not target.holds]


GOOD = {name: barrier(0.5, "by rows") for name in BARRIERS} | {
    EVENT: barrier(10.0),
    LOOP: barrier(9.0),
    LIBRARY: barrier(8.5),
}


def test_what_wakes_by_rows_is_compared_with_its_like_and_shown() -> None:
    by_rows = f"{LIBRARY}, wake by rows"
    differ = missed(GOOD | {by_rows: barrier(0.5, "other")}, many())
    assert differ == ["loops in C++: results that differ"]
    assert f"Barrier in C++/{by_rows}" in [one.name for one in section_of(GOOD, many()).points]


def test_every_goal_is_judged_by_itself() -> None:
    good = GOOD
    assert missed(good, many()) == []
    assert missed(good | {LOOP: barrier(7.0)}, many()) == [
        "Barrier in C++: driver loop / event-driven"
    ]
    assert missed(good | {LIBRARY: barrier(7.0)}, many()) == [
        "Barrier in C++: library loop / event-driven"
    ]
    assert missed(good, many(ms=101)) == ["1000 coroutines: start, ms"]
    assert missed(good, many(size=16_385)) == ["1000 coroutines: KiB for each"]
    differ = ["loops in C++: results that differ"]
    assert missed(good | {LOOP: barrier(9.0, "8")}, many()) == differ
    assert missed(good, many(correct="no")) == differ
