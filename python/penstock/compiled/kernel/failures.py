"""What a function can raise, found in its compiled code, and how the kernel tells it.

numba leaves a pickle of an exception's class, arguments and place with the code that raises it,
and returns its address. The kernel knows every such pickle by its hash, and writes its text.
"""

from __future__ import annotations

import pickle
import re
from typing import Any

from numba.core import cgutils

from penstock.compiled.kernel.memory import I8, I64, POINTER, store
from penstock.compiled.kernel.view_code import copy, hashed
from penstock.compiled.plain import FNV_PRIME, FNV_START, WORD_MASK

MOST_BYTES = 255  # of a message, without its final 0
PICKLED = re.compile(r'pickledata[^\n]*? constant \[\d+ x i8\] c"((?:[^"\\]|\\[0-9A-F]{2})*)"')
SHA1 = re.compile(r"pickledata[^\n]*\.sha1")
ESCAPED = re.compile(r"\\([0-9A-F]{2})")
OTHER = "the function raised an exception that numba does not describe"


def texts_of(llvm: str) -> dict[int, str]:
    """By its hash, the text of everything that this code may raise."""
    found = {}
    for match in PICKLED.finditer(llvm):
        data = ESCAPED.sub(lambda one: chr(int(one[1], 16)), match[1]).encode("latin-1")
        text = _text(data)
        if text is not None:
            found[_hash(data)] = text
    return found


def _text(data: bytes) -> str | None:
    try:
        raised = pickle.loads(data)
    except Exception:  # noqa: BLE001 - it is something else than an exception
        return None
    if not (isinstance(raised, tuple) and len(raised) == 3 and isinstance(raised[0], type)):
        return None
    kind, args, place = raised
    told = ", ".join(_argument(arg) for arg in args or ())
    line = f" (line {place[2]} of {place[0]})" if place else ""
    return f"{kind.__name__}{': ' if told else ''}{told}{line}"


def _argument(value: Any) -> str:
    plain = isinstance(value, (str, int, float, bool, bytes))
    return str(value) if plain else "<known only as it runs>"


def _hash(data: bytes) -> int:
    found = FNV_START
    for byte in data:
        found = ((found ^ byte) * FNV_PRIME) & WORD_MASK
    return found


def write_text(context: Any, builder: Any, status: Any, texts: dict[int, str], to: Any) -> None:
    """Write why a function failed."""
    info = builder.load(status.excinfoptr)
    data = builder.extract_value(info, 0)
    size = builder.sext(builder.extract_value(info, 1), I64)
    done = builder.append_basic_block("told")
    unknown = builder.append_basic_block("unknown")
    choice = builder.switch(hashed(builder, data, size), unknown)
    for number, text in texts.items():
        block = builder.append_basic_block("known")
        choice.add_case(I64(number), block)
        builder.position_at_end(block)
        _write(context, builder, text, to)
        builder.branch(done)
    builder.position_at_end(unknown)
    _write(context, builder, OTHER, to)
    builder.branch(done)
    builder.position_at_end(done)


def _write(context: Any, builder: Any, text: str, to: Any) -> None:
    raw = text.encode()[:MOST_BYTES].decode(errors="ignore").encode()
    data = context.insert_unique_const(
        builder.module, f".penstock.{raw.hex()}", cgutils.make_bytearray(raw + b"\0")
    )
    copy(builder, to, builder.bitcast(data, POINTER), I64(len(raw)))
    store(builder, I8(0), to, len(raw))
