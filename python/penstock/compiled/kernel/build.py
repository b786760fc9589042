"""From a row function to object code that any worker can load."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
from numba.core import types
from numba.core.compiler import Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from penstock.compiled.function import Compiled
from penstock.compiled.kernel import (  # noqa: F401 - they register what functions can do
    access,
    arrays,
    checked_reals,
    helpers,
    nulls,
    view_code,
    views,
)
from penstock.compiled.kernel.addresses import check_addresses
from penstock.compiled.kernel.failures import texts_of
from penstock.compiled.kernel.loop import kernel_around
from penstock.compiled.kernel.pipeline import CheckedCompiler
from penstock.compiled.kernel.types import OutType, RowType, StateType
from penstock.compiled.layout import Record, Slot
from penstock.compiled.object_code import ObjectCode, baseline


def build(
    function: Callable[..., Any],
    role: str,
    given: tuple[Slot, ...],
    record: Record | None,
    made: tuple[Slot, ...] | None,
) -> ObjectCode:
    """Compile a function and the loop around it.

    Args:
        function: What the user wrote.
        role: What it is used for: `process`, `map` or `filter`.
        given: Columns of the rows.
        record: Of a key, if it goes by keys.
        made: Columns of the rows it makes; None if it passes rows on.
    """
    row_and_out = (RowType(given), OutType(made))
    args = row_and_out if record is None else (StateType(record), *row_and_out)
    with global_compiler_lock:
        step = _compiled(_step(function, role, made), args, types.none)
        kernel = kernel_around(step, texts_of(step.library.get_llvm_str()))
        whole = _compiled(kernel, (types.int64,), types.int32)
        check_addresses(whole.library.get_llvm_str(), function)
        return _object(whole.library.get_llvm_str())


def _compiled(function: Any, args: tuple[Any, ...], returned: Any) -> Any:
    flags = Flags()
    flags.nrt = True
    flags.error_model = "python"
    flags.boundscheck = True
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.forceinline = True
    typing, target = cpu_target.typing_context, cpu_target.target_context
    typing.refresh()
    target.refresh()
    return compile_extra(
        typing, target, function, args, returned, flags, {}, pipeline_class=CheckedCompiler
    )


def _step(function: Any, role: str, made: tuple[Slot, ...] | None) -> Any:
    """A function of (row, out), or of (state, row, out), whatever the user's returns."""
    if role == "process":
        return function
    called = Compiled(function)

    def keep_if(row, out):  # type: ignore[no-untyped-def]
        passes = called(row)
        if passes is not None and passes:
            out.keep()

    def emit_one(row, out):  # type: ignore[no-untyped-def]
        out.emit(called(row))

    def emit_all(row, out):  # type: ignore[no-untyped-def]
        out.emit(*called(row))

    if role == "filter":
        return keep_if
    return emit_one if made is not None and len(made) == 1 else emit_all


def _object(text: str) -> ObjectCode:
    module = llvm.parse_assembly(text)
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=baseline(), opt=3, reloc="pic", codemodel="small"
    )
    needs = sorted(
        one.name
        for one in (*module.functions, *module.global_variables)
        if one.is_declaration and not one.name.startswith("llvm.")
    )
    return ObjectCode.of(machine.emit_object(module), tuple(needs))
