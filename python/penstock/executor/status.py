"""What a PE tells of itself: one document, for a file, for the driver, for whoever looks.

docs/metrics.md describes it. It is bounded, so that nobody who reads it needs to be afraid of it.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from penstock.explain import holders
from penstock.metrics import Decision
from penstock.parallel import Region, flattened
from penstock.spec import FlowSpec
from penstock.watch import Progress

VERSION = 1
MOST_OPERATORS = 1_000
MOST_WORKERS = 1_000
MOST_LEVELS = 200
MOST_DECISIONS = 200
MOST_TEXT = 500

State: TypeAlias = Literal["running", "done", "failed"]
Document: TypeAlias = "dict[str, Any]"


@dataclass(frozen=True)
class Task:
    """The Spark task that a PE is in.

    Attributes:
        stage: Number of its stage.
        partition: Number of its partition.
        attempt: How often this partition had been tried before.
        task: Number of this attempt, unique in the application.
        execution: Number of the SQL execution, which is one action; empty outside of any.
        batch: Number of the micro-batch of a streaming query; None outside of one.
    """

    stage: int = -1
    partition: int = -1
    attempt: int = 0
    task: int = -1
    execution: str = ""
    batch: int | None = None

    @classmethod
    def current(cls) -> Task:
        """The one that this thread works for."""
        from pyspark import TaskContext  # noqa: PLC0415 - where a task is, Spark is

        context = TaskContext.get()
        if context is None:
            return cls()
        batch = context.getLocalProperty("streaming.sql.batchId")
        return cls(
            stage=context.stageId(),
            partition=context.partitionId(),
            attempt=context.attemptNumber(),
            task=context.taskAttemptId(),
            execution=context.getLocalProperty("spark.sql.execution.id") or "",
            batch=int(batch) if batch and batch.isdigit() else None,
        )


class Describer:
    """Writes the documents of one PE: what never changes is found out once.

    Args:
        spec: The flow.
        task: Where it runs.
        application: Spark's name of the application; empty where it is not known.
        started: Seconds since 1970.
        budget: Threads that the flows of the executor share; None if this one shares none.
    """

    def __init__(
        self,
        spec: FlowSpec,
        task: Task,
        application: str,
        started: float,
        budget: int | None = None,
    ) -> None:
        self._facts: Document = {
            "version": VERSION,
            "flow": spec.name,
            "pid": os.getpid(),
            "host": platform.node(),
            "executor": None,  # the plugin knows, and adds it on its way
            "application": application or None,
            "stage": task.stage,
            "partition": task.partition,
            "attempt": task.attempt,
            "task": task.task,
            "started": started,
            "budget": budget,
        }
        everything = list(flattened(spec.operators))
        self._kinds = {one.name: (one.kind, bool(holders([one]))) for one in everything}
        self._regions = [one for one in everything if isinstance(one, Region)]
        self._facts["inside"] = {
            one.name: [inner.name for inner in one.inner]
            for one in everything[:MOST_OPERATORS]
            if one.inner
        }

    def document(self, progress: Progress, state: State, error: str = "") -> Document:
        """Describe the PE as it is now."""
        made = progress.metrics
        levels = made.levels[-MOST_LEVELS:]
        return self._facts | {
            "seconds": round(made.seconds, 6),
            "state": state,
            "error": first_line(error) or None,
            "threads": levels[-1].level if levels else len(made.workers),
            "rows_in": progress.rows_in,
            "rows_out": progress.rows_out,
            "operators": [self._operator(one) for one in made.operators[:MOST_OPERATORS]],
            "workers": [
                {"name": one.name, "busy": round(one.busy, 6), "blocked": round(one.blocked, 6)}
                for one in made.workers[:MOST_WORKERS]
            ],
            "levels": [[round(one.at, 6), one.level] for one in levels],
            "channels": self._channels(made.decisions),
            "decisions": [
                asdict(one) | {"text": first_line(one.text)}
                for one in made.decisions[-MOST_DECISIONS:]
            ],
        }

    def _operator(self, one: Any) -> Document:
        # Neighbours of one key share a region that the engine names after all of them.
        kind, gil = self._kinds.get(one.name, ("keyed", False))
        numbers = asdict(one) | {
            "busy": round(one.busy, 9),
            "waiting_mean": round(one.waiting_mean, 6),
        }
        return {"name": one.name, "kind": kind, "gil": gil} | numbers

    def _channels(self, decisions: tuple[Decision, ...]) -> Mapping[str, int]:
        """By region; an elastic one is known from its first decision on."""
        found = {
            region.name: region.channels.most
            for region in self._regions
            if region.channels.least == region.channels.most
        }
        for region in self._regions:
            # Either controller of channels begins with the name.
            about = (f"region '{region.name}': ", f"operator '{region.name}': ")
            for one in decisions:
                if one.lever == "channels" and one.text.startswith(about):
                    found[region.name] = one.chosen
        return found


def first_line(text: str) -> str:
    """The beginning of a text, on one line of bounded length."""
    lines = text.strip().splitlines()
    return lines[0][:MOST_TEXT] if lines else ""
