"""The text of `flow.explain()`: stable, so that two flows can be compared with diff.

>>> import pyarrow.compute as pc
>>> from penstock.flow import flow
>>> flow("f", "a int, b int").filter(pc.field("a") > 1).select("b").explain()
flow 'f'
  threading  manual, the caller's thread
  input
    schema   a int, b int
  filter_1
    does     filter (a > 1)
    kind     stateless, holds the GIL
    ports    1 in (from input), 1 out (to select_2)
    schema   a int, b int
  select_2
    does     select b
    kind     stateless, native
    ports    1 in (from filter_1), 1 out (to output)
    schema   b int
  output
    schema   b int
flow 'f': 1/2 operators native; 'filter_1' holds the GIL
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from penstock.errors import FlowError
from penstock.schema import to_ddl

if TYPE_CHECKING:
    from penstock.flow import Flow


def explanation(flow: Flow) -> str:
    """Describe a flow, a line per fact."""
    return "\n".join(_lines(flow))


def summary(flow: Flow) -> str:
    """Say in one line how much of a flow runs natively and what does not."""
    held = [operator.name for operator in flow.operators if not operator.native]
    native = len(flow.operators) - len(held)
    names = ", ".join(f"'{name}'" for name in held)
    verb = "holds" if len(held) == 1 else "hold"
    return f"flow '{flow.name}': {native}/{len(flow.operators)} operators native" + (
        f"; {names} {verb} the GIL" if held else ""
    )


def _lines(flow: Flow) -> Iterator[str]:
    if not flow.operators:
        raise FlowError(f"flow '{flow.name}' has no operators; add one, such as filter or map")
    yield f"flow '{flow.name}'"
    yield f"  threading  {flow.threading_model}"
    yield "  input"
    yield f"    schema   {to_ddl(flow.input_schema)}"
    names = ["input", *(operator.name for operator in flow.operators), "output"]
    for place, operator in enumerate(flow.operators, start=1):
        yield f"  {operator.name}"
        yield f"    does     {operator.body}"
        yield f"    kind     {operator.kind}, {'native' if operator.native else 'holds the GIL'}"
        yield f"    ports    1 in (from {names[place - 1]}), 1 out (to {names[place + 1]})"
        yield f"    schema   {to_ddl(operator.output)}"
    yield "  output"
    yield f"    schema   {to_ddl(flow.schema)}"
    yield summary(flow)
