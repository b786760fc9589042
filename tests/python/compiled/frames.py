"""A host for kernels in plain Python: builds the frame of penstock_operator.h with ctypes.

It gives rooms that are too small on purpose, so that kernels have to ask for more.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from penstock.compiled.object_code import ObjectCode, load

GROW = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64)
GROW_BYTES = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
MESSAGE_BYTES = 256


class Column(ctypes.Structure):
    _fields_ = (
        ("values", ctypes.c_void_p),
        ("validity", ctypes.c_void_p),
        ("offsets", ctypes.c_void_p),
        ("bit", ctypes.c_int64),
    )


class Output(ctypes.Structure):
    _fields_ = (
        ("values", ctypes.c_void_p),
        ("valid", ctypes.c_void_p),
        ("ends", ctypes.c_void_p),
        ("bytes", ctypes.c_int64),
        ("byte_capacity", ctypes.c_int64),
    )


class Frame(ctypes.Structure):
    _fields_ = (
        ("rows", ctypes.c_int64),
        ("row", ctypes.c_void_p),
        ("columns", ctypes.c_void_p),
        ("states", ctypes.c_void_p),
        ("keys", ctypes.c_void_p),
        ("state_bytes", ctypes.c_int64),
        ("out", ctypes.c_void_p),
        ("from_", ctypes.c_void_p),
        ("made", ctypes.c_int64),
        ("capacity", ctypes.c_int64),
        ("grow", ctypes.c_void_p),
        ("grow_bytes", ctypes.c_void_p),
        ("failed", ctypes.c_int64),
        ("message", ctypes.c_void_p),
        ("host", ctypes.c_void_p),
    )


@dataclass
class Made:
    """What a kernel made of a batch.

    Attributes:
        origins: The place of the row that each row came from.
        columns: The values of each output column; none where rows are passed on.
        failed: At which row it failed; None if it did not.
        message: Why.
    """

    origins: list[int]
    columns: list[list[Any]]
    failed: int | None
    message: str


class Host:
    """Keeps the states between the calls of one kernel."""

    def __init__(self, code: ObjectCode, out: pa.Schema | None, state_bytes: int = 0) -> None:
        loaded = load(code)
        self._call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(loaded.address)
        self._fields = list(out or ())
        self._state_bytes = state_bytes
        self._numbers: dict[Any, int] = {}
        self._states = ctypes.create_string_buffer(state_bytes * 1024)

    def process(
        self, batch: pa.RecordBatch, keys: list[Any] | None = None, rows: list[int] | None = None
    ) -> Made:
        """Call the kernel for a batch, or for some of its rows."""
        self._rooms: list[Any] = []
        columns = (Column * batch.num_columns)(*map(self._column, batch.columns))
        outputs = (Output * len(self._fields))()
        frame = Frame(
            rows=batch.num_rows if rows is None else len(rows),
            columns=ctypes.addressof(columns),
            out=ctypes.addressof(outputs),
            state_bytes=self._state_bytes,
            states=ctypes.addressof(self._states),
        )
        if rows is not None:
            frame.row = self._kept((ctypes.c_int32 * len(rows))(*rows))
        if keys is not None:
            numbers = [self._numbers.setdefault(key, len(self._numbers)) for key in keys]
            frame.keys = self._kept((ctypes.c_uint32 * len(keys))(*numbers))
        message = ctypes.create_string_buffer(MESSAGE_BYTES)
        frame.message = ctypes.addressof(message)
        grow = GROW(lambda _, more: self._grow(frame, outputs, more))
        grow_bytes = GROW_BYTES(lambda _, place, more: self._grow_bytes(outputs[place], more))
        frame.grow = ctypes.cast(grow, ctypes.c_void_p).value
        frame.grow_bytes = ctypes.cast(grow_bytes, ctypes.c_void_p).value
        returned = self._call(ctypes.addressof(frame))
        origins = (ctypes.c_int32 * frame.made).from_address(frame.from_) if frame.made else []
        made = [
            self._values(field.type, output, frame.made)
            for field, output in zip(self._fields, outputs, strict=True)
        ]
        failed = frame.failed if returned else None
        return Made(list(origins), made, failed, message.value.decode())

    def _column(self, array: pa.Array) -> Column:
        buffers = [0 if buffer is None else buffer.address for buffer in array.buffers()]
        column = Column(validity=buffers[0], bit=array.offset)
        if len(buffers) == 3:
            column.offsets = buffers[1] + 4 * array.offset
            column.values = buffers[2]
        elif pa.types.is_boolean(array.type):
            column.values = buffers[1]
        else:
            column.values = buffers[1] + array.type.bit_width // 8 * array.offset
        return column

    def _kept(self, room: Any) -> int:
        self._rooms.append(room)
        return ctypes.addressof(room)

    def _bigger(self, address: int | None, used: int, size: int) -> int:
        room = ctypes.create_string_buffer(max(size, 1))
        if address:
            ctypes.memmove(room, address, used)
        return self._kept(room)

    def _grow(self, frame: Frame, outputs: Any, more: int) -> int:
        made, capacity = frame.made, frame.made + min(more, 3)
        frame.from_ = self._bigger(frame.from_, made * 4, capacity * 4)
        for output in outputs:
            output.valid = self._bigger(output.valid, made, capacity)
            output.ends = self._bigger(output.ends, made * 4, capacity * 4)
        for field, output in zip(self._fields, outputs, strict=True):
            if not is_bytes(field.type):
                width = width_of(field.type)
                output.values = self._bigger(output.values, made * width, capacity * width)
        frame.capacity = capacity
        return 0

    def _grow_bytes(self, output: Any, more: int) -> int:
        output.byte_capacity = output.bytes + more
        output.values = self._bigger(output.values, output.bytes, output.byte_capacity)
        return 0

    def _values(self, kind: pa.DataType, output: Any, made: int) -> list[Any]:
        if not made:
            return []
        valid = ctypes.string_at(output.valid, made)
        if is_bytes(kind):
            ends = list((ctypes.c_int32 * made).from_address(output.ends))
            whole = ctypes.string_at(output.values, output.bytes) if output.bytes else b""
            found: list[Any] = [whole[a:b] for a, b in zip([0, *ends], ends, strict=False)]
        elif pa.types.is_boolean(kind):
            found = [bool(byte) for byte in ctypes.string_at(output.values, made)]
        else:
            raw = ctypes.string_at(output.values, made * width_of(kind))
            found = pa.Array.from_buffers(kind, made, [None, pa.py_buffer(raw)]).to_pylist()
        return [value if here else None for value, here in zip(found, valid, strict=True)]


def is_bytes(kind: pa.DataType) -> bool:
    """Whether its values are of any size."""
    return bool(pa.types.is_string(kind) or pa.types.is_binary(kind))


def width_of(kind: pa.DataType) -> int:
    """Bytes of a value."""
    return 1 if pa.types.is_boolean(kind) else kind.bit_width // 8
