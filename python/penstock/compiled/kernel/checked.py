"""Arithmetic as Python has it, where numba would go on with a wrong number.

numba's 64-bit whole numbers wrap around without a word. So every such operation of a user's function is swapped, before types are inferred,
for one of the functions below, which do the same with anything else.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

from penstock.compiled.kernel.memory import I64

LEAST = I64(-(2**63))
TOO_LARGE = "a whole number does not fit into 64 bits"
NOT_WHOLE = "a double does not fit into a whole number of 64 bits"
NOT_A_NUMBER = "cannot make a whole number of NaN"

# By what the user wrote: what stands for it.
SWAPPED: dict[Any, Any] = {}

Code = Callable[[Any, Any, Any, list[Any]], Any]


def fail_if(context: Any, builder: Any, wrong: Any, kind: type, message: str) -> None:
    """Raise an error of the row."""
    with cgutils.if_unlikely(builder, wrong):
        context.call_conv.return_user_exc(builder, kind, (message,))


def swap(original: Any, applies: Callable[[Any], Any], code: Code, arity: int = 2) -> None:
    """Let code stand for an operation where it applies, and the original elsewhere.

    Args:
        original: What the user wrote.
        applies: Gives the signature for arguments that the code is for, else None.
        code: What to do with them.
        arity: Of the operation.
    """

    def checked(*args: Any) -> Any:
        return original(*args)

    # numba looks it up in its module.
    checked.__name__ = checked.__qualname__ = f"checked_{original.__name__}"
    globals()[checked.__name__] = SWAPPED[original] = checked

    @infer_global(checked)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if not kws and len(args) == arity:
                found = applies(args)
                if found is not None:
                    return found
            return self.context.resolve_function_type(original, args, kws)

    @lower_builtin(checked, *(types.Any,) * arity)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if applies(sig.args) == sig:
            return code(context, builder, sig, args)
        return called(context, builder, original, sig.args, args)


def called(context: Any, builder: Any, function: Any, kinds: Any, args: Any) -> Any:
    """Do what numba does with arguments of these types."""
    known = context.typing_context.resolve_value_type(function)
    sig = known.get_call_type(context.typing_context, kinds, {})
    cast = [context.cast(builder, *one) for one in zip(args, kinds, sig.args, strict=True)]
    return context.get_function(known, sig)(builder, cast)


def _whole(args: Any) -> Any:
    inner = [types.unliteral(arg) for arg in args]
    inner = [arg.type if isinstance(arg, types.Optional) else arg for arg in inner]
    if all(arg == types.int64 for arg in inner):
        return signature(types.int64, *[types.int64] * len(args))
    return None


def _with_overflow(name: str) -> Code:
    def code(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
        both = getattr(builder, f"{name}_with_overflow")(*args)
        fail_if(context, builder, builder.extract_value(both, 1), OverflowError, TOO_LARGE)
        return builder.extract_value(both, 0)

    return code


def _original(operation: Any, context: Any, builder: Any, args: list[Any]) -> Any:
    sig = signature(types.int64, *[types.int64] * len(args))
    return context.get_function(operation, sig)(builder, args)


def _floordiv(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
    least = builder.icmp_signed("==", args[0], LEAST)
    wrong = builder.and_(least, builder.icmp_signed("==", args[1], I64(-1)))
    fail_if(context, builder, wrong, OverflowError, TOO_LARGE)
    return _original(operator.floordiv, context, builder, args)


def _mod(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
    # The processor would overflow in a division by -1; the rest is that of a division by 1.
    minus = builder.icmp_signed("==", args[1], I64(-1))
    by = builder.select(minus, I64(1), args[1])
    return _original(operator.mod, context, builder, [args[0], by])


def _pow(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
    negative = builder.icmp_signed("<", args[1], I64(0))
    told = "a whole number to a negative power is none; make one of them a double"
    fail_if(context, builder, negative, ValueError, told)
    as_floats = [builder.sitofp(arg, ir.DoubleType()) for arg in args]
    sig = signature(types.float64, types.float64, types.float64)
    rough = context.get_function(operator.pow, sig)(builder, as_floats)
    # No power above the first is so near to a limit that a double could mistake it.
    several = builder.icmp_signed(">", args[1], I64(1))
    wrong = builder.and_(several, _outside(builder, rough))
    fail_if(context, builder, wrong, OverflowError, TOO_LARGE)
    return _original(operator.pow, context, builder, args)


def _lshift(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
    value, by = args
    negative = builder.icmp_signed("<", by, I64(0))
    fail_if(context, builder, negative, ValueError, "negative shift count")
    far = builder.icmp_unsigned(">", by, I64(63))
    moved = builder.shl(value, builder.select(far, I64(63), by))
    back = builder.ashr(moved, builder.select(far, I64(63), by))
    lost = builder.or_(far, builder.icmp_signed("!=", back, value))
    some = builder.icmp_signed("!=", value, I64(0))
    fail_if(context, builder, builder.and_(lost, some), OverflowError, TOO_LARGE)
    return builder.select(some, moved, I64(0))


def _neg(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
    fail_if(context, builder, builder.icmp_signed("==", args[0], LEAST), OverflowError, TOO_LARGE)
    return builder.neg(args[0])


def _abs(context: Any, builder: Any, sig: Any, args: list[Any]) -> Any:
    negated = _neg(context, builder, sig, args)
    return builder.select(builder.icmp_signed("<", args[0], I64(0)), negated, args[0])


def _outside(builder: Any, value: Any) -> Any:
    """Whether a double is not among the whole numbers of 64 bits; NaN is not."""
    limit = ir.Constant(ir.DoubleType(), 2.0**63)
    low = builder.fcmp_ordered(">=", value, ir.Constant(ir.DoubleType(), -(2.0**63)))
    return builder.not_(builder.and_(low, builder.fcmp_ordered("<", value, limit)))


def _real(args: Any) -> Any:
    inner = args[0].type if isinstance(args[0], types.Optional) else args[0]
    return signature(types.int64, types.float64) if inner == types.float64 else None


def _int(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
    nan = builder.fcmp_unordered("uno", args[0], args[0])
    fail_if(context, builder, nan, ValueError, NOT_A_NUMBER)
    fail_if(context, builder, _outside(builder, args[0]), OverflowError, NOT_WHOLE)
    return builder.fptosi(args[0], I64)


for _name, _code in {
    "add": _with_overflow("sadd"),
    "sub": _with_overflow("ssub"),
    "mul": _with_overflow("smul"),
    "floordiv": _floordiv,
    "mod": _mod,
    "pow": _pow,
    "lshift": _lshift,
}.items():
    swap(getattr(operator, _name), _whole, _code)
    swap(getattr(operator, f"i{_name}"), _whole, _code)
swap(operator.neg, _whole, _neg, arity=1)
swap(abs, _whole, _abs, arity=1)
swap(int, _real, _int, arity=1)
