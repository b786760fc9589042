"""What a function can do with a field of a state that is an array: `[i]`, `[i] = x` and `len`."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import cgutils, types
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

from penstock.compiled.kernel.memory import (
    I64,
    check_fits,
    load,
    memory_type,
    narrowed,
    store,
    widened,
)
from penstock.compiled.kernel.mistakes import mistake
from penstock.compiled.kernel.types import ArrayType, Nullable, value_type
from penstock.compiled.plain import outside, overflow_of, whole_array


def _is_place(kind: Any) -> bool:
    inner = kind.type if isinstance(kind, types.Optional) else kind
    return isinstance(inner, types.Integer)


@infer_global(operator.getitem)
class ArrayItem(AbstractTemplate):
    """`state.field[i]`."""

    def generic(self, args: Any, kws: Any) -> Any:
        """The type of a value."""
        if kws or not isinstance(args[0], ArrayType) or not _is_place(args[1]):
            return None
        return signature(value_type(args[0].slot), args[0], types.int64)


@infer_global(operator.setitem)
class SetArrayItem(AbstractTemplate):
    """`state.field[i] = value`."""

    def generic(self, args: Any, kws: Any) -> Any:
        """What it takes."""
        if kws or not isinstance(args[0], ArrayType) or not _is_place(args[1]):
            return None
        return signature(types.none, args[0], types.int64, value_type(args[0].slot))


@infer_global(len)
class ArrayLength(AbstractTemplate):
    """`len(state.field)`."""

    def generic(self, args: Any, kws: Any) -> Any:
        """The type of a length."""
        is_array = not kws and isinstance(args[0], ArrayType)
        return signature(types.int64, args[0]) if is_array else None


@lower_builtin(operator.getitem, ArrayType, types.Integer)
def get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Read a value."""
    slot = sig.args[0].slot
    place = _checked(context, builder, slot, args[1])
    first = context.make_helper(builder, sig.args[0], args[0]).first
    return widened(builder, slot, load(builder, memory_type(slot), first, place))


@lower_builtin(operator.setitem, ArrayType, types.Integer, types.Any)
def set_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Write a value."""
    slot = sig.args[0].slot
    place = _checked(context, builder, slot, args[1])
    check_fits(context, builder, slot, args[2], overflow_of(slot))
    first = context.make_helper(builder, sig.args[0], args[0]).first
    store(builder, narrowed(builder, slot, args[2]), first, place)
    return context.get_dummy_value()


@lower_builtin(len, ArrayType)
def length(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001 - numba's interface
    """How many values there are, which never changes."""
    return I64(sig.args[0].slot.length)


@lower_cast(types.Any, ArrayType)
@lower_cast(Nullable, ArrayType)
def whole(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:  # noqa: ARG001
    """Only what is set as a whole is made an array of another type."""
    raise mistake(whole_array(wanted.slot))


def _checked(context: Any, builder: Any, slot: Any, place: Any) -> Any:
    """The place, counted from the end if it is below zero; an error of the row if there is none."""
    below = builder.icmp_signed("<", place, I64(0))
    place = builder.select(below, builder.add(place, I64(slot.length)), place)
    wrong = builder.icmp_unsigned(">=", place, I64(slot.length))
    with cgutils.if_unlikely(builder, wrong):
        context.call_conv.return_user_exc(builder, IndexError, (outside(slot),))
    return place
