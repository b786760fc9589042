from __future__ import annotations

import sys

import pyarrow as pa
import pytest
from tests.python.examples.kernels import EXAMPLES

sys.path.insert(0, str(EXAMPLES))

import driver_loops

A = pa.table({"ts": [1, 4, 5, 9], "n": [5, 20, 7, 30]})
B = pa.table({"ts": [2, 3, 6], "n": [1, 0, 1]})
BOTH = [(1, 5), (2, 1), (3, 0), (4, 20), (5, 7), (6, 1), (9, 30)]
WANTED = {
    "barrier": [(5, 1), (20, 0), (7, 1)],
    "gate": [(1, 5), (9, 30)],
    "switch, big": [(4, 20), (9, 30)],
    "switch, small": [(1, 5), (5, 7)],
    "merge": BOTH,
    "merge by time": BOTH,
}


@pytest.mark.parametrize("name", driver_loops.flows())
@pytest.mark.parametrize("rows", [0, 1, 2, 3])
def test_each_loop_does_what_it_is_for(name: str, rows: int) -> None:
    made = driver_loops.flows()[name].run(
        a=A, b=B, order_by="ts", settings={"spark.penstock.tuple.rows": rows}
    )
    assert [tuple(row.values()) for row in made.to_pylist()] == WANTED[name]


def test_a_merge_by_time_puts_in_order_what_arrives_out_of_it() -> None:
    made = driver_loops.flows()["merge by time"].run(a=A, b=B, order_by=None)
    assert [tuple(row.values()) for row in made.to_pylist()] == BOTH
