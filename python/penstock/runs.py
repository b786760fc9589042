"""What the driver knows of the runs of its flows.

A run is a flow on a DataFrame. Each action on that is an execution of its own, and the last one
counts. Memory is bounded: a flow remembers a few runs, a run a few executions, an execution so many
tasks.
"""

from __future__ import annotations

import json
import threading
import weakref
from collections import OrderedDict, deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from penstock.errors import FlowError
from penstock.hidden_column import HIDDEN
from penstock.run_metrics import RunMetrics, TaskMetrics
from penstock.telling import Message

MOST_TASKS = 10_000
MOST_EXECUTIONS = 3
MOST_RUNS = 8
# Of a DataFrame that a flow returned: its run, and the flow itself.
ATTRIBUTE, FLOW = "_penstock_run", "_penstock_flow"

_lock = threading.Lock()
_order = count()


class _Execution:
    """The tasks of one action, the newest attempt of each partition."""

    def __init__(self, batch: int | None) -> None:
        self.batch = batch
        self._tasks: dict[tuple[int, int], tuple[int, str]] = {}
        self._left_out = 0

    def add(self, stage: int, partition: int, task: int, text: str) -> None:
        before = self._tasks.get((stage, partition))
        if before is None and len(self._tasks) >= MOST_TASKS:
            self._left_out += 1
        elif before is None or before[0] <= task:
            self._tasks[stage, partition] = (task, text)

    def metrics(self, flow: str) -> RunMetrics:
        tasks = tuple(
            TaskMetrics.of(json.loads(self._tasks[key][1])) for key in sorted(self._tasks)
        )
        return RunMetrics(flow, tasks, self.batch, self._left_out)


class Run:
    """A flow on a DataFrame."""

    def __init__(self, flow: str, observation: Any = None) -> None:
        self.flow = flow
        self.at = next(_order)
        self._observation = observation
        self._executions: OrderedDict[str, _Execution] = OrderedDict()

    def add(self, message: Message) -> None:
        """Take what a task told."""
        _, execution, stage, partition, task, batch, text = message
        # Without an action of SQL, as for an RDD, each stage is one of its own.
        key = execution or f"stage {stage}"
        if key not in self._executions:
            self._executions[key] = _Execution(batch)
            self.at = next(_order)
            while len(self._executions) > MOST_EXECUTIONS:
                self._executions.popitem(last=False)
        self._executions[key].add(stage, partition, task, text)

    def metrics(self) -> RunMetrics | None:
        """Of the last execution of which a task ended; None before."""
        with _lock:
            if self._executions:
                return next(reversed(self._executions.values())).metrics(self.flow)
        return observed(self.flow, self._observation.get) if self._observation else None


# Those that somebody can still ask for.
_runs: weakref.WeakValueDictionary[str, Run] = weakref.WeakValueDictionary()
_of_flow: dict[int, deque[Run]] = {}


def begin(flow: Any, run: str, observation: Any = None) -> Run:
    """Expect to hear of a run; the same again is the same run."""
    with _lock:
        found = _runs.get(run)
        if found is None or observation is not None:
            found = Run(flow.name, observation)
            _runs[run] = found
        if id(flow) not in _of_flow:
            _of_flow[id(flow)] = deque(maxlen=MOST_RUNS)
            weakref.finalize(flow, _of_flow.pop, id(flow), None)
        of_flow = _of_flow[id(flow)]
        if found not in of_flow:
            of_flow.append(found)
    return found


def receive(messages: Iterable[Message]) -> None:
    """Take what tasks told; what no longer concerns anybody is dropped."""
    with _lock:
        for message in messages:
            run = _runs.get(message[0])
            if run is not None:
                run.add(message)


def of_flow(flow: Any) -> RunMetrics | None:
    """Of the last run of a flow object on this driver."""
    with _lock:
        runs = sorted(_of_flow.get(id(flow), ()), key=lambda run: run.at, reverse=True)
    made = next((made for run in runs if (made := run.metrics()) is not None), None)
    return None if made is None else replace(made, graph=flow)


def last_run(df: Any) -> RunMetrics | None:
    """Tell what the last action on `df` did: a DataFrame that `df.transform(flow)` returned.

    On classic Spark every run is told. On Spark Connect set `spark.penstock.metrics.observe=true`
    before the flow is applied; docs/metrics.md says what that costs. `flow.metrics` tells the same
    for DataFrames made of `df` by further steps.

    Returns:
        None before an action on it has ended, or where metrics are off. None for a stream on Spark
        Connect, also with that setting: ask `observed_metrics` for its progress. It never waits.

    Raises:
        FlowError: If `df` is no DataFrame that a flow returned.
    """
    # Not by getattr: a DataFrame would look for a column of this name, perhaps on a server.
    known = getattr(df, "__dict__", {})
    run = known.get(ATTRIBUTE, df)
    if run is df:
        raise FlowError(
            f"last_run() was given a {type(df).__name__} that no flow returned; give it what "
            "df.transform(flow) returned, or ask flow.metrics"
        )
    made = run.metrics() if run is not None else None
    # Not of the run: that outlives its flow, which would never be forgotten.
    return None if made is None else replace(made, graph=known.get(FLOW))


def observed(flow: str, row: Mapping[str, Any]) -> RunMetrics | None:
    """Read what an Observation of the hidden column found; None if it holds nothing yet."""
    lines = row.get(HIDDEN) if row else None
    if lines is None:
        return None
    execution = _Execution(None)
    for text in lines.splitlines():
        _, _, stage, partition, task, batch, told = json.loads(text)
        execution.batch = batch
        execution.add(stage, partition, task, told)
    return execution.metrics(flow)
