"""`==` and `!=` of values that may be null, as Python has them: null equals null alone."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

from penstock.compiled.kernel.checked import SWAPPED, called
from penstock.compiled.kernel.memory import I1


def _inner(kind: Any) -> Any:
    return kind.type if isinstance(kind, types.Optional) else kind


def _swap(original: Any) -> None:
    def compared(one: Any, other: Any) -> Any:
        return original(one, other)

    # numba looks it up in its module.
    compared.__name__ = compared.__qualname__ = f"checked_{original.__name__}"
    globals()[compared.__name__] = SWAPPED[original] = compared

    @infer_global(compared)
    class Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 2 and any(isinstance(arg, types.Optional) for arg in args):
                inner = tuple(map(_inner, args))
                if self.context.resolve_function_type(original, inner, kws) is not None:
                    return signature(types.boolean, *args)
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
        inner = tuple(map(_inner, sig.args))
        found = called(context, builder, original, inner, values)
        both = builder.and_(*valid)
        same_nullness = builder.icmp_unsigned("==", *valid)
        if original is operator.ne:
            same_nullness = builder.not_(same_nullness)
        return builder.select(both, found, same_nullness)


_swap(operator.eq)
_swap(operator.ne)
