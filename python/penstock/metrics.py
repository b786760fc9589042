"""What a run did: tuples and rows by operator, time by thread, threads over time.

>>> selected = OperatorMetrics("pick", tuples=2, rows_in=9, rows_out=4, busy=0.5)
>>> feeder = WorkerMetrics(0, busy=0.75, blocked=0.25, seconds=1.0)
>>> print(FlowMetrics((selected,), (feeder,), (LevelChange(0.0, 1),), seconds=1.0))
operator  tuples  rows in  rows out    busy  waiting
pick           2        9         4  500 ms      0.0
thread    busy  blocked  utilisation
feeder  750 ms   250 ms         75 %
1.00 s, 1 thread
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from penstock.quantities import many, time_text


@dataclass(frozen=True)
class OperatorMetrics:
    """What one operator did.

    Attributes:
        name: Name of the operator.
        tuples: Tuples it was given.
        rows_in: Rows it was given.
        rows_out: Rows it made.
        busy: Seconds it worked, over all threads. An operator that takes less than five
            microseconds is timed now and then only; a trace times every call.
        waiting_mean: Tuples in the queue before it, on average, in the models that have one.
        waiting_most: The most tuples that were seen there.
        late: Rows that its windows left out because they came behind the watermark.
    """

    name: str
    tuples: int = 0
    rows_in: int = 0
    rows_out: int = 0
    busy: float = 0.0
    waiting_mean: float = 0.0
    waiting_most: int = 0
    late: int = 0


@dataclass(frozen=True)
class WorkerMetrics:
    """How one thread spent its time.

    Attributes:
        number: 0 is the feeder, the thread that reads the result.
        busy: Seconds in the flow with something to do.
        blocked: Seconds without anything to do; the feeder's while it waits for the input, too.
        pieces: Pieces of work it took from others, from a queue or as they lay ready.
        seconds: Seconds the flow took.
    """

    number: int
    busy: float = 0.0
    blocked: float = 0.0
    pieces: int = 0
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """As a trace calls it."""
        return f"worker {self.number}" if self.number else "feeder"

    @property
    def utilisation(self) -> float:
        """Busy time, as a part of the time the flow took."""
        return self.busy / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class LevelChange:
    """From `at` seconds on, `level` threads may be at work, the one that reads among them."""

    at: float
    level: int


@dataclass(frozen=True)
class Decision:
    """What the control loop of an elastic flow decided, and why.

    The same decision to change nothing, period after period, is listed once.

    Attributes:
        seconds: When, from the start of the run.
        lever: `threads`, `channels` of a region, which `text` names, or `stops`: how many places
            for each thread there are at which rows change hands, where 0 stands for a queue
            before every operator.
        previous: What it was.
        chosen: What it is from now on; the same where the decision was to change nothing.
        reason: A word for why, such as `rising`, or `budget` where others need the cores.
        text: The reason as a sentence.
        before: Rows of input per second in the period before; None when it was not measured.
        after: Rows of input per second in the period after; None at the end of the run.

    >>> print(Decision(0.5, "threads", 1, 2, "rising", "1 -> 2 threads: it rose", 90.0, 180.0))
    500 ms: 1 -> 2 threads: it rose (90 -> 180 rows/s)
    """

    seconds: float
    lever: str
    previous: int
    chosen: int
    reason: str
    text: str
    before: float | None = None
    after: float | None = None

    def __str__(self) -> str:
        rates = ["?" if rate is None else f"{rate:.0f}" for rate in (self.before, self.after)]
        return f"{time_text(self.seconds)}: {self.text} ({rates[0]} -> {rates[1]} rows/s)"


@dataclass(frozen=True)
class FlowMetrics:
    """What a flow did; `print()` shows it as a table.

    Attributes:
        operators: By operator, in the order of the flow.
        workers: By thread; those that were never started are left out.
        levels: How many threads may be at work, over time.
        seconds: From the first rows asked for until the flow was closed.
        runs: Tuples of input that came through.
        under_way_mean: Tuples of input under way at the same time, on average.
        under_way_most: The most there were.
        decisions: What an elastic flow decided about its threads, and why.
        pace: Seconds, and rows of input that had come through by then; at most some hundred pairs.
    """

    operators: tuple[OperatorMetrics, ...]
    workers: tuple[WorkerMetrics, ...]
    levels: tuple[LevelChange, ...]
    seconds: float
    runs: int = 0
    under_way_mean: float = 0.0
    under_way_most: int = 0
    decisions: tuple[Decision, ...] = ()
    pace: tuple[tuple[float, int], ...] = ()

    @property
    def tuples(self) -> int:
        """Tuples that all operators together were given."""
        return sum(operator.tuples for operator in self.operators)

    @property
    def utilisation(self) -> float:
        """Busy time of all threads, as a part of the time they had."""
        had = self.seconds * len(self.workers)
        return sum(worker.busy for worker in self.workers) / had if had else 0.0

    def operator(self, name: str) -> OperatorMetrics:
        """The operator of this name; KeyError when there is none."""
        for operator in self.operators:
            if operator.name == name:
                return operator
        raise KeyError(name)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dictionaries, lists and numbers, for JSON."""
        workers = [asdict(one) | {"utilisation": one.utilisation} for one in self.workers]
        return asdict(self) | {
            "operators": [asdict(one) for one in self.operators],
            "workers": workers,
            "levels": [asdict(one) for one in self.levels],
            "decisions": [asdict(one) for one in self.decisions],
            "tuples": self.tuples,
            "utilisation": self.utilisation,
        }

    def __repr__(self) -> str:
        return (
            f"FlowMetrics({many(len(self.operators), 'operator')}, {many(self.runs, 'run')}, "
            f"{many(len(self.workers), 'thread')} {self.utilisation:.0%} busy, "
            f"{time_text(self.seconds)})"
        )

    def __str__(self) -> str:
        levels = [many(one.level, "thread") for one in self.levels[:1]]
        levels += [f"{one.level} from {time_text(one.at)} on" for one in self.levels[1:]]
        lines = [
            *table(
                ("operator", "tuples", "rows in", "rows out", "busy", "waiting"),
                (
                    (
                        one.name,
                        str(one.tuples),
                        str(one.rows_in),
                        str(one.rows_out),
                        time_text(one.busy),
                        f"{one.waiting_mean:.1f}",
                    )
                    for one in self.operators
                ),
            ),
            *late_lines(self.operators),
            *table(
                ("thread", "busy", "blocked", "utilisation"),
                (
                    (
                        one.name,
                        time_text(one.busy),
                        time_text(one.blocked),
                        f"{100 * one.utilisation:.0f} %",
                    )
                    for one in self.workers
                ),
            ),
            ", ".join([time_text(self.seconds), *levels]),
        ]
        return "\n".join(lines)


def late_lines(operators: Iterable[OperatorMetrics]) -> Iterator[str]:
    """Tell of rows that came too late: a result without them looks like any other.

    >>> [*late_lines([OperatorMetrics("hourly", late=2), OperatorMetrics("pick")])]
    ["'hourly' left out 2 rows that came too late"]
    """
    for one in operators:
        if one.late:
            yield f"'{one.name}' left out {many(one.late, 'row')} that came too late"


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Line columns up: the first, which names things, to the left, and numbers to the right."""
    all_rows = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*all_rows, strict=True)]
    for name, *numbers in all_rows:
        cells = [name.ljust(widths[0])]
        cells += [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)]
        yield "  ".join(cells)
