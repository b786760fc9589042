"""What `out.keep()` and `out.emit(...)` are."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AttributeTemplate, bound_function, infer_getattr, signature

from penstock.compiled.kernel.memory import (
    I8,
    I32,
    I64,
    POINTER,
    check_fits,
    narrowed,
    store,
    word,
)
from penstock.compiled.kernel.mistakes import mistake
from penstock.compiled.kernel.types import BYTES, TEXT, OutType, View, is_constant, value_type
from penstock.compiled.kernel.view_code import check_utf8, copy
from penstock.compiled.layout import Slot
from penstock.compiled.plain import overflow_of, wrong_count
from penstock.errors import did_you_mean

ROWS, ROW, COLUMNS, STATES, KEYS, STATE_BYTES, OUT, FROM = range(8)
MADE, CAPACITY, GROW, GROW_BYTES, FAILED, MESSAGE = range(8, 14)
OUTPUT_WORDS = 5
VALUES, VALID, ENDS, BYTES_WRITTEN, BYTE_CAPACITY = range(OUTPUT_WORDS)
FIRST_ROWS, FIRST_BYTES = 64, 1024
NO_MEMORY = "there is no memory for the rows that are made"


@infer_getattr
class OutAttributes(AttributeTemplate):
    """`out.keep` and `out.emit`."""

    key = OutType

    @bound_function("penstock.keep")
    def resolve_keep(self, out: Any, args: Any, kws: Any) -> Any:
        """Pass the row on."""
        if out.slots is not None:
            raise mistake("out.keep() passes rows on as they are, but out= names new columns")
        if args or kws:
            raise mistake("out.keep() takes nothing; out.emit(...) makes rows of new columns")
        return signature(types.none)

    @bound_function("penstock.emit")
    def resolve_emit(self, out: Any, args: Any, kws: Any) -> Any:
        """Make a row."""
        if out.slots is None:
            raise mistake("out.emit() makes rows of new columns; name them with out=")
        given = _in_order(out.slots, args, kws)
        return signature(types.none, *map(_wanted, out.slots, given)).replace(
            pysig=_python_signature(out.slots)
        )

    def generic_resolve(self, out: Any, name: str) -> Any:  # noqa: ARG002 - numba's interface
        """Anything else is a mistake."""
        raise mistake(f"unknown out.{name}; {did_you_mean(name, ['emit', 'keep'])}")


def _in_order(slots: tuple[Slot, ...], args: Any, kws: Any) -> list[Any]:
    names = [slot.name for slot in slots]
    for name in kws:
        if name not in names[len(args) :]:
            raise mistake(f"out.emit({name}=...) is no column left; {did_you_mean(name, names)}")
    if len(args) + len(kws) != len(slots):
        raise mistake(wrong_count(slots, len(args) + len(kws)))
    return [*args, *(kws[name] for name in names[len(args) :])]


def _python_signature(slots: tuple[Slot, ...]) -> Signature | None:
    if not all(slot.name.isidentifier() for slot in slots):
        return None
    return Signature([Parameter(s.name, Parameter.POSITIONAL_OR_KEYWORD) for s in slots])


def _wanted(slot: Slot, given: Any) -> Any:
    """As what a value of this type goes into a column."""
    found = types.unliteral(given)
    if isinstance(found, types.NoneType):
        if not slot.nullable:
            raise mistake(f"column '{slot.name}' of out= is NOT NULL, but None is emitted for it")
        return types.Optional(value_type(slot))
    inner = found.type if isinstance(found, types.Optional) else found
    if not _suits(slot, inner):
        raise mistake(
            f"column '{slot.name}' of out= is a {slot.word}, but {_told(inner)} is emitted for it"
            + (
                "; say which whole number with int(...)"
                if isinstance(inner, types.Float) and slot.kind == "int"
                else ""
            )
        )
    wanted = inner if isinstance(inner, View) else value_type(slot)
    if is_constant(inner):
        wanted = TEXT if isinstance(inner, types.UnicodeType) else BYTES
    return types.Optional(wanted) if slot.nullable and inner is not found else wanted


def _suits(slot: Slot, given: Any) -> bool:
    if slot.kind in {"text", "bytes"}:
        return isinstance(given, View) or is_constant(given)
    whole = isinstance(given, (types.Integer, types.Boolean))
    if slot.kind == "float":
        return whole or isinstance(given, types.Float)
    return whole if slot.kind == "int" else isinstance(given, types.Boolean)


def _told(kind: Any) -> str:
    return {"float64": "a double", "int64": "a whole number", "text": "a string"}.get(
        str(kind), str(kind)
    )


@lower_builtin("penstock.keep", OutType)
def keep(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Note the row's place."""
    out = context.make_helper(builder, sig.args[0], args[0])
    _finish_row(builder, out, _room(context, builder, out))
    return context.get_dummy_value()


