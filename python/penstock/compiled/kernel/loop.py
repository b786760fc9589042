"""The loop around a row function: one call for all rows of a tuple."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import signature
from numba.extending import intrinsic

from penstock.compiled.kernel.failures import write_text
from penstock.compiled.kernel.memory import I32, I64, POINTER, load, store, word
from penstock.compiled.kernel.out import (
    COLUMNS,
    FAILED,
    KEYS,
    MESSAGE,
    ROW,
    ROWS,
    STATE_BYTES,
    STATES,
)
from penstock.compiled.kernel.types import RowType, StateType
from penstock.compiled.object_code import ENTRY


def kernel_around(compiled: Any, texts: dict[int, str]) -> Any:
    """A function of a frame's address that calls a compiled row function for each of its rows.

    Args:
        compiled: What numba made of a function of (row, out) or (state, row, out).
        texts: What it may raise.
    """

    @intrinsic
    def work(typingctx: Any, frame: Any) -> Any:  # noqa: ARG001 - numba's interface
        def code(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
            context.active_code_library.add_linking_library(compiled.library)
            _entry(builder)
            return _loop(context, builder, compiled, texts, args[0])

        return signature(types.int32, types.int64), code

    def kernel(frame):  # type: ignore[no-untyped-def]
        return work(frame)

    return kernel


def _loop(context: Any, builder: Any, compiled: Any, texts: dict[int, str], address: Any) -> Any:
    frame = builder.inttoptr(address, POINTER)
    rows, places = word(builder, frame, ROWS), word(builder, frame, ROW, POINTER)
    columns = word(builder, frame, COLUMNS, POINTER)
    failed = cgutils.alloca_once_value(builder, I32(0))
    in_order = builder.icmp_unsigned("==", places, POINTER(None))
    with cgutils.for_range(builder, rows) as loop:
        place = _place(builder, places, loop.index, in_order)
        args = []
        for kind in compiled.signature.args:
            made = context.make_helper(builder, kind)
            if isinstance(kind, StateType):
                made.record = _record(builder, frame, loop.index)
            elif isinstance(kind, RowType):
                made.columns, made.place = columns, place
            else:
                made.frame, made.place = frame, place
            args.append(made._getvalue())
        status, _ = context.call_internal_no_propagate(
            builder, compiled.fndesc, compiled.signature, args
        )
        with builder.if_then(status.is_error, likely=False):
            store(builder, loop.index, frame, FAILED)
            message = word(builder, frame, MESSAGE, POINTER)
            write_text(context, builder, status, texts, message)
            builder.store(I32(1), failed)
            loop.do_break()
    return builder.load(failed)


def _place(builder: Any, places: Any, index: Any, in_order: Any) -> Any:
    before = builder.block
    with builder.if_then(builder.not_(in_order)):
        found = builder.sext(load(builder, I32, places, index), I64)
        looked = builder.block
    place = builder.phi(I64)
    place.add_incoming(index, before)
    place.add_incoming(found, looked)
    return place


def _record(builder: Any, frame: Any, index: Any) -> Any:
    keys = word(builder, frame, KEYS, POINTER, fixed=True)
    states = word(builder, frame, STATES, POINTER, fixed=True)
    size = word(builder, frame, STATE_BYTES, fixed=True)
    key = builder.zext(load(builder, I32, keys, index), I64)
    return builder.gep(states, [builder.mul(key, size)])


def _entry(builder: Any) -> None:
    """Add the function that the engine calls, without numba's arguments for results and errors."""
    inner = builder.function
    outer = ir.Function(builder.module, ir.FunctionType(I32, [POINTER]), ENTRY)
    at = ir.IRBuilder(outer.append_basic_block())
    result, error = (at.alloca(arg.type.pointee) for arg in inner.args[:2])
    at.call(inner, [result, error, at.ptrtoint(outer.args[0], inner.args[2].type)])
    at.ret(at.load(result))
