"""What a function can do with the bytes of a string or binary: the code for it."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typing.templates import signature
from numba.cpython import slicing
from numba.cpython.unicode import PY_UNICODE_1BYTE_KIND

from penstock.compiled.kernel.checked import swap
from penstock.compiled.kernel.memory import I1, I8, I32, I64, POINTER, load
from penstock.compiled.kernel.types import BYTES, View, is_view
from penstock.compiled.layout import Slot
from penstock.compiled.plain import FNV_PRIME, FNV_START, HASH_MASK, not_utf8

MEMCMP = ir.FunctionType(I32, [POINTER, POINTER, I64])
MEMMEM = ir.FunctionType(POINTER, [POINTER, I64, POINTER, I64])
COMPARISONS = {
    operator.eq: "==",
    operator.ne: "!=",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
}


@lower_cast(View, View)
def as_view(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:  # noqa: ARG001
    """The bytes are the same."""
    return value


@lower_cast(types.StringLiteral, View)
def literal(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:  # noqa: ARG001
    """A str that is written in the function."""
    raw = given.literal_value.encode()
    data = context.insert_unique_const(
        builder.module, f".penstock.{raw.hex()}", cgutils.make_bytearray(raw + b"\0")
    )
    return made(context, builder, builder.bitcast(data, POINTER), I64(len(raw)))


@lower_cast(types.Bytes, View)
def constant(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:  # noqa: ARG001
    """Bytes that are written in the function."""
    array = context.make_helper(builder, given, value)
    return made(context, builder, builder.bitcast(array.data, POINTER), array.nitems)


@lower_cast(types.UnicodeType, View)
def text(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:  # noqa: ARG001
    """A str that numba made: its letters are bytes if they are all of ASCII."""
    found = context.make_helper(builder, given, value)
    one_byte = builder.icmp_signed("==", found.kind, I32(PY_UNICODE_1BYTE_KIND))
    ascii_only = builder.icmp_unsigned("!=", found.is_ascii, I32(0))
    with cgutils.if_unlikely(builder, builder.not_(builder.and_(one_byte, ascii_only))):
        told = "a str that is not written in the function itself must be of ASCII"
        context.call_conv.return_user_exc(builder, ValueError, (told,))
    return made(context, builder, found.data, found.length)


def made(context: Any, builder: Any, data: Any, size: Any) -> Any:
    """A view of these bytes."""
    view = context.make_helper(builder, BYTES)
    view.data, view.size = data, size
    return view._getvalue()


def copy(builder: Any, target: Any, source: Any, size: Any) -> None:
    """Copy bytes."""
    cgutils.raw_memcpy(builder, target, source, size, 1)


def _views(context: Any, builder: Any, sig: Any, args: Any) -> list[Any]:
    return [context.make_helper(builder, k, a) for k, a in zip(sig.args, args, strict=True)]


def _memcmp(builder: Any, one: Any, other: Any, size: Any) -> Any:
    function = cgutils.get_or_insert_function(builder.module, MEMCMP, "memcmp")
    return builder.call(function, [one, other, size])


def _equal(builder: Any, one: Any, other: Any, size: Any, *, possible: Any) -> Any:
    """Whether so many bytes are equal, if that is possible at all."""
    before = builder.block
    with builder.if_then(possible):
        same = builder.icmp_signed("==", _memcmp(builder, one, other, size), I32(0))
        looked = builder.block
    found = builder.phi(I1)
    found.add_incoming(I1(0), before)
    found.add_incoming(same, looked)
    return found


def _compare(sign: str) -> Any:
    def compare(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        one, other = _views(context, builder, sig, args)
        if sign in {"==", "!="}:
            as_long = builder.icmp_signed("==", one.size, other.size)
            same = _equal(builder, one.data, other.data, other.size, possible=as_long)
            return same if sign == "==" else builder.not_(same)
        shorter = builder.icmp_signed("<", one.size, other.size)
        size = builder.select(shorter, one.size, other.size)
        order = builder.sext(_memcmp(builder, one.data, other.data, size), I64)
        tied = builder.icmp_signed("==", order, I64(0))
        order = builder.select(tied, builder.sub(one.size, other.size), order)
        return builder.icmp_signed(sign, order, I64(0))

    return compare


for _operation, _sign in COMPARISONS.items():
    lower_builtin(_operation, View, View)(_compare(_sign))


@lower_builtin("penstock.startswith", View, View)
def begins(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Whether a view begins with another."""
    one, part = _views(context, builder, sig, args)
    possible = builder.icmp_signed(">=", one.size, part.size)
    return _equal(builder, one.data, part.data, part.size, possible=possible)


