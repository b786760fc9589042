"""`==`, `!=`, `not` and conditions with values that may be null, as Python has them.

Null equals null alone, and is not true. Everything else that a null is used for is an error.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

from penstock.compiled.kernel.checked import SWAPPED, called, swap
from penstock.compiled.kernel.memory import I1
from penstock.compiled.kernel.types import BYTES, is_constant


def _inner(kind: Any) -> Any:
    return kind.type if isinstance(kind, types.Optional) else kind


def _swap_comparison(original: Any) -> None:
    def compared(one: Any, other: Any) -> Any:
        return original(one, other)

    # numba looks it up in its module.
    compared.__name__ = compared.__qualname__ = f"checked_{original.__name__}"
    globals()[compared.__name__] = SWAPPED[original] = compared

    @infer_global(compared)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 2 and any(isinstance(arg, types.Optional) for arg in args):
                inner = tuple(map(_inner, args))
                if self.context.resolve_function_type(original, inner, kws) is not None:
                    kept = (BYTES if is_constant(arg) else arg for arg in args)
                    return signature(types.boolean, *kept)
            return self.context.resolve_function_type(original, args, kws)

    @lower_builtin(compared, types.Any, types.Any)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if not any(isinstance(kind, types.Optional) for kind in sig.args):
            return called(context, builder, original, sig.args, args)
        values, valid = [], []
        for kind, arg in zip(sig.args, args, strict=True):
            optional = isinstance(kind, types.Optional)
            made = context.make_helper(builder, kind, value=arg) if optional else None
            values.append(made.data if made else arg)
            valid.append(made.valid if made else I1(1))
        found = called(context, builder, original, tuple(map(_inner, sig.args)), values)
        both = builder.and_(*valid)
        same_nullness = builder.icmp_unsigned("==", *valid)
        if original is operator.ne:
            same_nullness = builder.not_(same_nullness)
        return builder.select(both, found, same_nullness)


def _of_optional(args: Any) -> Any:
    return signature(types.boolean, args[0]) if isinstance(args[0], types.Optional) else None


def _truth(context: Any, builder: Any, sig: Any, args: list[Any]) -> Any:
    optional = context.make_helper(builder, sig.args[0], value=args[0])
    inner = called(context, builder, bool, (sig.args[0].type,), [optional.data])
    return builder.and_(optional.valid, inner)


def _not(context: Any, builder: Any, sig: Any, args: list[Any]) -> Any:
    return builder.not_(_truth(context, builder, sig, args))


_swap_comparison(operator.eq)
_swap_comparison(operator.ne)
swap(bool, _of_optional, _truth, arity=1)
swap(operator.not_, _of_optional, _not, arity=1)
