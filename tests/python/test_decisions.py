"""What an elastic flow tells about the threads it chose."""

from __future__ import annotations

import json
from itertools import pairwise

import pyarrow as pa
import pytest
from tests.python.feeding import PERIOD, Feed

from penstock import Flow, flow
from penstock.metrics import Decision
from penstock.result import Result


def run_for_a_while(made: Flow, **settings: object) -> tuple[Result, int]:
    feed = Feed(pa.RecordBatch.from_pydict({"n": [*range(100)], "m": [*range(100)]}))
    return made.run(feed, settings=PERIOD | settings), feed.fed


def pick() -> Flow:
    return flow("pick", "n long, m long").select("m", "n").select("n")


@pytest.mark.parametrize("model", ["dynamic", "conveyor", "automatic"])
def test_every_decision_says_what_when_and_why(model: str) -> None:
    made = pick().threading(model, threads=3, elastic=True)  # type: ignore[arg-type]
    result, fed = run_for_a_while(made)
    assert result.num_rows == 100 * fed
    assert result.decisions
    assert result.metrics is not None
    assert result.metrics.decisions == result.decisions
    for decision in result.decisions:
        assert decision.lever in ("threads", "stops")
        assert decision.reason
        assert decision.text
        assert decision.seconds > 0
    threads = [one for one in result.decisions if one.lever == "threads"]
    assert threads[0].previous == 1
    assert all(1 <= one.chosen <= 3 for one in threads)
    assert all(one.chosen == other.previous for one, other in pairwise(threads))
    assert threads[0].before is not None
    assert str(threads[0]).endswith("rows/s)")


def test_decisions_are_there_without_metrics_too() -> None:
    result, _ = run_for_a_while(
        pick().threading("automatic", threads=2), **{"spark.penstock.metrics.enabled": False}
    )
    assert result.metrics is None
    assert result.decisions


def test_a_flow_that_is_not_elastic_decides_nothing() -> None:
    result, _ = run_for_a_while(pick().threading("conveyor", threads=2))
    assert result.decisions == ()


def test_decisions_go_into_json_with_the_metrics() -> None:
    result, _ = run_for_a_while(pick().threading("automatic", threads=2))
    assert result.metrics is not None
    told = json.loads(json.dumps(result.metrics.to_dict()))["decisions"]
    assert [Decision(**one) for one in told] == list(result.decisions)
