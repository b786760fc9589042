"""The text of `flow.explain()`: stable, so that two flows can be compared with diff.

>>> import pyarrow.compute as pc
>>> from penstock.flow import flow
>>> made = flow("f", "a int, b int").filter(pc.sqrt(pc.field("a")) > 1).select("b")
>>> made.threading("conveyor", threads=2).explain()
flow 'f'
  threading  conveyor, 2 threads
  input
    schema   a int, b int
  filter_1
    does     filter (sqrt(a) > 1)
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
  in parallel
    filter_1, select_2: any thread at once, but one at a time under the GIL: 'filter_1'
flow 'f': 1/2 operators native; 'filter_1' holds the GIL
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from penstock.errors import FlowError
from penstock.library.branches import Branches, Tag
from penstock.loops.circle import Circle
from penstock.loops.operator import Loop
from penstock.operators import Operator
from penstock.parallel import ORDERS, Region, flattened
from penstock.regions import runs_of
from penstock.replicable import text_of_key
from penstock.row_operator import RowOperator
from penstock.schema import to_ddl

if TYPE_CHECKING:
    from penstock.flow import Flow


def explanation(flow: Flow) -> str:
    """Describe a flow, a line per fact."""
    return "\n".join(_lines(flow))


def holders(operators: Iterable[Operator]) -> str:
    """Say which operators hold the GIL; empty when none does."""
    held = [holder for operator in operators for holder in _holders(operator)]
    return _holding(held) if held else ""


def summary(flow: Flow) -> str:
    """Say in one line how much of a flow runs natively and what does not."""
    everything = flattened(flow.operators)
    leaves = [one for one in everything if not (one.inner or isinstance(one, Tag))]
    native = sum(leaf.native for leaf in leaves)
    held = holders(flow.operators)
    return f"flow '{flow.name}': {native}/{len(leaves)} operators native" + (held and f"; {held}")


def operator_text(operator: Operator) -> str:
    """Describe one operator with those inside it, a line per fact."""
    return "\n".join(_operator_lines(operator, ports=""))


def _lines(flow: Flow) -> Iterator[str]:
    if not flow.operators:
        raise FlowError(f"flow '{flow.name}' has no operators; add one, such as filter or map")
    yield f"flow '{flow.name}'"
    yield f"  threading  {flow.threading_model}"
    yield "  input"
    yield f"    schema   {to_ddl(flow.input_schema)}"
    names = ["input", *(operator.name for operator in flow.operators), "output"]
    for place, operator in enumerate(flow.operators, start=1):
        ports = f"1 in (from {names[place - 1]}), 1 out (to {names[place + 1]})"
        yield from (f"  {line}" for line in _operator_lines(operator, ports))
    yield "  output"
    yield f"    schema   {to_ddl(flow.schema)}"
    yield "  in parallel"
    yield from (f"    {run}" for run in runs_of(flow.operators, flow.threading_model.model))
    yield summary(flow)


def _operator_lines(operator: Operator, ports: str) -> Iterator[str]:
    yield operator.name
    yield f"  does     {operator.body}"
    yield f"  kind     {operator.kind}, {_who_holds(operator)}"
    if isinstance(operator, RowOperator) and operator.reason:
        yield f"  found    {operator.reason}"
    if ports:
        yield f"  ports    {ports}"
    if isinstance(operator, Region):
        yield f"  key      {text_of_key(operator.by) or 'none, tuples go to channels in turn'}"
        yield f"  channels {str(operator.channels).removesuffix('s').removesuffix(' channel')}"
        yield f"  order    {operator.order or 'none'}, {ORDERS[operator.order]}"
    if isinstance(operator, Branches) and operator.tagged:
        yield "  schema   the columns of all branches"
    elif isinstance(operator, Loop):
        yield from _loop_lines(operator)
    else:
        yield f"  schema   {to_ddl(operator.output)}"
    if isinstance(operator, (Region, Circle)):
        for inner in operator.operators:
            yield from (f"  {line}" for line in _operator_lines(inner, ports=""))
    if isinstance(operator, Branches):
        for number, branch in enumerate(operator.written, start=1):
            yield f"  branch {number}" + ("" if branch else " has all rows as they are")
            for inner in branch:
                yield from (f"    {line}" for line in _operator_lines(inner, ports=""))


def _loop_lines(loop: Loop) -> Iterator[str]:
    yield from (f"  in       {port}: {to_ddl(schema)}" for port, schema in loop.inputs)
    yield from (f"  out      {port}: {to_ddl(schema)}" for port, schema in loop.outputs)


def _who_holds(operator: Operator) -> str:
    if operator.native:
        return "native"
    return _holding(_holders(operator)) if operator.inner else "holds the GIL"


def _holders(operator: Operator) -> list[str]:
    if not operator.inner:
        return [] if operator.native else [f"'{operator.name}'"]
    computes = isinstance(operator, Region) and operator.computed_key is not None
    key = [f"the key of '{operator.name}'"] if computes else []
    return key + [holder for inner in operator.inner for holder in _holders(inner)]


def _holding(holders: list[str]) -> str:
    return f"{', '.join(holders)} {'holds' if len(holders) == 1 else 'hold'} the GIL"
