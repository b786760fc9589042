"""Applications of the papers on given data: exactly the given results."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.kernels import oracles
from tests.kernels.given import FOLDER
from tests.kernels.page_rank import STEPS, page_rank, supersteps
from tests.kernels.test_kernels import KERNELS, first_difference
from tests.kernels.ways import Way, run

# By application: its input, and what is to come of it.
FILES = {
    "finance": ("in_finance", "exp_finance"),
    "break_ins": ("in_sshlog", "exp_breakins"),
    "op_mon": ("in_opmon", "exp_opmon"),
    "summaries": ("in_opmon", "exp_opmon_summary"),
    "fast_phones": ("in_cdr", "exp_cdr_fast"),
    "case_counts": ("in_cdr", "exp_cdr_counts"),
}


def table(file: str) -> pa.Table:
    return pq.read_table(FOLDER / f"{file}.parquet")


def expected(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table(FILES[name][1]).to_pylist()
    if name == "case_counts":
        # The end of the input, which no row stands for.
        assert rows[-1]["emit_at"] == table(FILES[name][0]).num_rows
        rows[-1]["emit_at"] = None
    return rows


@pytest.mark.parametrize("name", FILES)
def test_the_oracle_makes_what_is_given(name: str) -> None:
    right = KERNELS[name].oracle(table(FILES[name][0]).to_pylist())
    assert first_difference(right.rows, expected(name)) is None


@pytest.mark.parametrize("name", FILES)
def test_the_flow_makes_what_is_given_while_channels_come_and_go(name: str) -> None:
    kernel = KERNELS[name]
    given = table(FILES[name][0]).select(kernel.flow.input_schema.names)
    made, _ = run(kernel.flow, given, Way("conveyor", 2, 1000, changes=True))
    assert first_difference(made, expected(name)) is None


def test_the_oracle_finds_the_ranks_that_are_given() -> None:
    edges = table("in_edges")
    pairs = list(zip(edges["src"].to_pylist(), edges["dst"].to_pylist(), strict=True))
    assert oracles.page_rank(pairs, STEPS) == table("exp_pagerank").to_pylist()


@pytest.mark.parametrize("model", ["manual", "conveyor", "dynamic"])
def test_page_rank_finds_the_ranks_that_are_given(model: str) -> None:
    made, _ = run(page_rank, supersteps(table("in_edges")), Way(model, 2, 1000, changes=False))
    assert made == table("exp_pagerank").to_pylist()
