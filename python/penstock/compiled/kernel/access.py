"""What `row.column` and `state.field` are, and how they are read and written."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import types
from numba.core.imputils import (
    lower_builtin,
    lower_cast,
    lower_getattr_generic,
    lower_setattr_generic,
)
from numba.core.optional import optional_to_optional
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
    signature,
)

from penstock.compiled.kernel.memory import (
    I32,
    I64,
    POINTER,
    bit,
    check_fits,
    load,
    memory_type,
    narrowed,
    store,
    widened,
    word,
)
from penstock.compiled.kernel.mistakes import mistake
from penstock.compiled.kernel.types import ArrayType, Nullable, RowType, StateType, value_type
from penstock.compiled.layout import Slot
from penstock.compiled.plain import overflow_of
from penstock.errors import did_you_mean

COLUMN_WORDS = 4
VALUES, VALIDITY, OFFSETS, BIT = range(COLUMN_WORDS)


@infer_getattr
class RowAttributes(AttributeTemplate):
    """`row.column`."""

    key = RowType

    def generic_resolve(self, row: Any, name: str) -> Any:
        """The type of a column."""
        return column_type(row, name)


def column_type(row: Any, name: str) -> Any:
    """What a column is to a function."""
    slot = next((slot for slot in row.slots if slot.name == name), None)
    if slot is None:
        names = [slot.name for slot in row.slots]
        raise mistake(f"unknown column '{name}'; {did_you_mean(name, names)}")
    if not slot.usable:
        raise mistake(f"column '{name}' {slot.kind}")
    found = value_type(slot)
    return Nullable(found, name) if slot.nullable else found


@infer_global(operator.getitem)
class RowItem(AbstractTemplate):
    """`row["a column"]`, for names that cannot be attributes."""

    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        """The type of a column."""
        if kws or not isinstance(args[0], RowType):
            return None
        if not isinstance(args[1], types.StringLiteral):
            raise mistake("row[...] takes the name of a column as it is written, as in row['a b']")
        return signature(column_type(args[0], args[1].literal_value), *args)


@infer_getattr
class StateAttributes(AttributeTemplate):
    """`state.field`."""

    key = StateType

    def generic_resolve(self, state: Any, name: str) -> Any:
        """The type of a field."""
        names = [slot.name for slot in state.record.slots]
        if name not in names:
            raise mistake(f"unknown state field '{name}'; {did_you_mean(name, names)}")
        slot = state.record.slots[names.index(name)]
        return ArrayType(slot) if slot.length else value_type(slot)


@lower_builtin(operator.getitem, RowType, types.StringLiteral)
def get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Read a column by what stands in brackets."""
    return get_column(context, builder, sig.args[0], args[0], sig.args[1].literal_value)


@lower_getattr_generic(RowType)
def get_column(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    """Read a column."""
    row = context.make_helper(builder, kind, value)
    usable = [slot for slot in kind.slots if slot.usable]  # the others are not in the frame
    place = next(i for i, slot in enumerate(usable) if slot.name == name)
    slot = usable[place]
    column = builder.gep(row.columns, [I64(place * COLUMN_WORDS * 8)])
    found = _value(context, builder, slot, column, row.place)
    if not slot.nullable:
        return found
    made = context.make_helper(builder, Nullable(value_type(slot), name))
    made.valid = _is_valid(builder, column, row.place)
    made.data = found
    return made._getvalue()


def _value(context: Any, builder: Any, slot: Slot, column: Any, place: Any) -> Any:
    values = word(builder, column, VALUES, POINTER, fixed=True)
    if slot.kind == "bool":
        return bit(builder, values, builder.add(place, word(builder, column, BIT, fixed=True)))
    if slot.kind in {"text", "bytes"}:
        offsets = word(builder, column, OFFSETS, POINTER, fixed=True)
        begin = builder.sext(load(builder, I32, offsets, place), I64)
        end = builder.sext(load(builder, I32, offsets, builder.add(place, I64(1))), I64)
        view = context.make_helper(builder, value_type(slot))
        view.data = builder.gep(values, [begin])
        view.size = builder.sub(end, begin)
        return view._getvalue()
    if slot.digits:  # the lower word of the two has all there is to it
        return load(builder, I64, values, builder.shl(place, I64(1)))
    return widened(builder, slot, load(builder, memory_type(slot), values, place))


def _is_valid(builder: Any, column: Any, place: Any) -> Any:
    validity = word(builder, column, VALIDITY, POINTER, fixed=True)
    all_valid = builder.icmp_unsigned("==", validity, POINTER(None))
    before = builder.block
    with builder.if_then(builder.not_(all_valid)):
        found = bit(builder, validity, builder.add(place, word(builder, column, BIT, fixed=True)))
        looked = builder.block
    valid = builder.phi(found.type)
    valid.add_incoming(valid.type(1), before)
    valid.add_incoming(found, looked)
    return valid


@lower_cast(Nullable, types.Any)
@lower_cast(Nullable, types.Boolean)
def use(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    """Use a value that may be null as one that is not."""
    made = context.make_helper(builder, given, value=value)
    with builder.if_then(builder.not_(made.valid), likely=False):
        message = f"column '{given.column}' is null; look first, as in: {LOOK}"
        message = message.replace("NAME", given.column)
        context.call_conv.return_user_exc(builder, TypeError, (message,))
    return context.cast(builder, made.data, given.type, wanted)


LOOK = "if row.NAME is not None"
lower_cast(Nullable, types.Optional)(optional_to_optional)


@lower_getattr_generic(StateType)
def get_field(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    """Read a field of a state."""
    slot, place = _field(context, builder, kind, value, name)
    if slot.length:
        array = context.make_helper(builder, ArrayType(slot))
        array.first = place
        return array._getvalue()
    return widened(builder, slot, load(builder, memory_type(slot), place, 0))


@lower_setattr_generic(StateType)
def set_field(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    """Write a field of a state."""
    slot, place = _field(context, builder, sig.args[0], args[0], name)
    check_fits(context, builder, slot, args[1], overflow_of(slot))
    store(builder, narrowed(builder, slot, args[1]), place, 0)


def _field(context: Any, builder: Any, kind: Any, value: Any, name: str) -> tuple[Slot, Any]:
    record = kind.record
    place = next(i for i, slot in enumerate(record.slots) if slot.name == name)
    base = context.make_helper(builder, kind, value).record
    return record.slots[place], builder.gep(base, [I64(record.offsets[place])])
