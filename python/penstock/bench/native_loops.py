"""Driver loops in C++: a Barrier as a coroutine against one that is event-driven, and a thousand.

All Barriers get the same tuples. One is a coroutine of the engine, one is in a library against
penstock_loop.hpp, as users write it. Both are woken by tuples, which is what the one that is
event-driven does; woken by rows, the default, they go on sixteen times for a tuple of sixteen rows,
which is shown and has no goal. A flow of a thousand coroutines must start quickly and may not keep
a stack for each of them.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from functools import partial

from penstock.bench.programs import LOOPS, Program, own_program
from penstock.bench.report import Grid, Point, Target
from penstock.bench.section import Answer, Section, Stage

EVENT, LOOP, LIBRARY = "event-driven", "driver loop", "library loop"
BARRIERS = {
    EVENT: {"contender": "event"},
    LOOP: {"contender": "loop"},
    LIBRARY: {"contender": "library"},
    f"{LOOP}, wake by rows": {"contender": "loop", "wake": "rows"},
    f"{LIBRARY}, wake by rows": {"contender": "library", "wake": "rows"},
}
SLOW = 20  # times as long, about, does a Barrier take that wakes by rows
TUPLES = 1_000_000
OPERATORS = 1_000
KIB = 1024


def native_loops(stage: Stage) -> Section:
    """Measure both Barriers in turn, and start many loops."""
    with Program(own_program(LOOPS), lists=False) as program:
        tuples = stage.size.rows(TUPLES)
        turns = {
            name: partial(
                program.ask,
                kind="barrier",
                tuples=tuples // SLOW if "wake" in how else tuples,
                **how,
            )
            for name, how in BARRIERS.items()
        }
        quick = stage.size.quick
        barriers = stage.rounds_of(turns, 3 if quick else 9, 3.0 if quick else 20.0, "Barrier: ")
        many = [program.ask(kind="many", operators=OPERATORS) for _ in range(5)]
    return section_of(barriers, many)


def section_of(barriers: Mapping[str, Sequence[Answer]], many: Sequence[Answer]) -> Section:
    """What was measured, as points, goals and a table."""
    rates = {
        name: statistics.median(each["tuples_per_s"] for each in answers)
        for name, answers in barriers.items()
    }
    ratios = {
        name: statistics.median(
            one["tuples_per_s"] / other["tuples_per_s"]
            for one, other in zip(barriers[name], barriers[EVENT], strict=True)
        )
        for name in (LOOP, LIBRARY)
    }
    # What is woken by rows makes other batches, so it is compared with its like.
    sums: dict[bool, set[tuple[object, object]]] = {False: set(), True: set()}
    for name, answers in barriers.items():
        sums["wake" in BARRIERS[name]] |= {(one["pairs"], one["checksum"]) for one in answers}
    start = statistics.median(each["start_ms"] for each in many)
    size = max(each["bytes_per_operator"] for each in many) / KIB
    wrong = sum(len(of) - 1 for of in sums.values()) + sum(
        each["correct"] != "yes" for each in many
    )
    points = (
        *(Point(f"Barrier in C++/{name}", {"tuples_per_s": rate}) for name, rate in rates.items()),
        Point(f"{OPERATORS} coroutines", {"start_ms": start, "kib_per_operator": size}),
    )
    return Section(
        points,
        (
            Target("loops in C++: results that differ", wrong, most=0),
            *(
                Target(f"Barrier in C++: {name} / {EVENT}", ratio, least=0.8)
                for name, ratio in ratios.items()
            ),
            Target(f"{OPERATORS} coroutines: start, ms", start, most=100.0),
            Target(f"{OPERATORS} coroutines: KiB for each", size, most=16.0),
        ),
        (
            Grid(
                "Barrier in C++",
                ("tuples/s",),
                {f"Barrier, {name}": (rate,) for name, rate in rates.items()},
            ),
        ),
    )
