"""How a task tells the driver what it did. Travels to the tasks beside the spec.

>>> telling = Telling("7", "app")
>>> telling.hidden
False
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from penstock.executor.status import Document, Task

# Which run, which action of it, stage, partition, attempt; micro-batch; what the PE told, as JSON.
Message: TypeAlias = tuple[str, str, int, int, int, "int | None", str]


@dataclass(frozen=True)
class Telling:
    """A way to the driver, or two.

    Attributes:
        run: Which application of a flow to a DataFrame this is.
        application: Spark's name for the application; empty if unknown.
        accumulator: One of Spark's, for lists of messages; None on Spark Connect, which has none.
        hidden: Whether a hidden column carries the message to an Observation.
    """

    run: str
    application: str = ""
    accumulator: Any = None
    hidden: bool = False

    def message(self, task: Task, told: Document) -> Message:
        """What is told of one task."""
        text = json.dumps(told, separators=(",", ":"))
        return (
            self.run,
            task.execution,
            task.stage,
            task.partition,
            task.task,
            task.batch,
            text,
        )

    def add(self, task: Task, told: Document) -> None:
        """Tell it with the result of the task, if there is an accumulator."""
        if self.accumulator is not None:
            self.accumulator.add([self.message(task, told)])
