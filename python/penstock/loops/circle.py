"""A circle: operators whose rows come back to the first of them.

What the last operator makes leaves, and goes back to the control port of the first one. That cannot
make rows of it by itself; it finds them there when it next goes on.

>>> from penstock import flow, wait_all
>>> def add(n, before, out):
...     total = 0
...     while (yield wait_all(n=1)):
...         total += sum(before.take()["n"].to_pylist())
...         out.push({"n": [n.take(1)["n"][0].as_py() + total]})
>>> made = flow("f", "n long").circle(lambda rows: rows.loop(add, control="before", name="add"))
>>> made.operators[0].body
'circle back to before: loop add'
>>> made.run([pa.RecordBatch.from_pydict({"n": [1]})] * 3).table["n"].to_pylist()
[1, 2, 4]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import pyarrow as pa

from penstock.errors import FlowError
from penstock.functions import name_of
from penstock.library.branches import same_columns
from penstock.loops.operator import UNKNOWN, Loop
from penstock.operators import Operator
from penstock.parallel import Inside

if TYPE_CHECKING:
    from penstock.flow import Flow

# What a user writes: all rows leave and go back, or a flow for each.
CircleBody: TypeAlias = "Callable[[Flow], Flow | Mapping[str, Flow]]"
WAYS = ("out", "back")


@dataclass(frozen=True)
class InsideCircle(Inside):
    """Marks a flow as the inside of a circle."""


@dataclass(frozen=True)
class Circle(Operator):
    """Operators around which rows go.

    Attributes:
        operators: First to last; the first is a loop with a control port.
        out: What is done to rows of the last one before they leave.
        back: What is done to them before they go back.
    """

    operators: tuple[Operator, ...]
    out: tuple[Operator, ...] = ()
    back: tuple[Operator, ...] = ()

    @classmethod
    def over(cls, around: Flow, name: str, body: Any) -> Circle:
        """Let the body add operators to a flow that goes on from `around`, and check them."""
        if around.inside is not None:
            raise FlowError(
                f"a circle cannot be inside '{around.inside.region}'; put it before or behind that"
            )
        inside = InsideCircle(name, frozenset({*around._names, name}))
        given = around.schema
        start = replace(around, input_schema=given, operators=(), inside=inside, several=None)
        flows = _written(body, start)
        operators = tuple(_common(flow.operators for flow in flows))
        out, back = (flow.operators[len(operators) :] for flow in flows)
        for operator in (*out, *back):
            if operator.kind != "stateless":
                raise FlowError(
                    f"operator '{operator.name}' is {operator.kind}; where out and back have "
                    "parted, only stateless operators can follow"
                )
        operators = (_with_control(operators, flows[1].schema), *operators[1:])
        return cls(name, given, flows[0].schema, operators, tuple(out), tuple(back))

    @property
    def kind(self) -> str:
        """Its first operator is a loop."""
        return "stateful"

    @property
    def inner(self) -> tuple[Operator, ...]:
        """All operators."""
        return (*self.operators, *self.out, *self.back)

    @property
    def native(self) -> bool:
        """Whether nothing inside holds the GIL."""
        return all(operator.native for operator in self.inner)

    @property
    def traces_rows(self) -> bool:
        """Whether operators inside tell from which row each row they make came."""
        return False

    @property
    def body(self) -> str:
        """What it does."""
        steps = " -> ".join(f"{one.body.partition(' ')[0]} {one.name}" for one in self.operators)
        control = cast("Loop", self.operators[0]).controls[0][0]
        return f"circle back to {control}: {steps}"

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch | None:
        """Apply the operators one after another: nothing comes back before the batch is through."""
        made: pa.RecordBatch | None = batch
        for operator in (*self.operators, *self.out):
            if made is None or made.num_rows == 0:
                return None
            made = operator.process(made)
        return made


class CircleMethods:
    """What a flow does with rows that come back."""

    def circle(self, body: CircleBody, *, name: str | None = None) -> Flow:
        """Let rows go back to the first of some operators, as ranks do in PageRank.

        Each tuple, and each mark of `punctuate`, goes through all operators of the circle; then
        what the last one made of it leaves, and goes back to the control port of the first one.
        That finds it when it next goes on, so the result is the same on any number of threads. Rows
        in a control port wake nobody, so no row can go round for ever, and marks do not go back.

        Args:
            body: Adds the operators to the flow it is given. The first is a `loop(..., control=)`.
                It returns the flow, and then all rows leave and go back; or `{"out": flow,
                "back": flow}`, such as a last `loop(..., out={"out": ..., "back": ...})` makes.
            name: Name of the operator.

        >>> import penstock, pyarrow as pa
        >>> def count(rows, before, out):
        ...     while (yield penstock.wait_all(rows=1)):
        ...         rows.take(1)
        ...         out.push({"n": [1 + sum(before.take()["n"].to_pylist())]})
        >>> counts = penstock.flow("f", "n long").circle(
        ...     lambda rows: rows.loop(count, control="before")
        ... )
        >>> counts.schema.names
        ['n']
        """
        flow = cast("Flow", self)
        return flow._then("circle", name, lambda _, operator: Circle.over(flow, operator, body))


def _written(body: Any, start: Flow) -> tuple[Flow, Flow]:
    """What leaves, and what goes back."""
    if not callable(body):
        raise FlowError(
            "a circle is a function from a flow to a flow, as in circle(lambda rows: "
            f"rows.loop(...)), got {type(body).__name__}"
        )
    made = body(start)
    ways = [made, made]
    if isinstance(made, Mapping):
        if set(made) != set(WAYS):
            raise FlowError(
                f"{name_of(body)} must return a flow, or one that leaves as 'out' and one that "
                f"goes back as 'back', got {', '.join(map(repr, made)) or 'none'}"
            )
        ways = [made[way] for way in WAYS]
    for flow in ways:
        if not isinstance(flow, type(start)):
            raise FlowError(
                f"{name_of(body)} must return the flow it made of the one given, "
                f"got {type(flow).__name__}"
            )
        if flow.inside is not start.inside:
            raise FlowError(
                f"{name_of(body)} returned a flow that does not start from the one given to it"
            )
        if flow.threading_model != start.threading_model:
            raise FlowError(
                "threading is chosen for the whole flow; call .threading() behind the circle"
            )
    return ways[0], ways[1]


def _common(chains: Iterable[tuple[Operator, ...]]) -> list[Operator]:
    common = []
    for operators in zip(*chains, strict=False):
        if any(one is not operators[0] for one in operators):
            break
        common.append(operators[0])
    return common


def _with_control(operators: tuple[Operator, ...], back: pa.Schema) -> Loop:
    """The first operator, which knows what comes back to it."""
    first = operators[0] if operators else None
    if not isinstance(first, Loop) or not first.controls:
        found = "there is none" if first is None else f"'{first.name}' is none"
        raise FlowError(
            "rows go back to the control port of the first operator, so that must be a loop with "
            f"one, as in rows.loop(spread, control='ranks'), and {found}"
        )
    port, declared = first.controls[0]
    if declared != UNKNOWN and (difference := same_columns(declared, back)):
        raise FlowError(
            f"control port '{port}' of '{first.name}' does not have the columns of what comes "
            f"back: {difference}"
        )
    return replace(first, controls=((port, back),))
