"""Functions of doubles as Python has them, where numba would go on with infinity, NaN or worse.

Python never makes infinity or NaN of other numbers in a power or a function of `math`; it raises. An
infinity or NaN that was given is handed on where Python does so. Like `checked`, this is looked at
behind the result, so that what succeeds pays for one comparison.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from llvmlite import ir
from numba import literal_unroll
from numba.core import cgutils, types
from numba.core.typing.templates import signature
from numba.extending import overload

from penstock.compiled.kernel import checked
from penstock.compiled.kernel.checked import (
    SWAPPED,
    TOO_LARGE,
    Code,
    called,
    fail_if,
    inner_kinds,
    swap,
    whole,
)
from penstock.compiled.kernel.memory import I32, I64

NOT_WHOLE = "a double does not fit into a whole number of 64 bits"
NOT_A_NUMBER = "cannot make a whole number of NaN"
TOO_LARGE_DOUBLE = "the result of {} is too large for a double"
NOT_DEFINED = "{} is not defined for this value"
DOUBLE = ir.DoubleType()
INFINITY = DOUBLE(math.inf)

NEVER_TOO_LARGE = [
    "acos",
    "acosh",
    "asin",
    "atanh",
    "cos",
    "log",
    "log10",
    "log1p",
    "log2",
    "sin",
    "sqrt",
    "tan",
]
MAY_BE_TOO_LARGE = ["cosh", "exp", "exp2", "expm1", "sinh"]
# Where these are infinite at or below zero they are not defined; above they are too large.
GAMMA = ["gamma", "lgamma"]


def outside(builder: Any, value: Any) -> Any:
    """Whether a double is not among the whole numbers of 64 bits; NaN is not."""
    low = builder.fcmp_ordered(">=", value, DOUBLE(-(2.0**63)))
    return builder.not_(builder.and_(low, builder.fcmp_ordered("<", value, DOUBLE(2.0**63))))


def _finite(builder: Any, value: Any) -> Any:
    absolute = builder.module.declare_intrinsic("llvm.fabs", [DOUBLE])
    return builder.fcmp_ordered("<", builder.call(absolute, [value]), INFINITY)


def _is_nan(builder: Any, value: Any) -> Any:
    return builder.fcmp_unordered("uno", value, value)


def _reals(args: Any) -> Any:
    """The signature for doubles and whole numbers, of which at least one is a double."""
    inner = inner_kinds(args)
    if types.float64 in inner and all(kind in {types.float64, types.int64} for kind in inner):
        return signature(types.float64, *[types.float64] * len(args))
    return None


def _numbers(args: Any) -> Any:
    """The signature for doubles and whole numbers."""
    if all(kind in {types.float64, types.int64} for kind in inner_kinds(args)):
        return signature(types.float64, *[types.float64] * len(args))
    return None


def _to_whole(args: Any) -> Any:
    is_real = inner_kinds(args) == [types.float64]
    return signature(types.int64, types.float64) if is_real else None


def _rounded_to_whole(intrinsic: str | None) -> Code:
    def code(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
        fail_if(context, builder, _is_nan(builder, args[0]), ValueError, NOT_A_NUMBER)
        fail_if(context, builder, outside(builder, args[0]), OverflowError, NOT_WHOLE)
        value = args[0]
        if intrinsic:
            value = builder.call(builder.module.declare_intrinsic(intrinsic, [DOUBLE]), [value])
        return builder.fptosi(value, I64)

    return code


def _whole_power(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
    negative = builder.icmp_signed("<", args[1], I64(0))
    told = "a whole number to a negative power is none; make one of them a double"
    fail_if(context, builder, negative, ValueError, told)
    rough = _raw_power(context, builder, [builder.sitofp(arg, DOUBLE) for arg in args])
    # No power above the first is so near to a limit that a double could mistake it.
    several = builder.icmp_signed(">", args[1], I64(1))
    wrong = builder.and_(several, outside(builder, rough))
    fail_if(context, builder, wrong, OverflowError, TOO_LARGE)
    return checked.of_numba(operator.pow, context, builder, args)


def _raw_power(context: Any, builder: Any, args: list[Any]) -> Any:
    sig = signature(types.float64, types.float64, types.float64)
    return context.get_function(operator.pow, sig)(builder, args)


def _power(name: str, at_zero: type, zero: str) -> Code:
    def code(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
        made = _raw_power(context, builder, args)
        base, power = args
        with cgutils.if_unlikely(builder, builder.not_(_finite(builder, made))):
            given = builder.and_(_finite(builder, base), _finite(builder, power))
            is_zero = builder.fcmp_ordered("==", base, DOUBLE(0.0))
            fail_if(context, builder, builder.and_(given, is_zero), at_zero, zero)
            nan = builder.and_(given, _is_nan(builder, made))
            told = "a negative number to a power that is not whole is no double"
            fail_if(context, builder, nan, ValueError, told)
            fail_if(context, builder, given, OverflowError, TOO_LARGE_DOUBLE.format(name))
        return made

    return code


def _function(original: Any, kind: str) -> Code:
    """A function of `math` of one number."""
    name = f"math.{original.__name__}"

    def code(context: Any, builder: Any, sig: Any, args: list[Any]) -> Any:
        made = called(context, builder, original, sig.args, args)
        with cgutils.if_unlikely(builder, builder.not_(_finite(builder, made))):
            was_nan = _is_nan(builder, args[0])
            nan = builder.and_(_is_nan(builder, made), builder.not_(was_nan))
            infinite = builder.and_(_finite(builder, args[0]), builder.not_(was_nan))
            wrong = nan if kind == "overflow" else builder.or_(nan, infinite)
            if kind == "gamma":
                low = builder.fcmp_ordered("<=", args[0], DOUBLE(0.0))
                wrong = builder.or_(nan, builder.and_(infinite, low))
            fail_if(context, builder, wrong, ValueError, NOT_DEFINED.format(name))
            fail_if(context, builder, infinite, OverflowError, TOO_LARGE_DOUBLE.format(name))
        return made

    return code


def _scaled(args: Any) -> Any:
    value, *rest = inner_kinds(args)
    wanted = value in {types.float64, types.int64} and rest == [types.int64]
    return signature(types.float64, types.float64, types.int64) if wanted else None


def _ldexp(context: Any, builder: Any, _sig: Any, args: list[Any]) -> Any:
    value, power = args
    # Beyond this every double is zero or too large, and numba takes 32 bits.
    most = I64(5000)
    high, low = (
        builder.icmp_signed(">", power, most),
        builder.icmp_signed("<", power, I64(-5000)),
    )
    power = builder.select(high, most, builder.select(low, I64(-5000), power))
    kinds = (types.float64, types.int32)
    made = called(context, builder, math.ldexp, kinds, [value, builder.trunc(power, I32)])
    wrong = builder.and_(_finite(builder, value), builder.not_(_finite(builder, made)))
    fail_if(context, builder, wrong, OverflowError, TOO_LARGE_DOUBLE.format("math.ldexp"))
    return made


def _round(args: Any) -> Any:
    return _to_whole(args) or whole(args)


def _round_code(context: Any, builder: Any, sig: Any, args: list[Any]) -> Any:
    # llvm.rint rounds halves to even numbers, as Python does.
    if sig.args[0] == types.int64:
        return args[0]
    return _rounded_to_whole("llvm.rint")(context, builder, sig, args)


def checked_sum(iterable: Any, start: Any = 0) -> Any:
    """Stands for `sum`."""
    return sum(iterable, start)


checked.named(checked_sum, sum)


@overload(checked_sum)
def _sum(iterable, start=0):  # type: ignore[no-untyped-def]  # noqa: ARG001 - numba's interface
    """As numba's own, but for the addition."""
    add = SWAPPED[operator.add]
    if isinstance(iterable, types.containers._HeterogeneousTuple):
        iterator = literal_unroll
    elif isinstance(iterable, types.IterableType):
        iterator = iter
    else:
        return None

    def added(iterable, start=0):  # type: ignore[no-untyped-def]
        found = start
        for one in iterator(iterable):
            found = add(found, one)
        return found

    return added


