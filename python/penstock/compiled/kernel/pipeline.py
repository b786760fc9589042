"""How a user's function is compiled: numba's own way, with checked arithmetic."""

from __future__ import annotations

from typing import Any

from numba.core import ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, FunctionPass, register_pass
from numba.core.typed_passes import NopythonTypeInference
from numba.core.untyped_passes import IRProcessing

from penstock.compiled.kernel.checked import SWAPPED
from penstock.compiled.kernel.mistakes import mistake
from penstock.compiled.kernel.types import StateType

FUNCTIONS = (abs, bool, hash, int)


@register_pass(mutates_CFG=False, analysis_only=False)
class CheckArithmetic(FunctionPass):
    """Swap operations for checked ones."""

    _name = "penstock_check_arithmetic"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Look at every statement."""
        swapped = [
            _swap(statement.value)
            for block in state.func_ir.blocks.values()
            for statement in block.find_insts(ir.Assign)
        ]
        return any(swapped)


@register_pass(mutates_CFG=False, analysis_only=True)
class CheckFields(AnalysisPass):
    """Refuse a double for a whole number's field, which numba would cut without a word."""

    _name = "penstock_check_fields"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Look at every assignment to a field."""
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts(ir.SetAttr):
                target = state.typemap[statement.target.name]
                if isinstance(target, StateType):
                    _check(statement, target, state.typemap[statement.value.name])
        return False


def _swap(value: Any) -> bool:
    if isinstance(value, ir.Global) and any(value.value is one for one in FUNCTIONS):
        value.value = SWAPPED[value.value]
        return True
    if not (isinstance(value, ir.Expr) and value.op in {"binop", "inplace_binop", "unary"}):
        return False
    if value.fn not in SWAPPED:
        return False
    value.fn = SWAPPED[value.fn]
    if value.op == "inplace_binop":
        value.immutable_fn = SWAPPED[value.immutable_fn]
    return True


def _check(statement: Any, target: StateType, given: Any) -> None:
    inner = given.type if isinstance(given, types.Optional) else given
    slot = next(slot for slot in target.record.slots if slot.name == statement.attr)
    if isinstance(inner, types.Float) and slot.kind != "float":
        raise mistake(
            f"state.{slot.name} is a {slot.word}, but a double is assigned to it; write int(...), "
            "or declare it as double",
            statement.loc,
        )


class CheckedCompiler(CompilerBase):
    """numba's pipeline without object mode, with our passes."""

    def define_pipelines(self) -> list[Any]:
        """The one pipeline."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state, "nopython")
        passes.add_pass_after(CheckArithmetic, IRProcessing)
        passes.add_pass_after(CheckFields, NopythonTypeInference)
        passes.finalize()
        return [passes]
