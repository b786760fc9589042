"""A flow that is too heavy for Spark's tasks, or cannot be sent to them, is refused."""

from __future__ import annotations

import pickle
import threading
from typing import Any

import pyarrow as pa
import pytest

from penstock import FlowError, flow
from penstock.dataframe import pickle_by_value
from penstock.flow import Flow
from penstock.weight import check_weight

LIGHT = flow("f", "n long").select("n", name="pick")


def heavy() -> Flow:
    table = bytes(100_000)
    return LIGHT.map(lambda batch: (table, batch)[1], name="look_up")


def check(made: Flow, most_bytes: int) -> None:
    check_weight("f", made.operators, most_bytes=most_bytes, pickled=pickle_by_value)


def test_the_operator_that_weighs_most_is_named_with_its_size() -> None:
    words = r"flow 'f': operator 'look_up' takes 10\d,\d+ bytes .*task\.maxBytes=50,000: "
    with pytest.raises(FlowError, match=words):
        check(heavy(), 50_000)


def test_the_operator_inside_a_region_is_named() -> None:
    table = bytes(100_000)
    made = LIGHT.parallel(lambda rows: rows.map(lambda batch: (table, batch)[1], name="inner"))
    with pytest.raises(FlowError, match="operator 'inner' takes"):
        check(made, 50_000)


@pytest.mark.parametrize("most_bytes", [200_000, 0])
def test_what_is_allowed_is_not_refused(most_bytes: int) -> None:
    check(heavy(), most_bytes)


def test_what_cannot_be_pickled_is_named() -> None:
    lock = threading.Lock()

    def locked(batch: pa.RecordBatch) -> pa.RecordBatch:
        with lock:
            return batch

    words = "operator 'locked' cannot be sent to Spark's tasks .*lock.*inside the function"
    with pytest.raises(FlowError, match=words):
        check(LIGHT.map(locked, name="locked"), 0)


def test_a_flow_that_only_fails_as_a_whole_is_refused_as_well() -> None:
    def fail(value: Any) -> bytes:
        if isinstance(value, tuple):
            raise pickle.PicklingError("together")
        return b""

    with pytest.raises(FlowError, match=r"it cannot be sent .*PicklingError: together"):
        check_weight("f", LIGHT.operators, most_bytes=1, pickled=fail)
