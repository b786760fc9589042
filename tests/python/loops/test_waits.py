from __future__ import annotations

import pickle
from typing import Any

import pytest

from penstock import Done, FlowError, Over, wait_all, wait_any


def test_done_is_true_and_over_is_false() -> None:
    assert Done
    assert not Over
    assert (repr(Done), repr(Over)) == ("Done", "Over")


@pytest.mark.parametrize("outcome", [Done, Over])
def test_there_is_one_of_each_outcome_wherever_it_is_sent(outcome: Any) -> None:
    assert pickle.loads(pickle.dumps(outcome)) is outcome


@pytest.mark.parametrize("wait", [wait_all, wait_any])
@pytest.mark.parametrize("count", [-1, 1.0, "1", None, True])
def test_rows_are_counted_by_whole_numbers_from_zero(wait: Any, count: Any) -> None:
    with pytest.raises(FlowError, match=r"wait_a\w+\(left=.*\): rows are counted by a whole"):
        wait(left=count)


@pytest.mark.parametrize("wait", [wait_all, wait_any])
def test_a_wait_names_a_port(wait: Any) -> None:
    with pytest.raises(FlowError, match="needs a port and a number of rows"):
        wait()
