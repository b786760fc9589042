"""Loads and stores of LLVM values at addresses."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils

from penstock.compiled.layout import Slot

I1, I8, I32, I64 = (ir.IntType(bits) for bits in (1, 8, 32, 64))
POINTER = I8.as_pointer()


def load(builder: Any, kind: Any, base: Any, index: Any, *, fixed: bool = False) -> Any:
    """Load the value at an index from a base; `fixed` if it stays the same for the whole call."""
    found = builder.load(address(builder, kind, base, index))
    if fixed:
        found.set_metadata("invariant.load", builder.module.add_metadata([]))
    return found


def store(builder: Any, value: Any, base: Any, index: Any) -> None:
    """Store a value at an index from a base."""
    builder.store(value, address(builder, value.type, base, index))


def address(builder: Any, kind: Any, base: Any, index: Any) -> Any:
    """Where the value at an index is."""
    if isinstance(index, int):
        index = I64(index)
    return builder.gep(builder.bitcast(base, kind.as_pointer()), [index])


def bit(builder: Any, base: Any, index: Any) -> Any:
    """The bit at an index."""
    byte = load(builder, I8, base, builder.lshr(index, I64(3)))
    shift = builder.trunc(builder.and_(index, I64(7)), I8)
    return builder.trunc(builder.lshr(byte, shift), I1)


def memory_type(slot: Slot) -> Any:
    """How a value lies in a column or in a state."""
    if slot.kind == "float":
        return ir.FloatType() if slot.bits == 32 else ir.DoubleType()
    return ir.IntType(max(slot.bits, 8))


def widened(builder: Any, slot: Slot, value: Any) -> Any:
    """A value from memory as a function sees it."""
    if slot.kind == "float":
        return builder.fpext(value, ir.DoubleType()) if slot.bits == 32 else value
    if slot.kind == "bool":
        return builder.icmp_unsigned("!=", value, I8(0))
    return builder.sext(value, I64) if slot.bits < 64 else value


def narrowed(builder: Any, slot: Slot, value: Any) -> Any:
    """A value as it lies in memory; whether it fits has been looked at."""
    if slot.kind == "float":
        return builder.fptrunc(value, ir.FloatType()) if slot.bits == 32 else value
    if slot.kind == "bool":
        return builder.zext(value, I8)
    if slot.bits > 64:
        return builder.sext(value, ir.IntType(slot.bits))
    return builder.trunc(value, ir.IntType(slot.bits)) if slot.bits < 64 else value


def check_fits(context: Any, builder: Any, slot: Slot, value: Any, message: str) -> None:
    """Fail if a whole number is too large for its column."""
    if slot.kind != "int" or (slot.bits == 64 and not slot.digits):
        return
    least, most = slot.range
    fits = builder.and_(
        builder.icmp_signed(">=", value, I64(least)), builder.icmp_signed("<=", value, I64(most))
    )
    with cgutils.if_unlikely(builder, builder.not_(fits)):
        context.call_conv.return_user_exc(builder, OverflowError, (message,))


def word(builder: Any, base: Any, index: int, kind: Any = I64, *, fixed: bool = False) -> Any:
    """One of the words that a frame, a column or an output is made of."""
    found = load(builder, I64, base, index, fixed=fixed)
    return builder.inttoptr(found, kind) if isinstance(kind, ir.PointerType) else found
