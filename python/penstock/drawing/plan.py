"""From a flow to the boxes of its picture: what is drawn, not where.

>>> from penstock import agg, flow
>>> made = flow("f", "host string").select("host").key_by("host").running(rows=agg.count())
>>> [part.name for part in plan_of(made)]
['input', 'select_1', 'running_2', 'output']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from penstock.drawing.boxes import end_of, frame_of, inputs_of, loop_of, neighbours_of, step_of
from penstock.drawing.parts import ONE, Chain, Frame, Part, Port, begins_with_input
from penstock.library.branches import Branches
from penstock.loops.circle import Circle
from penstock.loops.layout import Layout
from penstock.loops.operator import Loop
from penstock.operators import Operator
from penstock.parallel import Region
from penstock.regions import runs_of
from penstock.replicable import text_of_key

if TYPE_CHECKING:
    from penstock.flow import Flow

INPUTS = ".inputs"  # ends the name of the branches that lead to the ports of one operator


def plan_of(flow: Flow) -> Chain:
    """What a picture of a flow shows, from its input to its output."""
    return _Plan(flow).whole()


class _Plan:
    """Draws operators one behind the other.

    Where rows of several ports are in one stream, two operators find those of a port in it. They
    are not drawn: what is behind them begins at the port.
    """

    def __init__(self, flow: Flow) -> None:
        self._flow = flow

    def whole(self) -> Chain:
        """From the input to the output."""
        flow = self._flow
        inside, takes = self._drawn(flow.operators, flow.several, top=True)
        if not begins_with_input(inside):
            inside = (end_of("input", flow.input_schema), *inside)
        return (*inside, self._output(takes))

    def _output(self, takes: str) -> Part:
        last = self._flow.operators[-1] if self._flow.operators else None
        if not (isinstance(last, Branches) and last.tagged):
            return end_of("output", self._flow.schema, takes=takes)
        tags = [branch[-1] for branch in last.branches]
        lanes = tuple(
            (end_of("output", tag.input, tag.name.removeprefix(f"{last.name}.")),) for tag in tags
        )
        return Frame("", "fork", "", lanes, inlets=ONE * len(lanes), outlets=())

    def _chain(self, operators: Sequence[Operator], stream: Layout | None) -> Chain:
        return self._drawn(operators, stream)[0]

    def _drawn(
        self, operators: Sequence[Operator], stream: Layout | None, *, top: bool = False
    ) -> tuple[Chain, str]:
        """Draw operators behind a stream, and say which port of the last one goes on, if one."""
        made: list[Part] = []
        takes, place = "", 0
        while place < len(operators):
            port = stream.port_of(tuple(operators[place : place + 2])) if stream else None
            if port is not None and stream is not None:
                if stream is self._flow.several:
                    made.append(end_of("input", dict(stream.ports)[port], port))
                else:
                    takes = port
                stream = None
                place += 2
                continue
            count = _together(operators[place:]) if top else 1
            here = operators[place : place + count]
            before = operators[place - 1] if place else None
            made += self._parts(here, before, stream, takes)
            takes, stream = "", _stream_behind(here[-1])
            place += count
        return tuple(made), takes

    def _parts(
        self,
        here: Sequence[Operator],
        before: Operator | None,
        stream: Layout | None,
        takes: str,
    ) -> Chain:
        if len(here) > 1:
            return (neighbours_of(here),)
        operator = here[0]
        inlets: tuple[Port, ...] = (Port(takes=takes),)
        if isinstance(operator, Branches):
            return (self._branches(operator, stream),)
        if isinstance(operator, Region):
            how = f"by {text_of_key(operator.by)}" if operator.by else "in turn"
            lane = self._chain(operator.operators, None)
            return (
                frame_of(operator, "region", f"{how}, {operator.channels}", (lane,), inlets=inlets),
            )
        if isinstance(operator, Circle):
            return (self._circle(operator, inlets),)
        joins = isinstance(before, Branches) and before.name == operator.name + INPUTS
        if isinstance(operator, Loop):
            return self._loop(operator, stream, takes, joins=joins)
        return (step_of(operator, ONE * len(before.branches) if joins else inlets),)  # type: ignore[union-attr]

    def _loop(self, loop: Loop, stream: Layout | None, takes: str, *, joins: bool) -> Chain:
        if loop.parted is None or stream is None:
            return (loop_of(loop, () if joins else (takes,)),)
        # It reads rows of several ports as they come, without branches before it.
        names = [stream.ports[number][0] for number in loop.parted.tags]
        step = loop_of(loop, names)
        return (inputs_of(stream), step) if stream is self._flow.several else (step,)

    def _branches(self, operator: Branches, stream: Layout | None) -> Frame:
        lanes = tuple(self._chain(branch, stream) for branch in operator.written)
        ports = [stream.port_of(branch[:2]) if stream else None for branch in operator.written]
        inlets: tuple[Port, ...] = ONE
        if all(map(begins_with_input, lanes)):
            inlets = ()
        elif all(ports):
            inlets = tuple(Port(takes=port or "") for port in ports)
        does = f"{operator.word.replace('_', ' ')} of {len(lanes)} branches"
        outlets = ONE * len(lanes) if operator.tagged else ONE
        return frame_of(operator, "branches", does, lanes, inlets=inlets, outlets=outlets)

    def _circle(self, operator: Circle, inlets: tuple[Port, ...]) -> Frame:
        lane = self._chain(operator.operators, None)
        if operator.out or operator.back:
            lane = (*lane, self._fork(operator))
        first = operator.operators[0]
        port = first.controls[0][0] if isinstance(first, Loop) else ""
        return frame_of(operator, "circle", f"back to {port}", (lane,), inlets=inlets)

    def _fork(self, operator: Circle) -> Frame:
        stream = _stream_behind(operator.operators[-1])
        ways = (operator.out, operator.back)
        ports = [stream.port_of(way[:2]) if stream else None for way in ways]
        return Frame(
            "",
            "fork",
            "",
            tuple(self._chain(way, stream) for way in ways),
            inlets=tuple(Port(takes=port or "") for port in ports) if all(ports) else ONE,
            outlets=(Port("out"), Port("back")),
        )


def _stream_behind(operator: Operator) -> Layout | None:
    if isinstance(operator, Loop) and len(operator.outputs) > 1:
        return Layout.of(dict(operator.outputs))
    return None


def _together(operators: Sequence[Operator]) -> int:
    run = next(iter(runs_of(operators)))
    return len(run.operators) if run.by else 1