_real_power = _power("**", ZeroDivisionError, "0.0 cannot be raised to a negative power")


def _any_power(context: Any, builder: Any, sig: Any, args: list[Any]) -> Any:
    code = _whole_power if sig.return_type == types.int64 else _real_power
    return code(context, builder, sig, args)


for _pow in (operator.pow, operator.ipow, pow):
    swap(_pow, lambda args: whole(args) or _reals(args), _any_power)
swap(math.pow, _numbers, _power("math.pow", ValueError, NOT_DEFINED.format("math.pow")))
for _kind, _names in {
    "domain": NEVER_TOO_LARGE,
    "overflow": MAY_BE_TOO_LARGE,
    "gamma": GAMMA,
}.items():
    for _name in _names:
        if hasattr(math, _name):  # exp2 came with Python 3.11
            _math = getattr(math, _name)
            swap(_math, _numbers, _function(_math, _kind), arity=1)
swap(math.ldexp, _scaled, _ldexp)
swap(int, _to_whole, _rounded_to_whole(None), arity=1)
swap(math.trunc, _to_whole, _rounded_to_whole(None), arity=1)
swap(math.floor, _to_whole, _rounded_to_whole("llvm.floor"), arity=1)
swap(math.ceil, _to_whole, _rounded_to_whole("llvm.ceil"), arity=1)
swap(round, _round, _round_code, arity=1)
