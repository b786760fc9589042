"""What the ways of a job took, as points, goals and a table; ways are compared by time for a row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from penstock.bench.headline.nothing import NOTHING
from penstock.bench.interleave import Timing
from penstock.bench.report import Grid, Measure, Point, Target
from penstock.bench.section import Section

FLOW = "penstock"
ONE_THREAD = "penstock, one thread"
SPARK_SQL = "Spark SQL"
# How near to what Spark itself takes a flow should come. Where the goals against other ways are out
# of reach, this is what is left of them: nothing in mapInArrow can do better than 1.
NEAR = 1.15
# Other machines, versions and settings have another floor.
WHERE = (
    " on this machine, with this version of Spark and the one thread with which it feeds a Python "
    "worker (spark.python.udf.pipelined.enabled=true has two)"
)
# In shorter runs, what Spark takes to start a job is more than some percent of the time.
LONG_ENOUGH = 2.0  # seconds


@dataclass(frozen=True)
class Measured:
    """What a way took.

    Attributes:
        rows: Of its input.
        made: Rows that it made of them.
        timing: Of each run.
    """

    rows: int
    made: int
    timing: Timing

    @property
    def per_row(self) -> float:
        """Seconds for a row of the input."""
        return self.timing.median / self.rows


def section_of(
    name: str, ways: Mapping[str, Measured], goals: Mapping[str, float], notes: tuple[str, ...] = ()
) -> Section:
    """What was measured, as points, goals and a table.

    Args:
        name: Of the job.
        ways: What each way took, the flow and doing nothing among them.
        goals: By way, how many times the flow's time it should take at least.
        notes: What was not measured.
    """
    flow, floor = ways[FLOW], ways[NOTHING]
    points = tuple(
        Point(
            f"{name}/{way}",
            {
                "rows": each.rows,
                "rows_made": each.made,
                "runs": len(each.timing.seconds),
                "median_s": each.timing.median,
                "iqr_s": each.timing.spread,
                "rows_per_s": 1 / each.per_row,
                "time_over_penstock": each.per_row / flow.per_row,
                "time_over_nothing": each.per_row / floor.per_row,
            },
        )
        for way, each in ways.items()
    )
    table: dict[str, tuple[Measure, ...]] = {
        way: (
            f"{each.rows:,}",
            f"{each.timing.median:.3g}",
            f"{each.timing.spread:.2g}",
            f"{1e-6 / each.per_row:.3g}",
            f"{each.per_row / flow.per_row:.3g}",
            f"{each.per_row / floor.per_row:.3g}",
        )
        for way, each in ways.items()
    }
    targets = tuple(
        Target(
            f"{name}: {way} / {FLOW}, time for a row",
            ways[way].per_row / flow.per_row,
            least=least,
            note=f"at most {ways[way].per_row / floor.per_row:.3g} here",
        )
        for way, least in goals.items()
        if way in ways
    )
    near = Target(
        f"{name}: {FLOW} / nothing, time for a row", flow.per_row / floor.per_row, most=NEAR
    )
    columns = ("rows", "s", "iqr s", "M rows/s", f"time for a row / {FLOW}", "/ nothing")
    title = f"{name}: {flow.rows:,} rows to {flow.made:,}, local[2]"
    told = (
        *_bounds(name, ways, goals),
        _faster(name, ways),
        *_of_sql(name, ways),
        *_too_short(name, ways),
        *notes,
    )
    return Section(points, (*targets, near), (Grid(title, columns, table),), told)


def _bounds(name: str, ways: Mapping[str, Measured], goals: Mapping[str, float]) -> tuple[str, ...]:
    """What the floor says about the flow, and about goals that nobody could reach."""
    flow, floor = ways[FLOW], ways[NOTHING]
    told = (
        f"{name}: Spark takes {floor.timing.median:.3g} s to bring the rows to a Python worker and "
        f"as many of what the job makes back, with nothing done between; {FLOW} takes "
        f"{flow.per_row / floor.per_row:.3g} times that."
    )
    most = {way: ways[way].per_row / floor.per_row for way in goals if way in ways}
    if not most:
        return (told,)
    reach = ", ".join(f"{times:.3g} times {way}" for way, times in most.items())
    told += f" So the most that anybody could reach in mapInArrow is {reach}."
    beyond = [f"{goals[way]:g} times {way}" for way, times in most.items() if times < goals[way]]
    if beyond:
        told += f" No implementation can reach {', '.join(beyond)}{WHERE}."
    return (told,)


def _faster(name: str, ways: Mapping[str, Measured]) -> str:
    """Which of the ways without Penstock win, and by how much; and the nearest if none does."""
    flow = ways[FLOW]
    others = {
        way: each.per_row / flow.per_row
        for way, each in ways.items()
        if way not in {FLOW, ONE_THREAD, NOTHING}
    }
    wins = [f"{way}, {1 / times:.3g} times the rows" for way, times in others.items() if times < 1]
    if wins:
        return f"{name}: faster than {FLOW}: {'; '.join(wins)}."
    best = min(others, key=lambda way: others[way], default=None)
    near = f" The next is {best}: {FLOW} does {others[best]:.3g} times its rows." if best else ""
    return f"{name}: none of the other ways is faster than {FLOW}.{near}"


def _of_sql(name: str, ways: Mapping[str, Measured]) -> tuple[str, ...]:
    """By how much Spark SQL wins or loses, where it can express the job."""
    if SPARK_SQL not in ways:
        return ()
    times = ways[SPARK_SQL].per_row / ways[FLOW].per_row
    if times < 1:
        return (f"{name}: {SPARK_SQL} wins: it does {1 / times:.3g} times the rows of {FLOW}.",)
    return (f"{name}: {SPARK_SQL} loses: {FLOW} does {times:.3g} times its rows.",)


def _too_short(name: str, ways: Mapping[str, Measured]) -> tuple[str, ...]:
    short = [way for way, each in ways.items() if each.timing.median < LONG_ENOUGH]
    if not short:
        return ()
    told = f"{name}: runs of less than {LONG_ENOUGH:g} s, in which the start of a job counts for more: "
    return (told + ", ".join(short) + ".",)
