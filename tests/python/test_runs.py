from __future__ import annotations

import gc
import json
import pickle
from types import SimpleNamespace
from typing import Any

import pytest

import penstock
from penstock import runs
from penstock.executor.status import Describer, Task
from penstock.flow import Flow
from penstock.metrics import FlowMetrics, LevelChange, OperatorMetrics, WorkerMetrics
from penstock.run_metrics import RunMetrics, TaskMetrics
from penstock.spec import FlowSpec
from penstock.telling import Message, Telling
from penstock.watch import Progress


def picking() -> Flow:
    return penstock.flow("f", "n long").select("n", name="pick")


def told(run: str, task: Task, rows: int) -> Message:
    metrics = FlowMetrics(
        (OperatorMetrics("pick", tuples=1, rows_in=rows, rows_out=rows, busy=0.5),),
        (WorkerMetrics(0, busy=0.5, seconds=2.0), WorkerMetrics(3, busy=0.25, seconds=2.0)),
        (LevelChange(0.0, 2),),
        seconds=2.0,
    )
    document = Describer(FlowSpec.of(picking()), task, "app", 1.0).document(
        Progress(metrics, rows, rows), "done"
    )
    return Telling(run).message(task, document)


def rows_of(run: RunMetrics | None) -> list[tuple[int, int]]:
    assert run is not None
    return [(task.partition, task.rows_in) for task in run.tasks]


def test_what_a_task_tells_comes_back_as_it_was() -> None:
    message = told("r", Task(1, 2, 3, 4), 10)
    task = TaskMetrics.of(json.loads(message[-1]))
    assert (task.stage, task.partition, task.attempt, task.task) == (1, 2, 3, 4)
    assert task.metrics.operator("pick").rows_in == 10
    assert [one.number for one in task.metrics.workers] == [0, 3]
    assert task.metrics.utilisation == 0.75 / 4


def test_a_run_sums_operators_over_its_tasks() -> None:
    run = runs.begin(picking(), "sums")
    runs.receive([told("sums", Task(0, n, 0, n, "1"), 10 * (n + 1)) for n in (1, 0, 2)])
    made = run.metrics()
    assert rows_of(made) == [(0, 10), (1, 20), (2, 30)]
    assert made is not None
    assert (made.operator("pick").rows_in, made.operator("pick").busy) == (60, 1.5)
    assert (made.rows_in, made.rows_out) == (60, 60)
    with pytest.raises(KeyError):
        made.operator("other")
    assert json.loads(json.dumps(made.to_dict()))["rows_in"] == 60


def test_the_newest_attempt_of_a_partition_counts_in_whatever_order_they_are_told() -> None:
    run = runs.begin(picking(), "attempts")
    attempts = [told("attempts", Task(0, 0, n, 100 + n, "1"), n) for n in (1, 3, 2)]
    runs.receive(attempts)
    assert rows_of(run.metrics()) == [(0, 3)]


def test_another_action_is_not_added_but_takes_the_place() -> None:
    run = runs.begin(picking(), "actions")
    for action in range(20):
        runs.receive([told("actions", Task(action, 0, 0, action, str(action)), action)])
        assert rows_of(run.metrics()) == [(0, action)]
    assert len(run._executions) == runs.MOST_EXECUTIONS


def test_stages_outside_of_sql_are_actions_of_their_own() -> None:
    run = runs.begin(picking(), "stages")
    runs.receive([told("stages", Task(n, 0, 0, n), n) for n in (1, 2)])
    assert rows_of(run.metrics()) == [(0, 2)]


def test_tasks_beyond_the_bound_are_counted_as_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MOST_TASKS", 2)
    run = runs.begin(picking(), "bound")
    runs.receive([told("bound", Task(0, n, 0, n, "1"), n) for n in range(5)])
    made = run.metrics()
    assert rows_of(made) == [(0, 0), (1, 1)]
    assert "2 tasks, 3 more left out" in str(made)


def test_a_flow_tells_of_the_run_it_heard_of_last() -> None:
    flow = picking()
    kept = [runs.begin(flow, "one"), runs.begin(flow, "two")]
    assert flow.metrics is None
    runs.receive([told("two", Task(0, 0, 0, 1, "1"), 2)])
    assert rows_of(flow.metrics) == [(0, 2)]
    runs.receive([told("one", Task(1, 0, 0, 2, "2"), 1)])
    assert rows_of(flow.metrics) == [(0, 1)]
    assert len(kept) == 2


def test_an_equal_flow_has_metrics_of_its_own() -> None:
    flow, other = picking(), picking()
    runs.begin(flow, "own")
    runs.receive([told("own", Task(0, 0, 0, 1, "1"), 1)])
    assert flow == other
    assert (flow.metrics is None, other.metrics is None) == (False, True)


def test_a_flow_with_metrics_is_still_immutable_and_picklable() -> None:
    flow = picking()
    runs.begin(flow, "pickled")
    runs.receive([told("pickled", Task(0, 0, 0, 1, "1"), 1)])
    with pytest.raises(AttributeError):
        flow.metrics = None  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(flow))
    assert again == flow
    assert again.metrics is None


def test_what_nobody_can_ask_for_is_forgotten() -> None:
    flow = picking()
    for number in range(100):
        runs.begin(flow, f"many {number}")
    gc.collect()
    assert sum(name.startswith("many ") for name in runs._runs) == runs.MOST_RUNS
    del flow
    gc.collect()
    assert not any(name.startswith("many ") for name in runs._runs)
    runs.receive([told("many 99", Task(), 1)])


class Observed:
    """An Observation of Spark Connect: empty until an action has ended."""

    def __init__(self) -> None:
        self.get: dict[str, Any] = {}


def test_an_observation_is_read_when_it_is_there() -> None:
    flow, observation = picking(), Observed()
    run = runs.begin(flow, "seen", observation)
    assert (run.metrics(), flow.metrics) == (None, None)
    messages = [json.dumps(told("seen", Task(0, n, 0, n, "1", 7), n)) for n in (1, 0)]
    observation.get = {"__penstock_metrics": "\n".join(messages)}
    assert rows_of(run.metrics()) == [(0, 0), (1, 1)]
    assert flow.metrics is not None
    assert flow.metrics.batch == 7


@pytest.mark.parametrize("as_object", [True, False])
def test_the_progress_of_a_stream_is_read_by_flow(as_object: bool) -> None:
    class Row:
        def asDict(self) -> dict[str, Any]:
            return {"__penstock_metrics": json.dumps(told("r", Task(0, 0, 0, 1, "1", 4), 5))}

    given: Any = SimpleNamespace(observedMetrics={"penstock.f.0a1b2c3d": Row(), "other": object()})
    if not as_object:
        given = {"observedMetrics": {"penstock.f.0a1b2c3d": Row().asDict(), "other": {}}}
    found = penstock.observed_metrics(given)
    assert list(found) == ["f"]
    assert (found["f"].batch, rows_of(found["f"])) == (4, [(0, 5)])


def test_the_progress_that_spark_connect_gives_is_read_as_well() -> None:
    message = json.dumps(told("r", Task(0, 0, 0, 1, "1", 4), 5))
    given = {"observedMetrics": {"penstock.f.0a1b2c3d": {"values": [message]}}}
    found = penstock.observed_metrics(given)["f"]
    assert (found.batch, rows_of(found)) == (4, [(0, 5)])


def test_progress_without_metrics_is_none_at_all() -> None:
    assert penstock.observed_metrics(None) == {}
    assert penstock.observed_metrics({"observedMetrics": None}) == {}
