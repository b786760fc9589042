from __future__ import annotations

import pyarrow as pa
import pytest

from penstock import agg, flow
from penstock.busy_work import BusyWork, with_work
from penstock.flow import Flow
from penstock.lineage import Lineage

VALUES = [0, 1, -1, None, 2**63 - 1, -(2**63)]
DATA = pa.table({"k": pa.array([1, 2, 1, 2, 1, 2], pa.int64()), "v": pa.array(VALUES, pa.int64())})


@pytest.mark.parametrize("rounds", [0, 1, 100])
def test_the_engine_makes_what_is_described(rounds: int) -> None:
    made = with_work(flow("f", "k bigint, v bigint"), "v", rounds)
    expected = made.operators[0].process(DATA.to_batches()[0])
    assert expected is not None
    assert made.run(DATA).table.to_pydict() == expected.to_pydict()
    assert made.schema.names == ["k", "v", "worked"]


def test_it_works_on_the_column_that_was_named() -> None:
    made = with_work(flow("f", "k bigint, v bigint"), "k", 0).run(DATA)
    assert made.table["worked"].equals(DATA["k"])


def test_a_key_before_it_is_the_same_key_behind_it() -> None:
    made = with_work(flow("f", "k bigint, v bigint"), "v", 3)
    lineage = Lineage.of(made.input_schema).through(made.operators[0])
    assert lineage.origins == {"k": "k", "v": "v"}


def test_in_a_region_it_stands_before_operators_with_the_same_key() -> None:
    def inside(rows: Flow) -> Flow:
        return with_work(rows, "v", 3).key_by("k").running(n=agg.count())

    region = flow("f", "k bigint, v bigint").parallel(inside, by="k", channels=3)
    assert region.run(DATA).table["n"].to_pylist() == [1, 1, 2, 2, 3, 3]


def test_it_says_what_it_does() -> None:
    made = with_work(flow("f", "k bigint, v bigint"), "v", 7)
    (work,) = made.operators
    assert isinstance(work, BusyWork)
    assert (work.body, work.kind, work.native) == ("busy_work 7 times on v", "stateless", True)
