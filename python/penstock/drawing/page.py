"""What a notebook shows of a flow, and of a result: HTML with the drawings inside, and nothing else.

No script, no style sheet, nothing to load: colours are those of the page around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from penstock.drawing.chart import chart_svg
from penstock.drawing.sheet import flow_svg
from penstock.drawing.tags import Markup, tag, together, words
from penstock.plain_text import shortened, visible
from penstock.quantities import many

if TYPE_CHECKING:
    from penstock.flow import Flow
    from penstock.result import Result

SCROLLS = "overflow-x:auto;max-width:100%"
ROWS_SHOWN, COLUMNS_SHOWN, LONGEST_VALUE = 5, 12, 60


def flow_html(flow: Flow) -> str:
    """A flow, drawn."""
    return tag("div", Markup(flow_svg(flow)), class_="penstock", style=SCROLLS)


def result_html(result: Result) -> str:
    """The first rows of a result; the flow with what was measured; its threads over time."""
    parts = [_rows(result)]
    if result.flow is not None and result.metrics is not None:
        parts.append(Markup(flow_svg(result.flow, result.metrics)))
        chart = chart_svg(result.flow.name, result.metrics)
        parts += [tag("div", Markup(chart))] if chart else []
    return tag("div", *parts, class_="penstock", style=SCROLLS)


def _rows(result: Result) -> Markup:
    shown = _first(result)
    names = shown.schema.names[:COLUMNS_SHOWN]
    head = tag("tr", *(tag("th", words(shortened(visible(name), LONGEST_VALUE))) for name in names))
    columns = [shown.column(place).to_pylist() for place in range(len(names))]
    body = [
        tag("tr", *(tag("td", words(_value(column[row]))) for column in columns))
        for row in range(shown.num_rows)
    ]
    rest = result.num_rows - shown.num_rows
    told = [many(result.num_rows, "row")] + ([f"{rest:,} more"] if rest else [])
    hidden = len(shown.schema) - len(names)
    told += [f"{many(hidden, 'column')} not shown"] if hidden else []
    return together(tag("table", head, *body), tag("div", words(", ".join(told))))


def _first(result: Result) -> pa.Table:
    """A few rows, without putting all batches together."""
    taken, left = [], ROWS_SHOWN
    for batch in result.batches:
        if left <= 0:
            break
        taken.append(batch.slice(0, left))
        left -= taken[-1].num_rows
    return pa.Table.from_batches(taken, result.schema)


def _value(value: object) -> str:
    return shortened(visible("null" if value is None else str(value)), LONGEST_VALUE)
