from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.python.examples import oracle
from tests.python.examples.kernels import EXAMPLES, ROOT, present

sys.path.insert(0, str(EXAMPLES))

import break_ins
import by_hand
import sshd_log

KERNEL_YEAR = 2017
KERNELS = {str(given): expected for given, expected in present("in_sshlog", "exp_breakins")}
LOGS = ["generated", *KERNELS]
GENERATED = sshd_log.generate(30_000, seed=11)


def read(log: str) -> tuple[pa.Table, int]:
    if log in KERNELS:
        return pq.read_table(log), KERNEL_YEAR
    return pa.Table.from_batches(GENERATED.batches), sshd_log.YEAR


def known(log: str) -> list[tuple[object, ...]]:
    if log in KERNELS:
        rows = pq.read_table(KERNELS[log]).to_pylist()
        return [seconds_of(oracle.Alert(*row.values())) for row in rows]
    return [tuple(vars(break_in).values()) for break_in in GENERATED.break_ins]


def seconds_of(alert: oracle.Alert) -> tuple[object, ...]:
    times = {"time": alert.time.timestamp(), "first": alert.first.timestamp()}
    return tuple((alert._asdict() | times).values())


@pytest.mark.parametrize("log", LOGS)
def test_the_flow_finds_the_events_that_plain_python_finds_in_order(log: str) -> None:
    table, year = read(log)
    expected = [event._asdict() for event in oracle.events(table.to_pylist(), year)]
    assert expected
    assert break_ins.attempts(year).run(table).to_pylist() == expected


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("way", [by_hand.row_by_row, by_hand.vectorised])
def test_both_ways_without_penstock_give_the_rows_of_the_flow(log: str, way: object) -> None:
    assert callable(way)
    table, year = read(log)
    batches = table.to_batches(max_chunksize=1000)
    made = pa.Table.from_batches(way(break_ins.ATTEMPT, year)(iter(batches)))
    assert made == break_ins.attempts(year).run(table).table


@pytest.mark.parametrize("way", [by_hand.row_by_row, by_hand.vectorised])
def test_a_batch_without_events_is_no_trouble_by_hand(way: object) -> None:
    assert callable(way)
    batch = pa.record_batch({"seq": [1], "line": ["nothing of interest"]})
    made = list(way(break_ins.ATTEMPT, 2025)(iter([batch])))
    assert [each.num_rows for each in made] == [0]
    assert made[0].schema == break_ins.flow.schema


@pytest.mark.parametrize("log", LOGS)
def test_the_events_of_the_flow_lead_to_the_known_break_ins(log: str) -> None:
    table, year = read(log)
    rows = break_ins.attempts(year).run(table).to_pylist()
    found = oracle.alerts(oracle.Event(**row) for row in rows)
    assert [seconds_of(alert) for alert in found] == known(log)


def test_spark_sql_raises_the_known_alerts(tmp_path: Path) -> None:
    arguments = []
    for number, log in enumerate(LOGS):
        table, year = read(log)
        file = tmp_path / f"{number}.parquet"
        pq.write_table(table, file, row_group_size=4096)
        arguments.append(f"{year}={file}")
    program = [sys.executable, "-m", "tests.python.examples.find_alerts", *arguments]
    ran = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found = [[tuple(alert) for alert in each] for each in json.loads(ran.stdout)]
    assert found == [known(log) for log in LOGS]


def test_the_demo_finds_what_is_hidden_and_tells_what_it_measured(tmp_path: Path) -> None:
    demo = [sys.executable, str(EXAMPLES / "break_ins.py"), "--lines", "20000"]
    demo += ["--rounds", "1", "--folder", str(tmp_path)]
    ran = subprocess.run(demo, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Spark UI while this runs: http://" in ran.stdout
    assert "flow 'break_ins'" in ran.stdout
    assert "All 12 hidden break-ins were found, and nothing else." in ran.stdout
    assert re.search(r"The same [\d,]+ events in the same order\.", ran.stdout)
    for way in ("row by row with re", "pyarrow.compute by hand", "Penstock flow"):
        assert re.search(rf"{re.escape(way)} +[\d.]+ +[\d.]+ +[\d,]+ +[\d.]+ x", ran.stdout)
    assert "penstock doctor" in ran.stdout


def test_the_flow_can_be_had_without_spark() -> None:
    code = "import sys, break_ins; print(break_ins.flow.name, 'pyspark' in sys.modules)"
    python = [sys.executable, "-c", code]
    ran = subprocess.run(python, cwd=EXAMPLES, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["break_ins", "False"]
