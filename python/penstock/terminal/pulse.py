"""A running flow at one moment, in the few numbers that people look at.

>>> from penstock.metrics import FlowMetrics, LevelChange, OperatorMetrics
>>> pick = OperatorMetrics("pick", 2, 900, 400, busy=0.5)
>>> metrics = FlowMetrics((pick,), (), (LevelChange(0.0, 2),), seconds=1.0)
>>> print(Pulse.of("f", metrics, rate=900.0, total=1800))
f: 1.00 s, 900 of 1.80 k rows (50 %), 900 rows/s, 2 threads, busiest pick 100 %
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from penstock.drawing.curves import channels_over_time
from penstock.metrics import FlowMetrics, OperatorMetrics
from penstock.plain_text import visible
from penstock.quantities import count_text, many, time_text

WINDOW = 2.0  # seconds over which the present throughput is measured


@dataclass(frozen=True)
class Pulse:
    """What there is to tell.

    Attributes:
        flow: Its name.
        metrics: Everything that was counted.
        rate: Rows per second at present.
        total: Rows of the whole input, if that is known.
    """

    flow: str
    metrics: FlowMetrics
    rate: float
    total: int | None

    @classmethod
    def of(cls, flow: str, metrics: FlowMetrics, rate: float, total: int | None) -> Pulse:
        """Take over what was counted."""
        return cls(visible(flow), metrics, rate, total)

    @property
    def rows(self) -> int:
        """Rows of input that the first operator was given."""
        return rows_of(self.metrics)

    @property
    def part(self) -> float | None:
        """How much of the input that is."""
        if not self.total:
            return None
        return min(1.0, self.rows / self.total)

    @property
    def threads(self) -> int:
        """How many may be at work."""
        return self.metrics.levels[-1].level if self.metrics.levels else 0

    @property
    def channels(self) -> list[tuple[str, int]]:
        """How many channels regions have, of those about which something was decided."""
        curves = channels_over_time(self.metrics)
        return [(visible(curve.name), int(curve.points[-1][1])) for curve in curves]

    def busiest(self, most: int) -> list[tuple[OperatorMetrics, float]]:
        """Operators that took the most time, with their part of the time of all."""
        whole = sum(one.busy for one in self.metrics.operators) or 1.0
        by_time = sorted(self.metrics.operators, key=lambda one: -one.busy)
        return [(one, one.busy / whole) for one in by_time[:most]]

    def __str__(self) -> str:
        rows = f"{count_text(self.rows)} rows"
        if self.total is not None and self.part is not None:
            rows = f"{count_text(self.rows)} of {count_text(self.total)} rows ({self.part:.0%})"
            rows = rows.replace("%", " %")
        facts = [time_text(self.metrics.seconds), rows, f"{count_text(self.rate)} rows/s"]
        facts.append(many(self.threads, "thread"))
        facts += [f"{name} on {many(count, 'channel')}" for name, count in self.channels]
        for operator, share in self.busiest(1):
            facts.append(f"busiest {visible(operator.name)} {100 * share:.0f} %")
        return f"{self.flow}: {', '.join(facts)}"


class Rate:
    """Rows per second over the last moments."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque([(0.0, 0)])

    def at(self, seconds: float, rows: int) -> float:
        """What it is, now that so many rows were counted."""
        self._seen.append((seconds, rows))
        while len(self._seen) > 2 and self._seen[1][0] <= seconds - WINDOW:
            self._seen.popleft()
        began, before = self._seen[0]
        return (rows - before) / (seconds - began) if seconds > began else 0.0


def rows_of(metrics: FlowMetrics) -> int:
    """Rows of input that the first operator was given."""
    return metrics.operators[0].rows_in if metrics.operators else 0
