"""Memory for the structs of Arrow's C interface, which are handed over by address."""

from __future__ import annotations

import ctypes


class CStruct:
    """Memory for one struct; its words are zero, so it holds nothing."""

    def __init__(self, words: int) -> None:
        self._words = (ctypes.c_uint64 * words)()
        self.address = ctypes.addressof(self._words)

    def is_held(self, release: int) -> bool:
        """Whether the struct holds something, by the place of its release function."""
        return bool(self._words[release])
