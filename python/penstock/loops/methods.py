"""How a loop is written: `Flow.loop`, and `penstock.loop` for several inputs on a par."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, cast, overload

import pyarrow as pa

from penstock.errors import FlowError
from penstock.library.branches import Branches, as_branch, come_together
from penstock.loops.arrivals import Tagged
from penstock.loops.circle import InsideCircle
from penstock.loops.layout import Layout
from penstock.loops.library import LibraryLoop, LoopLibrary, library_of
from penstock.loops.operator import (
    Loop,
    LoopFunction,
    check_loop,
    check_room,
    control_of,
    outputs_of,
    parameters_of,
)
from penstock.operators import Operator
from penstock.schema import SchemaLike

if TYPE_CHECKING:
    from penstock.flow import Flow

Wake = Literal["rows", "tuples"]


class LoopMethods:
    """What a flow does with a driver loop."""

    @overload
    def loop(
        self,
        function: str,
        out: None = None,
        *,
        control: None = None,
        capacity: int | None = None,
        grow: bool = False,
        wake: Wake = "rows",
        name: str | None = None,
        **others: Flow,
    ) -> Any: ...

    @overload
    def loop(
        self,
        function: LoopFunction,
        out: Mapping[str, SchemaLike],
        *,
        control: str | Mapping[str, SchemaLike] | None = None,
        capacity: int | None = None,
        grow: bool = False,
        wake: Wake = "rows",
        name: str | None = None,
        **others: Flow,
    ) -> dict[str, Flow]: ...

    @overload
    def loop(
        self,
        function: LoopFunction,
        out: SchemaLike | None = None,
        *,
        control: str | Mapping[str, SchemaLike] | None = None,
        capacity: int | None = None,
        grow: bool = False,
        wake: Wake = "rows",
        name: str | None = None,
        **others: Flow,
    ) -> Flow: ...

    def loop(
        self,
        function: LoopFunction | str,
        out: SchemaLike | Mapping[str, SchemaLike] | None = None,
        *,
        control: str | Mapping[str, SchemaLike] | None = None,
        capacity: int | None = None,
        grow: bool = False,
        wake: Wake = "rows",
        name: str | None = None,
        **others: Flow,
    ) -> Flow | dict[str, Flow]:
        """Let a generator function take rows of its ports when it wants them.

        Its parameters are the ports: this flow first, then others with the same beginning, then
        what it makes. It waits with `yield wait_all(left=1, right=1)` or `wait_any`, which gives
        `Over` when that can never be, takes rows of a port with `take(n)`, and sends rows on with
        `out.push(batch)`. Where it returns before the input ends, nothing more is read for it.

        Args:
            function: The generator function. Every run has a generator of its own. Or a loop in
                C++, compiled against `penstock_loop.hpp`, as in `libmine.so:barrier`: its library
                says what its ports and outputs are, and is found as `native` finds its own.
            out: Schema of what it pushes to `out`; left out, that of the first input. Or the
                schemas of several outputs by name, and then a flow for each is returned.
            control: In a `circle`, the name of the port, behind the inputs, in which rows that come
                back lie until the loop takes them; its schema may be given too.
            capacity: Rows that may wait in a port; left out, `spark.penstock.loop.capacity`.
            grow: Let any number wait, up to `spark.penstock.state.maxBytes`.
            wake: `rows` goes on exactly with the row that makes the wait true, `tuples` behind
                the whole tuple it came in: faster, and what a port then holds depends on how the
                input was cut.
            name: Name of the operator.
            others: Flows for the other ports, by the name of the parameter.

        >>> import penstock, pyarrow as pa
        >>> def pairs(numbers, out):
        ...     while (yield penstock.wait_all(numbers=2)):
        ...         out.push(numbers.take(2).slice(1))
        >>> second = penstock.flow("f", "n long").loop(pairs)
        >>> second.run(pa.table({"n": [1, 2, 3, 4, 5]})).table["n"].to_pylist()
        [2, 4]
        """
        flow = cast("Flow", self)
        made: Flow | dict[str, Flow]
        how = capacity, grow, wake
        if isinstance(function, str):
            library = library_of(flow, function, out, control)
            with_names = {library.inputs[0][0]: flow, **others}
            made = _looped(library, with_names, None, how, name)
        else:
            with_names = {_first_parameter(flow, function): flow, **others}
            made = _looped(function, with_names, out, how, name, control)
        return made


def loop(
    function: LoopFunction | str,
    *,
    out: SchemaLike | Mapping[str, SchemaLike] | None = None,
    capacity: int | None = None,
    grow: bool = False,
    wake: Wake = "rows",
    name: str | None = None,
    **inputs: Flow,
) -> Any:
    """Let a generator function take rows of several flows with the same beginning.

    `penstock.loop(barrier, left=left, right=right)` is `left.loop(barrier, right=right)`.

    >>> import penstock, pyarrow as pa, pyarrow.compute as pc
    >>> def later(left, right, out):
    ...     while (yield penstock.wait_all(left=1, right=1)):
    ...         right.take(1)
    ...         out.push(left.take(1))
    >>> big, small = penstock.flow("f", "n long").split(pc.field("n") > 10)
    >>> made = penstock.loop(later, left=big, right=small)
    >>> made.run(pa.table({"n": [11, 12, 1, 13]})).table["n"].to_pylist()
    [11]
    """
    if not inputs:
        raise FlowError(
            "loop needs its inputs by name, as in loop(barrier, left=left, right=right)"
        )
    for port, given in inputs.items():
        if not isinstance(given, LoopMethods):
            raise FlowError(f"loop: {port}= takes a flow, got {type(given).__name__}")
    how = capacity, grow, wake
    if isinstance(function, str):
        library = library_of(next(iter(inputs.values())), function, out)
        return _looped(library, inputs, None, how, name)
    return _looped(function, inputs, out, how, name)


def _first_parameter(flow: Flow, function: Any) -> str:
    try:
        names = [name for name, _ in parameters_of(function)]
    except FlowError as error:
        raise FlowError(f"flow '{flow.name}', loop: {error}") from None
    if not names:
        raise FlowError(f"flow '{flow.name}', loop: the function has no parameters, so no ports")
    return names[0]


def _looped(  # noqa: PLR0917
    function: LoopFunction | LoopLibrary,
    inputs: Mapping[str, Flow],
    out: Any,
    how: tuple[int | None, bool, Wake],
    name: str | None,
    control: Any = None,
) -> Any:
    if isinstance(function, LoopLibrary):
        inputs = function.in_order(inputs)
    first, *rest = inputs.values()
    flows = [first, *(as_branch("loop", first, other) for other in rest)]
    schemas = {port: flow.schema for port, flow in zip(inputs, flows, strict=True)}

    def build(given: pa.Schema, operator: str) -> Operator:
        check_room(*how)
        if isinstance(function, LoopLibrary):
            return LibraryLoop.over(function, (operator, given), schemas, how, told_apart)
        outputs = outputs_of(out, first.schema)
        controls = control_of(control)
        if controls and not (isinstance(first.inside, InsideCircle) and not first.operators):
            raise FlowError(
                f"control={control!r} is for the first operator of a circle, to which rows come "
                "back: flow.circle(lambda rows: rows.loop(..., control=...))"
            )
        for port in controls:
            if port in schemas:
                raise FlowError(f"'{port}' is both an input and a control port")
        check_loop(function, schemas | controls, outputs)
        made = next(iter(outputs.values()))
        if len(outputs) > 1:
            made = Layout.of(outputs).schema
        ports = tuple(schemas.items()), tuple(outputs.items())
        capacity, grow, wake = how
        looped = Loop(operator, given, made, function, *ports, capacity, grow, wake, told_apart)
        return replace(looped, controls=tuple(controls.items()))

    told_apart: Tagged | None = None
    if rest:
        common, parted = come_together("loop", flows, name)
        told_apart = _told_apart(common, parted)
        if isinstance(function, LoopLibrary) and told_apart is not None:
            told_apart = told_apart if _has_all_ports(common, told_apart) else None
    if rest and told_apart is not None:
        looped = common._then("loop", parted.name, build)
    elif rest:
        looped = _together(common, parted, schemas)._then("loop", parted.name, build)
    else:
        looped = first._then("loop", name, build)
    made = cast("Loop", looped.operators[-1])
    if not isinstance(out, Mapping) and len(made.outputs) == 1:
        return looped
    return {port: _output(looped, made, port) for port, _ in made.outputs}


def _has_all_ports(common: Flow, told_apart: Tagged) -> bool:
    """Whether a tagged stream has rows of these ports alone, numbered in their order."""
    last = common.operators[-1] if common.operators else None
    ports = last.outputs if isinstance(last, Loop) else common.several.ports  # type: ignore[union-attr]
    return told_apart.tags == tuple(range(len(ports)))


def _told_apart(common: Flow, parted: Branches) -> Tagged | None:
    """How to tell rows apart where the stream that the branches part from is tagged already."""
    layout = None if common.operators else common.several
    if common.operators and isinstance(last := common.operators[-1], Loop):
        layout = Layout.of(dict(last.outputs)) if len(last.outputs) > 1 else None
    if layout is None:
        return None
    ports = [layout.port_of(branch) for branch in parted.branches]
    names = [port for port in ports if port is not None]
    if len(names) < len(ports):
        return None
    schemas = dict(layout.ports)
    return Tagged(
        tuple(layout.number(name) for name in names),
        tuple(schemas[name] for name in names),
        tuple(layout.places(name) for name in names),
    )


def _together(common: Flow, parted: Branches, schemas: Mapping[str, pa.Schema]) -> Flow:
    try:
        layout = Layout.of(schemas)
    except FlowError as error:
        raise FlowError(f"flow '{common.name}', operator '{parted.name}': {error}") from None
    tagging = layout.tags(parted.name)
    branches = tuple((*branch, tag) for branch, tag in zip(parted.branches, tagging, strict=True))
    inputs = replace(parted, name=f"{parted.name}.inputs", output=layout.schema, branches=branches)
    return common._then("inputs", inputs.name, lambda _given, _name: inputs)


def _output(looped: Flow, made: Loop, port: str) -> Flow:
    if len(made.outputs) == 1:
        return looped
    # A default name, which may be changed where branches come together.
    name = f"output_{len(looped._names) + 1}"
    rows, columns = Layout.of(dict(made.outputs)).rows_of(port, name)
    found = looped._then("output", rows.name, lambda _given, _name: rows)
    return found._then("output", columns.name, lambda _given, _name: columns)
