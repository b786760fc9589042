"""Driver loops that a user has compiled to a library against `penstock_loop.hpp`.

The library exports a constant of type `penstock_loop`, which names its ports and their columns. It
is loaded where the flow is written, to check them, and again wherever the flow runs.

>>> ports_of("left: a bigint; right: b bigint", "'libmine.so:barrier'", "inputs")["right"].names
['b']
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

import pyarrow as pa

from penstock.errors import FlowError, did_you_mean
from penstock.library.native_library import places_of, schema_of
from penstock.library.shared_library import find, parts_of, symbol_of
from penstock.loops.arrivals import Tagged
from penstock.loops.layout import MOST_PORTS, Layout
from penstock.loops.operator import Loop, Ports

if TYPE_CHECKING:
    from penstock.flow import Flow

ABI = 2  # of penstock_loop.h


class _Functions(ctypes.Structure):
    """A penstock_loop of the header."""

    _fields_ = (
        ("abi", ctypes.c_int64),
        ("inputs", ctypes.c_char_p),
        ("outputs", ctypes.c_char_p),
        ("create", ctypes.c_void_p),
        ("resume", ctypes.c_void_p),
        ("destroy", ctypes.c_void_p),
    )


@dataclass(frozen=True)
class LoopLibrary:
    """A loop of a library.

    Attributes:
        library: Where it is, as it was written.
        path: Where it was found when the flow was written.
        symbol: Name of the loop in it.
        inputs: Its input ports, and the columns that it reads there.
        outputs: Its output ports, and their columns.
    """

    library: str
    path: str
    symbol: str
    inputs: Ports
    outputs: Ports

    @classmethod
    def of(cls, where: str) -> LoopLibrary:
        """Load the library of `libmine.so:barrier` to see what its ports are."""
        library, symbol = parts_of(where)
        path = find(library, None)
        inputs, outputs, _, _ = _opened(str(path), symbol)
        return cls(library, str(path), symbol, inputs, outputs)

    def __str__(self) -> str:
        return f"{self.library}:{self.symbol}"

    def load(self) -> tuple[int, object]:
        """Load the library here: the address of the loop's functions, and what keeps them there."""
        path = str(find(self.library, self.path))
        inputs, outputs, address, owner = _opened(path, self.symbol)
        if (inputs, outputs) != (self.inputs, self.outputs):
            raise FlowError(
                f"'{path}:{self.symbol}' has other ports than the one that the flow was written "
                "with; ship the same file to every executor"
            )
        return address, owner

    def in_order(self, flows: Mapping[str, Flow]) -> dict[str, Flow]:
        """The flows in the order of the ports, each of which must have one."""
        names = [name for name, _ in self.inputs]
        begin = f"flow '{next(iter(flows.values())).name}', loop: '{self}'"
        for port in flows:
            if port not in names:
                raise FlowError(f"{begin} has no input '{port}'; {did_you_mean(port, names)}")
        for name in names:
            if name not in flows:
                raise FlowError(f"{begin} has an input '{name}'; give the flow it reads as {name}=")
        return {name: flows[name] for name in names}


