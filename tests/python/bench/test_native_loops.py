from __future__ import annotations

from penstock.bench.native_loops import EVENT, LOOP, section_of
from penstock.bench.section import Answer


def barrier(rate: float, checksum: str = "7") -> list[Answer]:
    return [{"tuples_per_s": rate, "pairs": 3, "checksum": checksum}] * 3


def many(ms: float = 5.0, size: float = 2048.0, correct: str = "yes") -> list[Answer]:
    return [{"start_ms": ms, "bytes_per_operator": size, "correct": correct}] * 3


def missed(barriers: dict[str, list[Answer]], started: list[Answer]) -> list[str]:
    return [target.name for target in section_of(barriers, started).targets if not target.holds]


def test_every_goal_is_judged_by_itself() -> None:
    good = {LOOP: barrier(9.0), EVENT: barrier(10.0)}
    assert missed(good, many()) == []
    assert missed(good | {LOOP: barrier(7.0)}, many()) == [
        "Barrier in C++: driver loop / event-driven"
    ]
    assert missed(good, many(ms=101)) == ["1000 coroutines: start, ms"]
    assert missed(good, many(size=16_385)) == ["1000 coroutines: KiB for each"]
    differ = ["loops in C++: results that differ"]
    assert missed(good | {LOOP: barrier(9.0, "8")}, many()) == differ
    assert missed(good, many(correct="no")) == differ
