"""What a function can do with the bytes of a string or binary: the types of it."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import types
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    bound_function,
    infer_getattr,
    infer_global,
    signature,
)

from penstock.compiled.kernel.types import BYTES, View, is_constant, is_view


def _are_views(args: Any) -> bool:
    """Whether one of two is a view, and the other as good as one."""
    return any(map(is_view, args)) and all(is_view(a) or is_constant(a) for a in args)


@infer_global(operator.eq)
@infer_global(operator.ne)
@infer_global(operator.lt)
@infer_global(operator.le)
@infer_global(operator.gt)
@infer_global(operator.ge)
@infer_global(operator.contains)
class Comparison(AbstractTemplate):
    """Two views, or a view and a constant."""

    def generic(self, args: Any, kws: Any) -> Any:
        """The type of a comparison."""
        if not kws and len(args) == 2 and _are_views(args):
            return signature(types.boolean, BYTES, BYTES)
        return None


@infer_global(len)
class Length(AbstractTemplate):
    """`len(view)`."""

    def generic(self, args: Any, kws: Any) -> Any:
        """The type of a length."""
        return signature(types.int64, BYTES) if not kws and is_view(args[0]) else None


@infer_global(bool)
class Truth(AbstractTemplate):
    """`if view:`."""

    def generic(self, args: Any, kws: Any) -> Any:
        """The type of a condition."""
        return signature(types.boolean, BYTES) if not kws and is_view(args[0]) else None


@infer_global(operator.getitem)
class Item(AbstractTemplate):
    """`view[i]` and `view[a:b]`."""

    def generic(self, args: Any, kws: Any) -> Any:
        """The type of a byte, or of some."""
        if kws or not is_view(args[0]):
            return None
        if isinstance(args[1], types.Integer):
            return signature(types.int64, BYTES, types.int64)
        return signature(BYTES, BYTES, args[1]) if args[1] == types.slice2_type else None


@infer_getattr
class ViewMethods(AttributeTemplate):
    """`view.startswith(...)` and its like."""

    key = View

    @bound_function("penstock.startswith")
    def resolve_startswith(self, view: Any, args: Any, kws: Any) -> Any:
        """Whether a view begins with another."""
        return _of_part(types.boolean, view, args, kws)

    @bound_function("penstock.endswith")
    def resolve_endswith(self, view: Any, args: Any, kws: Any) -> Any:
        """Whether a view ends with another."""
        return _of_part(types.boolean, view, args, kws)

    @bound_function("penstock.find")
    def resolve_find(self, view: Any, args: Any, kws: Any) -> Any:
        """Where in a view another is."""
        return _of_part(types.int64, view, args, kws)


def _of_part(returned: Any, view: Any, args: Any, kws: Any) -> Any:
    if kws or len(args) != 1 or not (is_view(args[0]) or is_constant(args[0])):
        return None
    return signature(returned, BYTES, recvr=view)