@dataclass(frozen=True)
class LibraryLoop(Loop):
    """Gives the rows of its ports to a coroutine of a library; its `function` is a LoopLibrary.

    Attributes:
        reads: For each input port the places of the columns that the library reads.
    """

    reads: tuple[tuple[int, ...], ...] = ()

    native: ClassVar[bool] = True

    @classmethod
    def over(
        cls,
        source: LoopLibrary,
        operator: tuple[str, pa.Schema],
        schemas: Mapping[str, pa.Schema],
        how: tuple[int | None, bool, Literal["rows", "tuples"]],
        parted: Tagged | None,
    ) -> LibraryLoop:
        """Check that the library fits the rows, and build the operator."""
        reads = []
        for port, wanted in source.inputs:
            reads.append(places_of(wanted, schemas[port], f"'{source}', port '{port}',"))
        outputs = dict(source.outputs)
        made = next(iter(outputs.values())) if len(outputs) == 1 else Layout.of(outputs).schema
        name, given = operator
        ports = tuple(schemas.items()), source.outputs
        function = cast("Any", source)
        capacity, grow, wake = how
        room = capacity, grow
        return cls(name, given, made, function, *ports, *room, wake, parted, reads=tuple(reads))

    @property
    def source(self) -> LoopLibrary:
        """The library."""
        return cast("LoopLibrary", self.function)

    @property
    def body(self) -> str:
        """What it does."""
        return f"library {super().body}"

    @property
    def schemas(self) -> list[pa.Schema]:
        """What the engine has to know: of the rows made, of the inputs, what is read, outputs."""
        ports = (*self.inputs, *self.source.inputs, *self.outputs)
        return [self.output, *(schema for _, schema in ports)]

    def ports_at(self, addresses: Sequence[int]) -> dict[str, Any]:
        """The ports for the engine, with the schemas behind the first at these addresses."""
        count = len(self.inputs)
        places = self.tagged.places if self.tagged else ((),)
        sources: list[list[int]] = [[]]
        if len(self.outputs) > 1:
            tags = Layout.of(dict(self.outputs)).tags(self.name)
            sources = [list(tag.columns) for tag in tags]
        inputs = [
            (name, addresses[port], list(places[port]), list(reads), addresses[count + port])
            for port, ((name, _), reads) in enumerate(zip(self.inputs, self.reads, strict=True))
        ]
        return {
            "inputs": inputs,
            "outputs": list(zip(addresses[2 * count :], sources, strict=True)),
        }

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch | None:
        """Run a loop of its own over the rows of one batch, in an engine of its own."""
        from penstock.flow import Flow  # noqa: PLC0415 - a flow is built on this module

        made = Flow("alone", self.input, (self,)).run(batch).table
        return made.combine_chunks().to_batches()[0] if made.num_rows else None


def library_of(flow: Flow, where: str, out: Any, control: Any = None) -> LoopLibrary:
    """Load the library that a flow names, which leaves nothing else to say about its ports."""
    try:
        for word, given in (("out", out), ("control", control)):
            if given is not None:
                raise FlowError(f"'{where}' says itself what its ports are; leave {word}= out")
        return LoopLibrary.of(where)
    except FlowError as error:
        raise FlowError(f"flow '{flow.name}', loop: {error}") from error.__cause__


def ports_of(text: str, what: str, word: str) -> dict[str, pa.Schema]:
    """Read what a library says of its ports."""
    ports = {}
    for one in text.split(";"):
        name, colon, columns = (part.strip() for part in one.partition(":"))
        if not colon or not name.isidentifier() or name in ports:
            raise FlowError(
                f"{what} declares its {word} as '{text}'; write each port once, as in "
                "'left: a bigint; right: b bigint'"
            )
        ports[name] = schema_of(columns, what, f"declares for port '{name}'")
    if len(ports) > MOST_PORTS:
        raise FlowError(f"{what} has {len(ports)} {word}, and {MOST_PORTS} are the most")
    return ports


def _opened(path: str, symbol: str) -> tuple[Ports, Ports, int, object]:
    what = f"'{path}:{symbol}'"
    library = symbol_of(path, symbol, "penstock_loop", ABI, f"PENSTOCK_LOOP({symbol}, ...)")
    found = _Functions.in_dll(library, symbol)
    if not (found.inputs and found.outputs and found.create and found.resume and found.destroy):
        raise FlowError(f"{what} is not whole; define it with PENSTOCK_LOOP({symbol}, ...)")
    inputs, outputs = (
        ports_of(text.decode(errors="replace"), what, word)
        for text, word in ((found.inputs, "inputs"), (found.outputs, "outputs"))
    )
    for port in inputs:
        if port in outputs:
            raise FlowError(f"{what} has both an input and an output '{port}'")
    return tuple(inputs.items()), tuple(outputs.items()), ctypes.addressof(found), library
