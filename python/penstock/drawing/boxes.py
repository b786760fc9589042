"""The boxes and frames of a picture, each made of one operator, with what is told on hovering."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from penstock.drawing.parts import ONE, Chain, Frame, Port, Role, Step, Style
from penstock.explain import operator_text
from penstock.loops.layout import Layout
from penstock.loops.operator import Loop, Ports
from penstock.operators import Operator
from penstock.plain_text import shortened, visible
from penstock.quantities import many
from penstock.regions import runs_of
from penstock.replicable import text_of_key
from penstock.schema import to_ddl

LONGEST_LINE = 400  # of what is told on hovering
MOST_LINES = 60


def step_of(
    operator: Operator,
    inlets: tuple[Port, ...] = ONE,
    outlets: tuple[Port, ...] = ONE,
    control: Port | None = None,
) -> Step:
    """A box for an operator."""
    return Step(
        visible(operator.name),
        _line(operator.body),
        operator.kind,
        not operator.native,
        _hover(operator_text(operator)),
        inlets=inlets,
        outlets=outlets,
        control=control,
    )


def loop_of(loop: Loop, takes: Sequence[str]) -> Step:
    """A box for a driver loop; `takes` names the outputs before it, where that is not plain."""
    inlets = _ports(loop.inputs)
    if takes:
        inlets = tuple(
            Port(one.name, one.hover, port) for one, port in zip(inlets, takes, strict=True)
        )
    control = _ports(loop.controls)
    outlets = _ports(loop.outputs)
    return step_of(loop, inlets, outlets, control[0] if control else None)


def end_of(role: Role, schema: pa.Schema, name: str = "", *, takes: str = "") -> Step:
    """A box for an input or an output."""
    columns = [f"  {to_ddl(pa.schema([field]))}" for field in schema]
    return Step(
        visible(name or role),
        many(len(schema), "column"),
        hover=_hover("\n".join([name or role, *columns])),
        role=role,
        inlets=() if role == "input" else (Port(takes=takes),),
        outlets=ONE if role == "input" else (),
    )


def inputs_of(layout: Layout) -> Frame:
    """Boxes for several inputs, side by side."""
    lanes = tuple((end_of("input", schema, name),) for name, schema in layout.ports)
    return Frame("", "fork", "", lanes, inlets=(), outlets=_ports(layout.ports))


def neighbours_of(operators: Sequence[Operator]) -> Frame:
    """A frame around operators of one key, which the engine runs as a region."""
    (run,) = runs_of(operators)
    does = _line(f"by {text_of_key(run.by)}, together")
    lane: Chain = tuple(step_of(one) for one in operators)
    name = visible("+".join(one.name for one in operators))
    return Frame(name, "together", does, (lane,), "keyed", _hover(str(run)))


def frame_of(
    operator: Operator,
    style: Style,
    does: str,
    lanes: tuple[Chain, ...],
    *,
    inlets: tuple[Port, ...] = ONE,
    outlets: tuple[Port, ...] = ONE,
) -> Frame:
    """A frame for an operator with others inside."""
    return Frame(
        visible(operator.name),
        style,
        _line(does),
        lanes,
        operator.kind,
        _hover(operator_text(operator)),
        inlets,
        outlets,
    )


def _ports(ports: Ports) -> tuple[Port, ...]:
    return tuple(Port(visible(name), _line(f"{name}: {to_ddl(one)}")) for name, one in ports)


def _line(text: str) -> str:
    return shortened(visible(text), LONGEST_LINE)


def _hover(text: str) -> str:
    lines = text.split("\n")
    left_out = len(lines) - MOST_LINES
    shown = [_line(line) for line in lines[:MOST_LINES]]
    return "\n".join(shown + ([f"and {many(left_out, 'line')} more"] if left_out > 0 else []))
