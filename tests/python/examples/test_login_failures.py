from __future__ import annotations

import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.python.examples import oracle
from tests.python.examples.kernels import EXAMPLES, present

sys.path.insert(0, str(EXAMPLES))

import login_failures
import sshd_log

OF_SU = (
    "Jun 14 15:16:02 combo su(pam_unix)[9]: authentication failure; logname= uid=0 euid=0 "
    "tty= ruser= rhost=sshd"
)
KERNELS = {str(log): known for log, known in present("in_linuxlog", "exp_loginfailures")}


def read(log: str) -> tuple[pa.Table, int]:
    if log in KERNELS:
        return pq.read_table(log), 2005
    return pa.Table.from_batches(sshd_log.generate(10_000, seed=11).batches), sshd_log.YEAR


@pytest.mark.parametrize("log", ["generated", *KERNELS])
def test_the_flow_finds_the_failures_that_plain_python_finds_in_order(log: str) -> None:
    table, year = read(log)
    found = login_failures.login_failures(year).run(table)
    assert {row["user"] for row in found.to_pylist()} > {"", "root"}
    assert found.to_pylist() == oracle.login_failures(table.to_pylist(), year)
    # Data that comes with its exact result must give that, too.
    assert found.table == (pq.read_table(KERNELS[log]) if log in KERNELS else found.table)


@pytest.mark.parametrize(
    "line",
    [
        "Jun 14 15:16:02 combo sshd(pam_unix)[19937]: check pass; user unknown",
        OF_SU,
        "Jun 14 15:16:02 authentication failure",
        "",
    ],
)
def test_other_lines_are_left_out(line: str) -> None:
    batch = pa.record_batch({"seq": [0], "line": [line]})
    assert oracle.login_failures(batch.to_pylist(), 2005) == []
    assert login_failures.flow.run(batch).to_pylist() == []
