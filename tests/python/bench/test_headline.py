"""The jobs of the suite `spark` without Spark: every form of a job makes the same rows."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from tests.kernels import oracles

from penstock.bench.headline import compare, fast_phones
from penstock.bench.headline.break_ins import BREAK_INS
from penstock.bench.headline.fast_phones import FAST_PHONES
from penstock.bench.headline.in_processes import divided_by_key, prepared
from penstock.bench.headline.in_tasks import column_loop, in_pandas, row_loop
from penstock.bench.headline.job import Job
from penstock.bench.headline.measured import FLOW, NEAR, SPARK_SQL, Measured, section_of
from penstock.bench.headline.nothing import NOTHING, ready_rows
from penstock.bench.headline.running_totals import RUNNING_TOTALS
from penstock.bench.headline.suite import NOTE, SKEW, notes
from penstock.bench.interleave import Timing
from penstock.bench.suites import Size

ROWS = 4_000
SEED = 11
JOBS = (RUNNING_TOTALS, BREAK_INS, FAST_PHONES)


def totals_input(random: Random) -> pa.Table:
    return pa.table(
        {
            "seq": range(ROWS),
            "key": [random.randrange(7) for _ in range(ROWS)],
            "value": [random.randrange(-50, 50) for _ in range(ROWS)],
        }
    )


def log_input(random: Random) -> pa.Table:
    lines = []
    time = datetime(2025, 2, 27, 23, 50, tzinfo=timezone.utc)
    for seq in range(ROWS):
        time += timedelta(seconds=random.choices((0, 5, 20, 299), (60, 25, 13, 2))[0])
        tail = f"from 10.0.0.{random.randrange(3)} port {random.randrange(1024, 9999)} ssh2"
        said = random.choice(
            (
                f"Failed password for root {tail}",
                f"Failed password for invalid user admin {tail}",
                f"message repeated 2 times: [ Failed password for root {tail}]",
                f"Accepted password for root {tail}" if random.random() < 0.5 else "Bye",
                f"Received disconnect {tail}",
                "Failed",
            )
        )
        program = "sshd" if random.random() < 0.95 else "sudo"
        lines.append(f"{time:%b %d %H:%M:%S} gate {program}[{seq}]: {said}")
    return pa.table({"seq": range(ROWS), "line": lines})


def call_input(random: Random) -> pa.Table:
    columns: dict[str, list[Any]] = {
        "seq": list(range(ROWS)),
        "time": [1_740_787_200 + seq // 3 * 40 for seq in range(ROWS)],
        "caller": [random.randrange(40) for _ in range(ROWS)],
        "callee": [random.randrange(40) for _ in range(ROWS)],
    }
    for name, least in (("lat", 39.9), ("lon", 116.3)):
        for side in ("caller", "callee"):
            columns[f"{side}_{name}"] = [least + random.random() / 3 for _ in range(ROWS)]
    columns["area"] = [random.randrange(10, 15) for _ in range(ROWS)]
    names = fast_phones.INPUT.split(", ")
    ordered = {name.split(" ")[0]: columns[name.split(" ")[0]] for name in names}
    return pa.table(ordered).cast(FAST_PHONES.flow().input_schema)


INPUTS = {
    RUNNING_TOTALS.name: totals_input,
    BREAK_INS.name: log_input,
    FAST_PHONES.name: call_input,
}


def given(job: Job) -> tuple[pa.Table, pa.Table]:
    table = INPUTS[job.name](Random(SEED))
    wanted = compare.expected(job, table)
    assert len(wanted) > 50
    return table, wanted


def of_batches(batches: Any, job: Job) -> pa.Table:
    return pa.Table.from_batches(batches, job.schema)


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_the_flow_makes_the_rows_of_the_sequential_program(job: Job) -> None:
    table, wanted = given(job)
    assert compare.differs(job.flow().run(table).table, wanted) == ""


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
@pytest.mark.parametrize("way", [row_loop, column_loop, in_pandas], ids=lambda way: way.__name__)
def test_ways_in_a_task_remember_from_batch_to_batch(job: Job, way: Any) -> None:
    table, wanted = given(job)
    made = of_batches(way(iter(table.to_batches(max_chunksize=317)), job), job)
    assert compare.differs(made, wanted) == ""


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_processes_inside_a_task_make_the_rows_in_their_order(job: Job) -> None:
    table, wanted = given(job)
    way = prepared if job.divided.key is None else divided_by_key
    made = of_batches(way(iter(table.to_batches(max_chunksize=617)), job), job)
    assert compare.differs(made, wanted) == ""


@pytest.mark.parametrize(("later", "found"), [(0, 1), (300, 1), (301, 0), (601, 0), (602, 0)])
def test_failures_count_for_five_minutes_whatever_place_their_second_has(
    later: int, found: int
) -> None:
    """Seconds that are 301 apart share a place in what the compiled function remembers."""
    begin = datetime(2025, 3, 1, tzinfo=timezone.utc)
    times = [begin] * 5 + [begin + timedelta(seconds=later)]
    said = ["Failed"] * 5 + ["Accepted"]
    lines = [
        f"{time:%b %d %H:%M:%S} gate sshd[9]: {word} password for root from ::1 port 4 ssh2"
        for time, word in zip(times, said, strict=True)
    ]
    table = pa.table({"seq": range(6), "line": lines})
    assert compare.expected(BREAK_INS, table).num_rows == found
    assert BREAK_INS.flow().run(table).num_rows == found


def test_the_break_ins_are_those_of_the_kernel() -> None:
    table, wanted = given(BREAK_INS)
    right = oracles.break_ins(table.to_pylist())
    assert wanted["seq"].to_pylist() == [row["seq"] for row in right.rows]
    assert wanted["failures"].to_pylist() == [row["failures"] for row in right.rows]
    assert right.reached["too old"]
    assert right.reached["too few"]


def test_the_fast_phones_are_those_of_the_kernel() -> None:
    table, wanted = given(FAST_PHONES)
    rows = table.rename_columns([*table.column_names[:-1], "area_code"]).to_pylist()
    for row in rows:
        row["time"] = datetime.fromtimestamp(row["time"], timezone.utc)
    right = oracles.fast_phones(rows)
    assert wanted["seq"].to_pylist() == [row["seq"] for row in right.rows]
    assert wanted["kmh"].to_pylist() == pytest.approx([row["speed_kmh"] for row in right.rows])


def test_rows_that_differ_are_told_apart() -> None:
    right = pa.table({"a": [1, None], "x": [1.0, 1e9]})
    assert compare.differs(right, right) == ""
    assert compare.differs(right.slice(1), right) == "made 1 rows, not 2"
    assert compare.differs(pa.table({"a": [1, 2], "x": [1.0, 1e9]}), right) == (
        "made 2 in column 'a' of row 1, not None"
    )
    assert compare.differs(pa.table({"a": [2, None], "x": [1.0, 1e9]}), right) == (
        "made 2 in column 'a' of row 0, not 1"
    )
    assert "column 'x' of row 1" in compare.differs(
        pa.table({"a": [1, None], "x": [1.0, 1e9 + 2]}), right
    )
    near = pa.table({"a": [1, None], "x": [1.0, 1e9 + 0.5]})
    assert compare.differs(near, right) == ""


def took(**seconds: float) -> dict[str, Measured]:
    named = {"flow": FLOW, "nothing": NOTHING}
    return {named.get(way, way): Measured(100, 7, Timing((s,))) for way, s in seconds.items()}


def test_goals_compare_with_the_flow() -> None:
    ways = took(flow=2.0, slow=50.0, fast=1.0, nothing=0.5)
    section = section_of("job", ways, {"slow": 20.0, "absent": 3.0})
    target, _ = section.targets
    assert target.name == "job: slow / penstock, time for a row"
    assert (target.value, target.holds) == (25.0, True)
    assert target.told_goal == ">= 20 (at most 100 here)"
    [grid] = section.grids
    assert grid.rows["fast"] == ("100", "1", "0", "0.0001", "0.5", "2")


def test_a_way_of_fewer_rows_is_compared_by_the_time_of_a_row() -> None:
    ways = took(flow=2.0, nothing=2.0) | {"slow": Measured(10, 1, Timing((4.0, 5.0, 9.0)))}
    section = section_of("job", ways, {"slow": 20.0})
    target, _ = section.targets
    assert target.value == pytest.approx(25.0)
    assert section.grids[0].rows["slow"][:2] == ("10", "5")
    measures = next(point.measures for point in section.points if point.name == "job/slow")
    assert (measures["rows"], measures["rows_made"], measures["runs"]) == (10, 1, 3)
    assert measures["time_over_nothing"] == pytest.approx(25.0)


def test_runs_in_which_the_start_counts_are_named() -> None:
    [*_, short] = section_of("job", took(flow=1.9, slow=2.0, nothing=2.0), {}).notes
    assert short.endswith("the start of a job counts for more: penstock.")
    [*_, last] = section_of("job", took(flow=2.0, slow=2.0, nothing=2.0), {}).notes
    assert "counts for more" not in last


def test_who_wins_is_said_plainly() -> None:
    ways = took(flow=2.0, slow=50.0, sql=1.0, pandas=1.6, nothing=0.5)
    assert section_of("job", ways, {}).notes[1] == (
        "job: faster than penstock: sql, 2 times the rows; pandas, 1.25 times the rows."
    )
    ways = took(flow=2.0, slow=50.0, sql=3.0, nothing=0.5)
    ways["penstock, one thread"] = Measured(100, 7, Timing((1.0,)))
    assert section_of("job", ways, {}).notes[1] == (
        "job: none of the other ways is faster than penstock. "
        "The next is sql: penstock does 1.5 times its rows."
    )


def test_a_goal_that_spark_leaves_no_room_for_is_said_to_be_out_of_reach() -> None:
    ways = took(flow=2.0, slow=50.0, slower=90.0, nothing=4.0)
    told, *_ = section_of("job", ways, {"slow": 20.0, "slower": 10.0}).notes
    assert "penstock takes 0.5 times that" in told
    assert "anybody could reach in mapInArrow is 12.5 times slow, 22.5 times slower." in told
    assert "No implementation can reach 20 times slow on this machine, with this version" in told
    assert told.endswith("(spark.python.udf.pipelined.enabled=true has two).")
    within, *_ = section_of("job", ways, {"slower": 10.0}).notes
    assert "No implementation" not in within


def test_a_quick_report_says_which_jobs_it_leaves_out() -> None:
    assert notes(Size()) == (NOTE, SKEW)
    [_, told] = notes(Size(quick=True))
    assert "leaves out the jobs fast phones, hot partition and uniform partitions" in told


@pytest.mark.parametrize(("nothing", "holds"), [(1.0, True), (0.8, False)])
def test_a_flow_is_to_be_near_to_what_spark_takes_whatever_other_goals_a_job_has(
    nothing: float, holds: bool
) -> None:
    [near] = section_of("job", took(flow=1.1, slow=2.0, nothing=nothing), {}).targets
    assert near.name == "job: penstock / nothing, time for a row"
    assert near.value == pytest.approx(1.1 / nothing)
    assert (near.most, near.holds) == (NEAR, holds)


def test_by_how_much_spark_sql_wins_or_loses_is_a_sentence_of_its_own() -> None:
    def said(seconds: float) -> str:
        ways = took(flow=2.0, pandas=2.5, nothing=2.0)
        ways[SPARK_SQL] = Measured(100, 7, Timing((seconds,)))
        [sentence] = [note for note in section_of("job", ways, {}).notes if " SQL " in note]
        return sentence

    assert said(9.0) == "job: Spark SQL loses: penstock does 4.5 times its rows."
    assert said(1.0) == "job: Spark SQL wins: it does 2 times the rows of penstock."
    told = section_of("job", took(flow=2.0, pandas=2.5, nothing=2.0), {}).notes
    assert not any("SQL" in note for note in told), "where it cannot express the job"


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
@pytest.mark.parametrize("count", [0, 1, 1_234, ROWS])
def test_the_first_rows_alone_make_what_they_make_among_all(job: Job, count: int) -> None:
    table, wanted = given(job)
    alone = compare.expected(job, table.slice(0, count))
    assert compare.differs(compare.up_to(wanted, count), alone) == ""


def test_a_way_has_so_many_rows_that_a_run_lasts_two_seconds() -> None:
    counts = compare.ladder(3_200_000)
    assert counts[::2] == [100_000, 200_000, 400_000, 800_000, 1_600_000, 3_200_000]
    assert counts[-2] == round(3_200_000 / 2**0.5)
    # Half a second to start, and 1 us a row: 1.8 s are left of 2.3.
    assert compare.enough(counts, (100_000, 0.6), (400_000, 0.9)) == 2_262_742
    # 25 us a row, and no start.
    assert compare.enough(counts, (100_000, 2.5), (141_421, 3.535525)) == 100_000
    assert compare.enough(counts, (100_000, 0.5), (1_600_000, 0.6)) == 3_200_000
    assert compare.enough(counts, (100_000, 0.5), (1_600_000, 0.4)) == 3_200_000, "noise alone"


def test_a_longer_run_has_more_rows() -> None:
    counts = compare.ladder(3_200_000)
    assert compare.above(counts, 100_000, 10) == 141_421
    assert compare.above(counts, 100_000, 500_000) == 565_685
    assert compare.above(counts, 100_000, 9e9) == 3_200_000


def test_few_rows_are_a_ladder_too() -> None:
    assert compare.ladder(5) == [1, 2, 4, 5]


@pytest.mark.parametrize("made", [0, 1, 700, 2_500])
def test_doing_nothing_makes_as_many_rows_as_the_job(made: int) -> None:
    given = pa.table({"x": range(1_000)}).to_batches(max_chunksize=300)
    ready = pa.RecordBatch.from_pydict({"a": range(min(made, 100))})
    pieces = list(ready_rows(iter(given), ready, (made, 1_000)))
    assert sum(piece.num_rows for piece in pieces) == made
    assert all(piece.num_rows > 0 for piece in pieces)
