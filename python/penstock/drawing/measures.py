"""What was measured of a run, as a picture shows it: by the names of boxes and frames.

>>> from penstock.metrics import FlowMetrics, OperatorMetrics
>>> pick = OperatorMetrics("pick", 2, 9, 4, busy=0.75, waiting_mean=9.5, waiting_most=20)
>>> keep = OperatorMetrics("keep", 2, 4, 4, busy=0.25)
>>> measured = measures_of(FlowMetrics((pick, keep), (), (), seconds=1.0))
>>> measured["pick"].rows, measured["pick"].share, measured["pick"].pressure
('9 → 4 rows', 0.75, 3)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from penstock.metrics import FlowMetrics, OperatorMetrics
from penstock.quantities import count_text, many, time_text
from penstock.run_metrics import RunMetrics

# Tuples that wait on average, from which on a queue is drawn with one, two, three and four bars.
PRESSURES = (0.05, 1.0, 8.0, 32.0)


@dataclass(frozen=True)
class Measure:
    """What one operator did.

    Attributes:
        of: As it was measured.
        share: Its part of the time that all operators took together.
    """

    of: OperatorMetrics
    share: float

    @property
    def rows(self) -> str:
        """Rows in and out."""
        return f"{count_text(self.of.rows_in)} → {count_text(self.of.rows_out)} rows"

    @property
    def pressure(self) -> int:
        """How full its queue was: 0 to 4."""
        return sum(self.of.waiting_mean >= least for least in PRESSURES)

    @property
    def queue(self) -> str:
        """How full its queue was, in words."""
        return (
            f"{self.of.waiting_mean:.1f} tuples waited before it on average, "
            f"{self.of.waiting_most:,} at most"
        )

    @property
    def whole(self) -> str:
        """Everything, a line per fact."""
        return "\n".join(
            [
                f"{self.of.rows_in:,} rows in, {self.of.rows_out:,} out",
                f"in {many(self.of.tuples, 'tuple')}",
                f"busy for {time_text(self.of.busy)}, {self.share:.0%} of the time of all",
                self.queue,
            ]
        )


def measures_of(metrics: FlowMetrics | RunMetrics) -> Mapping[str, Measure]:
    """What each operator did, by its name."""
    whole = sum(one.busy for one in metrics.operators)
    return {one.name: Measure(one, one.busy / whole if whole else 0.0) for one in metrics.operators}


def headline(metrics: FlowMetrics | RunMetrics) -> str:
    """The whole run on one line."""
    if isinstance(metrics, RunMetrics):
        return _of_tasks(metrics)
    if not metrics.operators:
        return ""
    given, made = metrics.operators[0].rows_in, metrics.operators[-1].rows_out
    rate = f", {count_text(given / metrics.seconds)} rows/s" if metrics.seconds else ""
    return (
        f"{count_text(given)} rows in, {count_text(made)} out in {time_text(metrics.seconds)}{rate}; "
        f"{many(len(metrics.workers), 'thread')} {metrics.utilisation:.0%} busy"
    )


def _of_tasks(run: RunMetrics) -> str:
    took = sum(task.metrics.seconds for task in run.tasks)
    busy = sum(one.busy for one in run.operators)
    return (
        f"{count_text(run.rows_in)} rows in, {count_text(run.rows_out)} out; "
        f"{many(len(run.tasks), 'task')} took {time_text(took)} in all, the operators {time_text(busy)}"
    )
