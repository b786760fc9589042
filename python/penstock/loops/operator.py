"""A driver loop as it is described: a generator function, and its ports."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import pyarrow as pa

from penstock.errors import FlowError, did_you_mean
from penstock.functions import name_of
from penstock.loops.arrivals import Tagged
from penstock.loops.layout import MOST_PORTS, Layout
from penstock.operators import Operator
from penstock.schema import as_schema

UNKNOWN = pa.schema([])  # columns of a control port that the circle around it tells
LoopFunction = Callable[..., Generator[Any, Any, Any]]
Ports = tuple[tuple[str, pa.Schema], ...]


@dataclass(frozen=True)
class Loop(Operator):
    """Gives the rows of its ports to a generator whenever they are what it waits for.

    Attributes:
        function: The generator function; its parameters are the ports.
        inputs: Names and columns of what it reads.
        outputs: Names and columns of what it makes.
        capacity: Rows that may wait in a port; None for what the settings say.
        grow: Whether any number may.
        wake: Whether it goes on with the row that makes its wait true, or behind a whole tuple.
        parted: How rows of its ports are told apart in a stream that is not its own.
        controls: Name and columns of what comes back to it in a circle, if anything does.
    """

    function: LoopFunction
    inputs: Ports
    outputs: Ports
    capacity: int | None = None
    grow: bool = False
    wake: Literal["rows", "tuples"] = "rows"
    parted: Tagged | None = None
    controls: Ports = ()

    kind: ClassVar[str] = "stateful"

    @property
    def body(self) -> str:
        """What it does."""
        names = [", ".join(name for name, _ in ports) for ports in (self.inputs, self.outputs)]
        how = "" if self.wake == "rows" else ", wakes behind tuples"
        room = "any number of rows" if self.grow else f"{self.capacity or 0:,} rows"
        holds = f", holds {room}" if self.grow or self.capacity else ""
        function: object = self.function  # or a library's
        name = name_of(function) if callable(function) else str(function)
        return f"loop {name} from {names[0]} to {names[1]}{how}{holds}"

    @property
    def tagged(self) -> Tagged | None:
        """How the rows of several ports are told apart."""
        if self.parted is not None:
            return self.parted
        return Layout.of(dict(self.inputs)).tagged if len(self.inputs) > 1 else None

    def tagger(self, output: str) -> Callable[[pa.RecordBatch], pa.RecordBatch]:
        """What is done to batches of an output before they leave."""
        if len(self.outputs) == 1:
            return lambda batch: batch
        return Layout.of(dict(self.outputs)).tagger(output)

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch | None:
        """Run a loop of its own over the rows of one batch, as if they were the whole input."""
        from penstock.loops.once import process_once  # noqa: PLC0415 - it is built on this module

        return process_once(self, batch)


def outputs_of(out: Any, first: pa.Schema) -> dict[str, pa.Schema]:
    """Read `out=`: a schema of the port `out`, or schemas by port; None is that of the input."""
    if out is None:
        return {"out": first}
    if not isinstance(out, Mapping):
        return {"out": as_schema(out)}
    if not out:
        raise FlowError("out= names no port; write out={'big': 'n long', 'small': 'n long'}")
    made = {}
    for port, schema in out.items():
        _check_port(port)
        try:
            made[port] = as_schema(schema)
        except FlowError as error:
            raise FlowError(f"out={{{port!r}: ...}}: {error}") from error.__cause__
    return made


def control_of(control: Any) -> dict[str, pa.Schema]:
    """Read `control=`: the name of a port, with its schema or without."""
    if control is None:
        return {}
    if not isinstance(control, Mapping):
        return {control: UNKNOWN}
    if len(control) != 1:
        raise FlowError(f"control= names one port, got {len(control)}")
    return {port: as_schema(schema) for port, schema in control.items()}


def check_loop(
    function: Any,
    inputs: Mapping[str, Any],
    outputs: Mapping[str, Any],
) -> None:
    """Refuse what is no generator function of these ports, in this order."""
    parameters = [name for name, _ in parameters_of(function)]
    for port in inputs:
        _check_port(port)
        if port in outputs:
            raise FlowError(f"'{port}' is both an input and an output; give one another name")
    if len(inputs) > MOST_PORTS or len(outputs) > MOST_PORTS:
        raise FlowError(f"a loop has {MOST_PORTS} ports each way at most")
    wanted = [*inputs, *outputs]
    for port in wanted:
        if port not in parameters:
            raise FlowError(
                f"{name_of(function)} has no parameter '{port}' for the port of that name; "
                f"{did_you_mean(port, parameters)}"
            )
    for name, needed in parameters_of(function):
        if needed and name not in wanted:
            raise FlowError(
                f"{name_of(function)} has a parameter '{name}' that is no port; give the flow it "
                f"reads as {name}=, or its schema in out="
            )
    ordered = [name for name in parameters if name in wanted]
    if ordered != wanted and set(ordered[: len(inputs)]) != set(inputs):
        raise FlowError(
            f"the parameters of {name_of(function)} are its inputs and then its outputs, got "
            f"{', '.join(ordered)}"
        )


def parameters_of(function: Any) -> list[tuple[str, bool]]:
    """Names of what a generator function takes, and whether it needs them."""
    if not callable(function):
        raise FlowError(
            f"a generator function is needed, got {type(function).__name__} {function!r}"
        )
    plain = function
    while isinstance(plain, functools.partial):
        plain = plain.func
    if not (inspect.isfunction(plain) or inspect.ismethod(plain)):
        plain = plain.__call__
    if not inspect.isgeneratorfunction(plain):
        raise FlowError(
            f"{name_of(function)} is not a generator: a loop waits for rows with `yield "
            "wait_all(...)`; a function of each batch is for map or flat_map"
        )
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [
        (one.name, one.default is inspect.Parameter.empty)
        for one in inspect.signature(function).parameters.values()
        if one.kind not in kinds
    ]


def check_room(capacity: Any, grow: Any, wake: Any) -> None:
    """Refuse what is said wrongly about how much waits, and when a loop wakes."""
    if capacity is not None and (
        not isinstance(capacity, int) or isinstance(capacity, bool) or capacity < 1
    ):
        raise FlowError(f"capacity={capacity!r} must be a number of rows from 1")
    if not isinstance(grow, bool):
        raise FlowError(f"grow={grow!r} must be True or False")
    if grow and capacity is not None:
        raise FlowError(f"capacity={capacity} and grow=True exclude each other; give one")
    if wake not in ("rows", "tuples"):
        raise FlowError(f"wake={wake!r} must be 'rows' or 'tuples'")


def _check_port(port: Any) -> None:
    if not isinstance(port, str) or not port.isidentifier():
        raise FlowError(f"{port!r} cannot name a port; it is the name of a parameter")
