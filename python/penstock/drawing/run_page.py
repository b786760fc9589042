"""What a notebook shows of a run on Spark: the flow with what all tasks did, and the tasks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from penstock.drawing.page import LONGEST_VALUE, SCROLLS
from penstock.drawing.sheet import flow_svg
from penstock.drawing.tags import Markup, tag, together, words
from penstock.metrics import late_lines
from penstock.plain_text import shortened, visible
from penstock.quantities import time_text

if TYPE_CHECKING:
    from penstock.run_metrics import RunMetrics

TASKS_SHOWN = 20
OPERATORS = ("operator", "rows in", "rows out", "busy", "waiting")
TASKS = ("stage", "partition", "rows in", "rows out", "time", "threads", "host")


def run_html(run: RunMetrics) -> str:
    """The flow as it is drawn, or where it is not known its operators in a table; then the tasks."""
    parts = [_operators(run) if run.graph is None else Markup(flow_svg(run.graph, run))]
    parts += [tag("div", words(line)) for line in late_lines(run.operators)]
    parts += [_tasks(run), tag("div", words(run.summary))]
    return tag("div", *parts, class_="penstock", style=SCROLLS)


def _operators(run: RunMetrics) -> Markup:
    rows = (
        (one.name, f"{one.rows_in:,}", f"{one.rows_out:,}", time_text(one.busy),
         f"{one.waiting_mean:.1f}")
        for one in run.operators
    )  # fmt: skip
    return _table(OPERATORS, rows)


def _tasks(run: RunMetrics) -> Markup:
    """Those that took longest: what keeps a stage waiting is among them."""
    longest = sorted(run.tasks, key=lambda task: -task.metrics.seconds)[:TASKS_SHOWN]
    rows = (
        (
            str(task.stage),
            str(task.partition),
            f"{task.rows_in:,}",
            f"{task.rows_out:,}",
            time_text(task.metrics.seconds),
            str(task.metrics.levels[-1].level if task.metrics.levels else 0),
            task.host,
        )
        for task in longest
    )
    rest = len(run.tasks) - len(longest)
    more = [tag("div", words(f"{rest:,} that took less time not shown"))] if rest else []
    return together(_table(TASKS, rows), *more)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Markup:
    return tag(
        "table",
        tag("tr", *(tag("th", words(name)) for name in head)),
        *(
            tag("tr", *(tag("td", words(shortened(visible(cell), LONGEST_VALUE))) for cell in row))
            for row in rows
        ),
    )
