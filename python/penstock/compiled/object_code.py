"""Object code of a row function: made once, shipped with the flow, loaded without numba.

It is made for the least processor of its family that anyone still runs (`baseline`), not for the
one at hand, so that workers of another model can load it.
"""

from __future__ import annotations

import ctypes
import hashlib
import platform
import threading
from dataclasses import dataclass, field
from typing import Any

from penstock.compiled.optional import why_not
from penstock.errors import FlowError

ENTRY = "penstock_process"
BASELINES = {"x86_64": "x86-64-v2", "aarch64": "generic"}

_loaded: dict[str, Any] = {}
_lock = threading.Lock()
_jit: list[Any] = []


def baseline() -> str:
    """The processor that code is made for."""
    return BASELINES.get(platform.machine(), "")


@dataclass(frozen=True)
class ObjectCode:
    """A kernel as an object file.

    Attributes:
        image: The file.
        needs: Functions that it calls and does not have.
        machine: The family of processors that it is for.
        digest: Names it; the same code has the same.
    """

    image: bytes = field(repr=False)
    needs: tuple[str, ...]
    machine: str
    digest: str

    @classmethod
    def of(cls, image: bytes, needs: tuple[str, ...]) -> ObjectCode:
        """Code that was made here."""
        return cls(image, needs, platform.machine(), hashlib.sha256(image).hexdigest())

    @property
    def fits(self) -> bool:
        """Whether this machine can run it."""
        return self.machine == platform.machine()


@dataclass(frozen=True)
class Loaded:
    """Code in memory, for as long as this is held.

    Attributes:
        address: Of the function that the engine calls.
        library: Keeps it there.
    """

    address: int
    library: Any


def load(code: ObjectCode) -> Loaded:
    """Bring code into this process, once."""
    with _lock:
        if code.digest not in _loaded:
            _loaded[code.digest] = _load(code)
        return _loaded[code.digest]  # type: ignore[no-any-return]


def _load(code: ObjectCode) -> Loaded:
    try:
        import llvmlite.binding as llvm  # noqa: PLC0415 - only who runs compiled functions needs it
    except (ImportError, OSError) as error:
        why = why_not(error, "llvmlite")
        raise FlowError(f"a compiled function is loaded with llvmlite, {why}") from error
    if not _jit:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(reloc="pic")
        _jit.append(llvm.create_lljit_compiler(machine))
    builder = llvm.JITLibraryBuilder().add_object_img(code.image).export_symbol(ENTRY)
    builder.add_current_process()
    process = ctypes.CDLL(None)
    for name in code.needs:
        if not hasattr(process, name):
            builder.import_symbol(name, _address_in_numba(name, llvm))
    library = builder.link(_jit[0], f"penstock-{code.digest}")
    return Loaded(library[ENTRY], library)


def _address_in_numba(name: str, llvm: Any) -> int:
    """Where a function of numba's own is, which code that makes arrays calls."""
    from numba.core.registry import cpu_target  # noqa: PLC0415 - rarely needed, and slow

    _ = cpu_target.target_context
    found = llvm.address_of_symbol(name)
    if found is None:
        raise FlowError(f"a compiled function calls {name}, which is not in this process")
    return int(found)