@lower_builtin("penstock.endswith", View, View)
def ends(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Whether a view ends with another."""
    one, part = _views(context, builder, sig, args)
    possible = builder.icmp_signed(">=", one.size, part.size)
    last = builder.gep(one.data, [builder.sub(one.size, part.size)])
    return _equal(builder, last, part.data, part.size, possible=possible)


def _first(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Where in a view another is for the first time; -1 if nowhere."""
    one, part = _views(context, builder, sig, args)
    function = cgutils.get_or_insert_function(builder.module, MEMMEM, "memmem")
    found = builder.call(function, [one.data, one.size, part.data, part.size])
    nowhere = builder.icmp_unsigned("==", found, POINTER(None))
    place = builder.sub(builder.ptrtoint(found, I64), builder.ptrtoint(one.data, I64))
    # Nothing is found at once, also in a column without a single byte, which may lie nowhere.
    nothing = builder.icmp_signed("==", part.size, I64(0))
    return builder.select(nothing, I64(0), builder.select(nowhere, I64(-1), place))


@lower_builtin(operator.contains, View, View)
def contains(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Whether another view is in a view."""
    return builder.icmp_signed(">=", _first(context, builder, sig, args), I64(0))


@lower_builtin("penstock.find", View, View)
def find(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Where in a view another is for the first time; -1 if nowhere."""
    return _first(context, builder, sig, args)


@lower_builtin(len, View)
def length(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """How many bytes there are."""
    return _views(context, builder, sig, args)[0].size


@lower_builtin(bool, View)
def truth(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Whether there are any."""
    return builder.icmp_signed("!=", _views(context, builder, sig, args)[0].size, I64(0))


def _of_view(args: Any) -> Any:
    return signature(types.int64, BYTES) if is_view(args[0]) else None


def fnv(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """FNV-1a over all bytes."""
    [view] = _views(context, builder, sig, args)
    return builder.and_(hashed(builder, view.data, view.size), I64(HASH_MASK))


# numba has a hash of its own for everything.
swap(hash, _of_view, fnv, arity=1)


def hashed(builder: Any, data: Any, size: Any) -> Any:
    """FNV-1a over so many bytes, in all 64 bits."""
    total = cgutils.alloca_once_value(builder, I64(FNV_START))
    with cgutils.for_range(builder, size) as loop:
        byte = builder.zext(load(builder, I8, data, loop.index), I64)
        mixed = builder.xor(builder.load(total), byte)
        builder.store(builder.mul(mixed, I64(FNV_PRIME)), total)
    return builder.load(total)


@lower_builtin(operator.getitem, View, types.Integer)
def byte_at(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """One byte as a number."""
    view = context.make_helper(builder, sig.args[0], args[0])
    below = builder.icmp_signed("<", args[1], I64(0))
    index = builder.select(below, builder.add(args[1], view.size), args[1])
    with cgutils.if_unlikely(builder, builder.icmp_unsigned(">=", index, view.size)):
        context.call_conv.return_user_exc(builder, IndexError, ("index out of range",))
    return builder.zext(load(builder, I8, view.data, index), I64)


@lower_builtin(operator.getitem, View, types.SliceType)
def bytes_between(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Some of the bytes, as Python's slices have them."""
    view = context.make_helper(builder, sig.args[0], args[0])
    between = context.make_helper(builder, sig.args[1], args[1])
    slicing.fix_slice(builder, between, view.size)
    size = slicing.get_slice_length(builder, between)
    return made(context, builder, builder.gep(view.data, [between.start]), size)


def check_utf8(context: Any, builder: Any, slot: Slot, view: Any) -> None:
    """Fail unless these bytes are UTF-8."""
    kind = signature(types.boolean, BYTES)
    found = context.compile_internal(builder, is_utf8, kind, [view])
    with cgutils.if_unlikely(builder, builder.not_(found)):
        context.call_conv.return_user_exc(builder, ValueError, (not_utf8(slot),))


def is_utf8(view: Any) -> bool:
    """Whether bytes are UTF-8: no stray byte, nothing longer than needed, no surrogate."""
    left = 0  # bytes that have to follow
    least, most = 0x80, 0xBF  # what the next of them may be
    for place in range(len(view)):
        byte = view[place]
        if left:
            if byte < least or byte > most:
                return False
            left -= 1
            least, most = 0x80, 0xBF
        elif byte >= 0x80:
            if byte < 0xC2 or byte > 0xF4:
                return False
            left = 1 if byte < 0xE0 else 2 if byte < 0xF0 else 3
            if byte == 0xE0:
                least = 0xA0
            elif byte == 0xED:
                most = 0x9F
            elif byte == 0xF0:
                least = 0x90
            elif byte == 0xF4:
                most = 0x8F
    return left == 0
