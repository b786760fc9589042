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
from penstock.bench.headline.nothing import NOTHING, ready_rows
from penstock.bench.headline.running_totals import RUNNING_TOTALS
from penstock.bench.interleave import Timing

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


def timed(**seconds: float) -> dict[str, Timing]:
    named = {"flow": compare.FLOW, "nothing": NOTHING}
    return {named.get(way, way): Timing((each,)) for way, each in seconds.items()}


def test_goals_compare_with_the_flow() -> None:
    timings = timed(flow=2.0, slow=50.0, fast=1.0, nothing=0.5)
    section = compare.section_of("job", (100, 7), timings, {"slow": 20.0, "absent": 3.0})
    [target] = section.targets
    assert (target.name, target.value, target.holds) == ("job: slow / penstock, time", 25.0, True)
    [grid] = section.grids
    assert grid.rows["fast"] == ("0.0001", "1", "0.5", "2")


def test_a_goal_that_spark_leaves_no_room_for_is_said_to_be_out_of_reach() -> None:
    timings = timed(flow=2.0, slow=50.0, slower=90.0, nothing=4.0)
    [told] = compare.section_of("job", (1, 1), timings, {"slow": 20.0, "slower": 10.0}).notes
    assert "penstock takes 0.5 times that" in told
    assert "anybody could reach in mapInArrow is 12.5 times slow, 22.5 times slower." in told
    assert told.endswith("no implementation can reach 20 times slow.")
    [within] = compare.section_of("job", (1, 1), timings, {"slower": 10.0}).notes
    assert "no implementation" not in within


@pytest.mark.parametrize("made", [0, 1, 700, 2_500])
def test_doing_nothing_makes_as_many_rows_as_the_job(made: int) -> None:
    given = pa.table({"x": range(1_000)}).to_batches(max_chunksize=300)
    ready = pa.RecordBatch.from_pydict({"a": range(min(made, 100))})
    pieces = list(ready_rows(iter(given), ready, (made, 1_000)))
    assert sum(piece.num_rows for piece in pieces) == made
    assert all(piece.num_rows > 0 for piece in pieces)
