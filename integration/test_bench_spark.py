"""That every way of the suite `spark` makes the same rows, and is measured; not how fast any is."""

from __future__ import annotations

from typing import Any

import pytest

from integration.sessions import Sessions
from penstock.bench.headline.break_ins import BREAK_INS
from penstock.bench.headline.compare import ROUNDS, WAYS, compare, ladder
from penstock.bench.headline.fast_phones import FAST_PHONES
from penstock.bench.headline.in_groups import APPLY_IN_PANDAS, missing
from penstock.bench.headline.job import Job
from penstock.bench.headline.measured import FLOW
from penstock.bench.headline.nothing import NOTHING
from penstock.bench.headline.running_totals import RUNNING_TOTALS
from penstock.bench.section import Stage
from penstock.bench.shared_cores import ONE, SHARED, uniform_partitions
from penstock.bench.suites import Size

# As few as make some rows: every key costs ways that group by it milliseconds.
ROWS = {BREAK_INS.name: 600, RUNNING_TOTALS.name: 200, FAST_PHONES.name: 400}


@pytest.fixture
def session(sessions: Sessions, spark: Any) -> Any:
    spark.conf.set("spark.sql.shuffle.partitions", 2)
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    yield spark
    sessions.close()  # others find one as it was


@pytest.mark.parametrize("job", [BREAK_INS, RUNNING_TOTALS, FAST_PHONES], ids=lambda job: job.name)
def test_every_way_makes_the_rows_of_the_sequential_program(session: Any, job: Job) -> None:
    size = Size(quick=True, scale=ROWS[job.name] * 40 / job.rows_by_key)
    told: list[str] = []
    found = compare(Stage(size, told.append, ()), session, job, goals=True)
    absent = missing(session.range(1))
    assert [point.name for point in found.points] == [
        f"{job.name}/{way}" for way in (*WAYS, NOTHING) if way not in absent
    ]
    assert all(point.measures["rows"] == ROWS[job.name] for point in found.points)
    assert all(int(point.measures["rows_made"]) > 0 for point in found.points)


def test_a_full_run_tries_how_many_rows_a_way_needs_and_has_three_rounds(session: Any) -> None:
    job = RUNNING_TOTALS
    size = Size(scale=ROWS[job.name] / job.rows)
    told: list[str] = []
    found = compare(Stage(size, told.append, ()), session, job, goals=True)
    rows = {
        point.name.removeprefix(f"{job.name}/"): point.measures["rows"] for point in found.points
    }
    assert rows[FLOW] in ladder(ROWS[job.name])
    assert rows[NOTHING] == max(rows.values()), "the floor is that of the longest runs"
    assert rows[APPLY_IN_PANDAS] == ROWS[job.name] * job.rows_by_key // job.rows
    assert {point.measures["runs"] for point in found.points} == {ROUNDS}
    assert f"{job.name}: trying 6 rows of {FLOW}" in told
    assert f"{job.name}: round {ROUNDS} of {ROUNDS}, {NOTHING}" == told[-1]


def test_even_partitions_have_the_rows_of_the_sequential_program_in_every_run(session: Any) -> None:
    stage = Stage(Size(quick=True, scale=0.02), lambda _: None, ())
    found = uniform_partitions(stage, session)
    assert [point.name for point in found.points] == [
        f"uniform partitions/{contender}" for contender in (ONE, SHARED)
    ]
