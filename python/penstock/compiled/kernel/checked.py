"""Arithmetic as Python has it, where numba would go on with a wrong number.

numba's 64-bit whole numbers wrap around without a word. So every such operation of a user's function is swapped, before types are inferred,
for one of the functions below, which do the same with anything else.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

from penstock.compiled.kernel.memory import I64

LEAST = I64(-(2**63))
TOO_LARGE = "a whole number does not fit into 64 bits"

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
        arity: Of what the code is for; the original may take more.
    """

    def checked(*args: Any) -> Any:
        return original(*args)

    named(checked, original)

    @infer_global(checked)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if not kws and len(args) == arity:
                found = applies(args)
                if found is not None:
                    return found
            return self.context.resolve_function_type(original, args, kws)

    @lower_builtin(checked, types.VarArg(types.Any))
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if len(args) == arity and applies(sig.args) == sig:
            return code(context, builder, sig, args)
        return called(context, builder, original, sig.args, args)


def named(function: Any, original: Any) -> None:
    """Let a function stand for an original, under a name that tells which."""
    name = f"checked_{original.__name__}"
    if original.__module__ == "math" or name in globals():
        name = f"checked_{original.__module__}.{original.__name__}"
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__  # where numba looks it up
    globals()[name] = SWAPPED[original] = function


def called(context: Any, builder: Any, function: Any, kinds: Any, args: Any) -> Any:
    """Do what numba does with arguments of these types."""
    known = context.typing_context.resolve_value_type(function)
    sig = known.get_call_type(context.typing_context, kinds, {})
    cast = [context.cast(builder, *one) for one in zip(args, kinds, sig.args, strict=True)]
    return context.get_function(known, sig)(builder, cast)


def inner_kinds(args: Any) -> list[Any]:
    """The types of arguments without what is known of them, and without null."""
    inner = [types.unliteral(arg) for arg in args]
    return [arg.type if isinstance(arg, types.Optional) else arg for arg in inner]


def whole(args: Any) -> Any:
    """The signature for whole numbers of which the result has 64 bits."""
    inner = inner_kinds(args)
    if types.int64 in inner and all(map(_is_whole, inner)):
        return signature(types.int64, *[types.int64] * len(args))
    return None


def _is_whole(kind: Any) -> bool:
    if isinstance(kind, types.Integer):
        return bool(kind.signed or kind.bitwidth < 64)
    return isinstance(kind, types.Boolean)


def _with_overflow(name: str) -> Code:
    def code(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
        both = getattr(builder, f"{name}_with_overflow")(*args)
        fail_if(context, builder, builder.extract_value(both, 1), OverflowError, TOO_LARGE)
        return builder.extract_value(both, 0)

    return code


def of_numba(operation: Any, context: Any, builder: Any, args: list[Any]) -> Any:
    """What numba makes of an operation on whole numbers."""
    sig = signature(types.int64, *[types.int64] * len(args))
    return context.get_function(operation, sig)(builder, args)


def _floordiv(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
    least = builder.icmp_signed("==", args[0], LEAST)
    wrong = builder.and_(least, builder.icmp_signed("==", args[1], I64(-1)))
    fail_if(context, builder, wrong, OverflowError, TOO_LARGE)
    return of_numba(operator.floordiv, context, builder, args)


def _mod(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
    # The processor would overflow in a division by -1; the rest is that of a division by 1.
    minus = builder.icmp_signed("==", args[1], I64(-1))
    by = builder.select(minus, I64(1), args[1])
    return of_numba(operator.mod, context, builder, [args[0], by])


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


def _rshift(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
    value, by = args
    negative = builder.icmp_signed("<", by, I64(0))
    fail_if(context, builder, negative, ValueError, "negative shift count")
    far = builder.icmp_unsigned(">", by, I64(63))
    return builder.ashr(value, builder.select(far, I64(63), by))


def _divmod(context: Any, builder: Any, sig: Any, args: list[Any]) -> Any:
    quotient = _floordiv(context, builder, sig, args)
    rest = _mod(context, builder, sig, args)
    return context.make_tuple(builder, sig.return_type, [quotient, rest])


def _two_whole(args: Any) -> Any:
    found = whole(args)
    return found and signature(types.UniTuple(types.int64, 2), *found.args)


def _gcd(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
    found = of_numba(math.gcd, context, builder, args)
    fail_if(context, builder, builder.icmp_signed("<", found, I64(0)), OverflowError, TOO_LARGE)
    return found


def _neg(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
    fail_if(context, builder, builder.icmp_signed("==", args[0], LEAST), OverflowError, TOO_LARGE)
    return builder.neg(args[0])


def _abs(context: Any, builder: Any, sig: Any, args: list[Any]) -> Any:
    negated = _neg(context, builder, sig, args)
    return builder.select(builder.icmp_signed("<", args[0], I64(0)), negated, args[0])


for _name, _code in {
    "add": _with_overflow("sadd"),
    "sub": _with_overflow("ssub"),
    "mul": _with_overflow("smul"),
    "floordiv": _floordiv,
    "mod": _mod,
    "lshift": _lshift,
    "rshift": _rshift,
}.items():
    swap(getattr(operator, _name), whole, _code)
    swap(getattr(operator, f"i{_name}"), whole, _code)
swap(operator.neg, whole, _neg, arity=1)
swap(abs, whole, _abs, arity=1)
swap(divmod, _two_whole, _divmod)
swap(math.gcd, whole, _gcd)
