"""What an elastic flow goes by: the same rows, for other reasons."""

from __future__ import annotations

import pyarrow as pa
import pytest
from tests.python.feeding import PERIOD, Feed

from penstock import Elastic, Flow, agg, flow
from penstock.errors import SettingError
from penstock.metrics import Decision
from penstock.settings import Settings

KEY = "spark.penstock.elastic.controller"
UTILIZATION = PERIOD | {KEY: "utilization"}
START = flow("f", "k long, n long")


def totals(made: Flow) -> Flow:
    return made.key_by("k").running(total=agg.sum("n"), name="total")


def check_rows(made: Flow, **settings: object) -> tuple[Decision, ...]:
    """Run a flow for a while; its rows must be those of one thread, and it says what it decided."""
    batch = pa.RecordBatch.from_pydict({"k": [i * i % 37 for i in range(64)], "n": [*range(64)]})
    feed = Feed(batch)
    result = made.run(feed, settings=UTILIZATION | settings)
    right = totals(START).run([batch] * feed.fed)
    assert result.table.equals(right.table)
    return result.decisions


@pytest.mark.parametrize("model", ["dynamic", "conveyor", "automatic"])
def test_a_flow_that_goes_by_utilization_makes_the_same_rows(model: str) -> None:
    made = totals(START).threading(model, threads=2, elastic=True)  # type: ignore[arg-type]
    decisions = check_rows(made)
    assert "busy for" in decisions[0].text
    assert {one.lever for one in decisions} == {"threads"}
    assert all(1 <= one.chosen <= 2 for one in decisions)


@pytest.mark.parametrize("model", ["dynamic", "conveyor"])
def test_a_region_of_such_a_flow_makes_the_same_rows(model: str) -> None:
    made = START.parallel(totals, by="k", channels=Elastic(1, 4), name="r")
    decisions = check_rows(made.threading(model, threads=2))  # type: ignore[arg-type]
    channels = [one for one in decisions if one.lever == "channels"]
    assert channels
    assert all(one.chosen - one.previous in (-1, 0, 1) for one in channels), "one at a time"
    assert all(one.chosen <= 4 for one in channels)


def test_decisions_need_no_metrics() -> None:
    made = totals(START).threading("dynamic", threads=2, elastic=True)
    decisions = check_rows(made, **{"spark.penstock.metrics.enabled": False})
    assert "busy for" in decisions[0].text


def test_what_is_not_set_is_throughput() -> None:
    assert Settings.of().elastic_controller == "throughput"
    assert Settings.of({KEY: "utilization"}).elastic_controller == "utilization"


def test_another_word_is_refused_with_those_there_are() -> None:
    with pytest.raises(SettingError, match=f"{KEY}=busy .* allowed is throughput or utilization"):
        Settings.of({KEY: "busy"})
