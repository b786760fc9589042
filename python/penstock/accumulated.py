"""Metrics on their way to the driver as one of Spark's accumulators: one list for each task.

Costs nothing while a task runs and leaves the query as it is. Spark takes it from the attempt of a
task whose rows it takes. There is one for a whole application, because Spark keeps an accumulator
for ever. Spark Connect has none.
"""

from __future__ import annotations

from typing import Any

from pyspark.accumulators import Accumulator, AccumulatorParam

from penstock.runs import receive
from penstock.telling import Message

_of_application: dict[str, Accumulator[Any]] = {}


class OnDriver:
    """What the accumulator holds on the driver: nothing, it passes everything on."""


class Messages(AccumulatorParam):  # type: ignore[misc, type-arg, unused-ignore]
    """Gathers messages in a task, and hands them over on the driver."""

    def zero(self, value: Any) -> list[Message]:  # noqa: ARG002 - Spark's signature
        """What each task starts with."""
        return []

    def addInPlace(self, value1: Any, value2: list[Message]) -> Any:
        """Put messages to those before."""
        if isinstance(value1, OnDriver):
            receive(value2)
            return value1
        return value1 + value2


def accumulator_of(context: Any) -> Accumulator[Any]:
    """The accumulator of a Spark application."""
    application = context.applicationId
    if application not in _of_application:
        _of_application.clear()  # one application at a time in a process
        _of_application[application] = context.accumulator(OnDriver(), Messages())
    return _of_application[application]
