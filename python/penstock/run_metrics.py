"""What a flow did on Spark: by task, and summed by operator.

>>> from penstock.metrics import OperatorMetrics
>>> def task(partition, rows):
...     pick = OperatorMetrics("pick", tuples=1, rows_in=rows, rows_out=rows // 2, busy=0.5)
...     return TaskMetrics(0, partition, 0, partition, "here", 7, rows, rows // 2,
...                        FlowMetrics((pick,), (), (), seconds=1.0))
>>> print(RunMetrics("logins", (task(0, 8), task(1, 4))))
operator  tuples  rows in  rows out    busy  waiting
pick           2       12         6  1.00 s      0.0
partition  rows in  rows out    time  threads  host
0                8         4  1.00 s        0  here
1                4         2  1.00 s        0  here
flow 'logins': 2 tasks, 12 rows in, 6 rows out
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from penstock.metrics import (
    Decision,
    FlowMetrics,
    LevelChange,
    OperatorMetrics,
    WorkerMetrics,
    late_lines,
    table,
)
from penstock.quantities import many, time_text

if TYPE_CHECKING:
    from penstock.flow import Flow

MOST_SHOWN = 20


@dataclass(frozen=True)
class TaskMetrics:
    """What one Spark task did.

    Attributes:
        stage: Number of its stage.
        partition: Number of its partition.
        attempt: How often this partition had been tried before.
        task: Number of this attempt, unique in the application.
        host: Where it ran.
        pid: Process of its Python worker.
        rows_in: Rows the flow read.
        rows_out: Rows the flow made.
        metrics: What operators and threads did.
        channels: By region, how many there were in the end.
    """

    stage: int
    partition: int
    attempt: int
    task: int
    host: str
    pid: int
    rows_in: int
    rows_out: int
    metrics: FlowMetrics
    channels: Mapping[str, int] | None = None

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> TaskMetrics:
        """Read what a task told; see docs/metrics.md."""
        seconds = told["seconds"]
        return cls(
            stage=told["stage"],
            partition=told["partition"],
            attempt=told["attempt"],
            task=told["task"],
            host=told["host"],
            pid=told["pid"],
            rows_in=told["rows_in"],
            rows_out=told["rows_out"],
            channels=told["channels"],
            metrics=FlowMetrics(
                operators=tuple(_operator(one) for one in told["operators"]),
                workers=tuple(_worker(one, seconds) for one in told["workers"]),
                levels=tuple(LevelChange(at, level) for at, level in told["levels"]),
                seconds=seconds,
                decisions=tuple(Decision(**one) for one in told["decisions"]),
            ),
        )


@dataclass(frozen=True)
class RunMetrics:
    """What a flow did in one action on a DataFrame, or in one micro-batch of a stream.

    A partition that Spark tried several times counts once, as the attempt whose rows it took.

    Attributes:
        flow: Name of the flow.
        tasks: By task, those that ended well, in the order of stages and partitions. A task of
            which LIMIT took only some rows is not among them.
        batch: Number of the micro-batch, in a streaming query.
        left_out: Tasks that are missing because there were too many to keep.
        graph: The flow itself, which a notebook draws; None where only its name is known.
    """

    flow: str
    tasks: tuple[TaskMetrics, ...]
    batch: int | None = None
    left_out: int = 0
    graph: Flow | None = field(default=None, compare=False)

    @property
    def rows_in(self) -> int:
        """Rows that all tasks read."""
        return sum(task.rows_in for task in self.tasks)

    @property
    def rows_out(self) -> int:
        """Rows that all tasks made."""
        return sum(task.rows_out for task in self.tasks)

    @property
    def operators(self) -> tuple[OperatorMetrics, ...]:
        """By operator, over all tasks; `waiting_mean` is that of the tasks on average."""
        found: dict[str, list[OperatorMetrics]] = {}
        for task in self.tasks:
            for one in task.metrics.operators:
                found.setdefault(one.name, []).append(one)
        return tuple(_sum(name, each) for name, each in found.items())

    def operator(self, name: str) -> OperatorMetrics:
        """The operator of this name, over all tasks; KeyError when there is none."""
        for operator in self.operators:
            if operator.name == name:
                return operator
        raise KeyError(name)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dictionaries, lists and numbers, for JSON."""
        return {
            "flow": self.flow,
            "batch": self.batch,
            "rows_in": self.rows_in,
            "rows_out": self.rows_out,
            "operators": [vars(one) for one in self.operators],
            "tasks": [vars(task) | {"metrics": task.metrics.to_dict()} for task in self.tasks],
            "left_out": self.left_out,
        }

    def _repr_html_(self) -> str:
        from penstock.drawing.run_page import run_html  # noqa: PLC0415 - only notebooks ask

        return run_html(self)

    def __repr__(self) -> str:
        return f"RunMetrics({self.summary})"

    def __str__(self) -> str:
        shown = self.tasks[:MOST_SHOWN]
        lines = [
            *table(
                ("operator", "tuples", "rows in", "rows out", "busy", "waiting"),
                (
                    (
                        one.name,
                        *map(str, (one.tuples, one.rows_in, one.rows_out)),
                        time_text(one.busy),
                        f"{one.waiting_mean:.1f}",
                    )
                    for one in self.operators
                ),
            ),
            *late_lines(self.operators),
            *table(
                ("partition", "rows in", "rows out", "time", "threads", "host"),
                (
                    (
                        *map(str, (task.partition, task.rows_in, task.rows_out)),
                        time_text(task.metrics.seconds),
                        str(task.metrics.levels[-1].level if task.metrics.levels else 0),
                        task.host,
                    )
                    for task in shown
                ),
            ),
        ]
        if len(shown) < len(self.tasks):
            lines.append(f"and {len(self.tasks) - len(shown)} more")
        return "\n".join([*lines, self.summary])

    @property
    def summary(self) -> str:
        """All tasks on one line."""
        tasks = many(len(self.tasks), "task")
        batch = "" if self.batch is None else f", batch {self.batch}"
        missing = f", {self.left_out} more left out" if self.left_out else ""
        return (
            f"flow '{self.flow}'{batch}: {tasks}{missing}, {self.rows_in} rows in, "
            f"{self.rows_out} rows out"
        )


def _operator(one: Mapping[str, Any]) -> OperatorMetrics:
    names = OperatorMetrics.__dataclass_fields__
    return OperatorMetrics(**{name: one[name] for name in names})


def _worker(one: Mapping[str, Any], seconds: float) -> WorkerMetrics:
    number = int(one["name"].rpartition(" ")[2]) if one["name"] != WorkerMetrics(0).name else 0
    return WorkerMetrics(number, one["busy"], one["blocked"], seconds=seconds)


def _sum(name: str, each: Iterable[OperatorMetrics]) -> OperatorMetrics:
    tasks = list(each)
    return OperatorMetrics(
        name,
        tuples=sum(one.tuples for one in tasks),
        rows_in=sum(one.rows_in for one in tasks),
        rows_out=sum(one.rows_out for one in tasks),
        busy=sum(one.busy for one in tasks),
        waiting_mean=sum(one.waiting_mean for one in tasks) / len(tasks),
        waiting_most=max(one.waiting_most for one in tasks),
        late=sum(one.late for one in tasks),
    )
