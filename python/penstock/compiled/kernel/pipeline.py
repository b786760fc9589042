"""How a user's function is compiled: numba's own way, with checked arithmetic."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from numba.core import ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, FunctionPass, register_pass
from numba.core.dispatcher import Dispatcher
from numba.core.ir_utils import get_definition, guard, require
from numba.core.typed_passes import NopythonTypeInference
from numba.core.untyped_passes import IRProcessing

from penstock.compiled.captured import can_be_hashed, is_array
from penstock.compiled.function import Compiled
from penstock.compiled.kernel.addresses import settled
from penstock.compiled.kernel.checked import SWAPPED
from penstock.compiled.kernel.mistakes import mistake
from penstock.compiled.kernel.types import ArrayType, StateType, is_view

# Of what numba makes a text: that of Python.
TEXTS = (types.Integer, types.Boolean, types.UnicodeType, types.UnicodeCharSeq, types.CharSeq)


@register_pass(mutates_CFG=False, analysis_only=False)
class CheckArithmetic(FunctionPass):
    """Swap operations for checked ones."""

    _name = "penstock_check_arithmetic"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Look at every statement."""
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts(ir.Assign):
                _take_out_of_module(statement, state.func_ir)
                _swap(statement.value)
        return True


@register_pass(mutates_CFG=False, analysis_only=True)
class CheckTypes(AnalysisPass):
    """Refuse what numba does without a word, once types are known.

    It would cut a double for a whole number's field, and a text of a double is `<object type:...>`.
    """

    _name = "penstock_check_types"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Look at every assignment to a field and at every text that is made of something."""
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts((ir.SetAttr, ir.SetItem, ir.StaticSetItem)):
                target = state.typemap[statement.target.name]
                if isinstance(target, (StateType, ArrayType)):
                    _check(statement, target, state.typemap[statement.value.name])
            for call in block.find_exprs("call"):
                function = state.typemap[call.func.name]
                if isinstance(function, types.Function) and function.typing_key in (str, repr):
                    _check_text(call, state.typemap[call.args[0].name] if call.args else None)
        return False


def _take_out_of_module(statement: Any, code: Any) -> None:
    """Let `module.name` be what `name` alone would be: swapped, and frozen instead of written to."""
    value = statement.value
    if isinstance(value, ir.Expr) and value.op == "getattr":
        owner = guard(_module, code, value.value)
        found = vars(owner).get(value.attr) if owner is not None else None
        if type(found) is tuple or is_array(found) or _is_function(found):
            statement.value = ir.Global(value.attr, found, value.loc)


def _module(code: Any, variable: Any) -> Any:
    """The module that a variable stands for."""
    made = get_definition(code, variable)
    if isinstance(made, ir.Expr) and made.op == "getattr":
        found = vars(_module(code, made.value)).get(made.attr)
    else:
        found = getattr(made, "value", None)
    require(isinstance(found, ModuleType))
    return found


def _is_function(value: Any) -> bool:
    known = isinstance(value, (Compiled, Dispatcher))
    return known or (callable(value) and can_be_hashed(value) and value in SWAPPED)


def _swap(value: Any) -> None:
    if isinstance(value, (ir.Global, ir.FreeVar)):
        value.value = settled(value.value)
        if _is_function(value.value):
            value.value = SWAPPED.get(value.value, value.value)
    elif isinstance(value, ir.Expr) and value.op in {"binop", "inplace_binop", "unary"}:
        value.fn = SWAPPED.get(value.fn, value.fn)
        if value.op == "inplace_binop":
            value.immutable_fn = SWAPPED.get(value.immutable_fn, value.immutable_fn)


def _check(statement: Any, target: Any, given: Any) -> None:
    inner = given.type if isinstance(given, types.Optional) else given
    if isinstance(target, ArrayType):
        slot = target.slot
    else:
        slot = next(slot for slot in target.record.slots if slot.name == statement.attr)
    if isinstance(inner, types.Float) and slot.kind != "float":
        raise mistake(
            f"state.{slot.name} is a {slot.word}, but a double is assigned to it; write int(...), "
            "or declare it as double",
            statement.loc,
        )


def _check_text(call: Any, given: Any) -> None:
    inner = types.unliteral(given.type if isinstance(given, types.Optional) else given)
    if not isinstance(inner, TEXTS):
        told = {"float64": "a double"}.get(str(inner), str(inner))
        what = "a string column, which is bytes" if is_view(inner) else told
        raise mistake(
            f"numba cannot make a text of {what}; use it as it is, or a batch function", call.loc
        )


class CheckedCompiler(CompilerBase):
    """numba's pipeline without object mode, with our passes."""

    def define_pipelines(self) -> list[Any]:
        """The one pipeline."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state, "nopython")
        passes.add_pass_after(CheckArithmetic, IRProcessing)
        passes.add_pass_after(CheckTypes, NopythonTypeInference)
        passes.finalize()
        return [passes]