@lower_builtin("penstock.emit", OutType, types.VarArg(types.Any))
def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Write a row; everything that can fail comes before the first byte."""
    kind = sig.args[0]
    out = context.make_helper(builder, kind, args[0])
    values = []
    for slot, given, value in zip(kind.slots, sig.args[1:], args[1:], strict=True):
        valid, inner, found = I8(1), given, value
        if isinstance(given, types.Optional):
            optional = context.make_helper(builder, given, value=value)
            valid, inner = builder.zext(optional.valid, I8), given.type
            zero = ir.Constant(optional.data.type, None)
            found = builder.select(optional.valid, optional.data, zero)
        if isinstance(inner, View):
            if slot.kind == "text" and not inner.text:
                check_utf8(context, builder, slot, found)
        else:
            check_fits(context, builder, slot, found, overflow_of(slot))
        values.append((valid, inner, found))
    made = _room(context, builder, out)
    for place, (slot, (valid, inner, value)) in enumerate(zip(kind.slots, values, strict=True)):
        if isinstance(inner, View):
            view = context.make_helper(builder, inner, value)
            _write_bytes(context, builder, out, place=place, made=made, valid=valid, view=view)
            continue
        column = _column(builder, out, place)
        store(builder, valid, word(builder, column, VALID, POINTER), made)
        target = word(builder, column, VALUES, POINTER)
        store(builder, narrowed(builder, slot, value), target, made)
    _finish_row(builder, out, made)
    return context.get_dummy_value()


def _write_bytes(
    context: Any, builder: Any, out: Any, *, place: int, made: Any, valid: Any, view: Any
) -> None:
    column = _column(builder, out, place)
    written = word(builder, column, BYTES_WRITTEN)
    end = builder.add(written, view.size)
    full = builder.icmp_signed(">", end, word(builder, column, BYTE_CAPACITY))
    with builder.if_then(full, likely=False):
        more = builder.add(view.size, builder.add(written, I64(FIRST_BYTES)))
        _grow(context, builder, out, GROW_BYTES, [I64(place), more])
    column = _column(builder, out, place)
    target = builder.gep(word(builder, column, VALUES, POINTER), [written])
    copy(builder, target, view.data, view.size)
    store(builder, valid, word(builder, column, VALID, POINTER), made)
    store(builder, builder.trunc(end, I32), word(builder, column, ENDS, POINTER), made)
    store(builder, end, column, BYTES_WRITTEN)


def _column(builder: Any, out: Any, place: int) -> Any:
    columns = word(builder, out.frame, OUT, POINTER)
    return builder.gep(columns, [I64(place * OUTPUT_WORDS * 8)])


def _room(context: Any, builder: Any, out: Any) -> Any:
    """Make room for one more row, and say which one it is."""
    made = word(builder, out.frame, MADE)
    full = builder.icmp_signed(">=", made, word(builder, out.frame, CAPACITY))
    with builder.if_then(full, likely=False):
        _grow(context, builder, out, GROW, [builder.add(made, I64(FIRST_ROWS))])
    return made


def _finish_row(builder: Any, out: Any, made: Any) -> None:
    origin = builder.trunc(out.place, I32)
    store(builder, origin, word(builder, out.frame, FROM, POINTER), made)
    store(builder, builder.add(made, I64(1)), out.frame, MADE)


def _grow(context: Any, builder: Any, out: Any, which: int, more: list[Any]) -> None:
    kind = ir.FunctionType(I32, [POINTER, *(value.type for value in more)])
    function = word(builder, out.frame, which, kind.as_pointer())
    failed = builder.icmp_unsigned("!=", builder.call(function, [out.frame, *more]), I32(0))
    with cgutils.if_unlikely(builder, failed):
        context.call_conv.return_user_exc(builder, MemoryError, (NO_MEMORY,))
