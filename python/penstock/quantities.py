"""Numbers and times in few letters, for tables and pictures.

>>> time_text(0.0123), time_text(90), time_text(0.00001)
('12.3 ms', '90.0 s', '10 us')
>>> count_text(999), count_text(1234567), count_text(20_000_000_000)
('999', '1.23 M', '20.0 G')
>>> many(1, "thread"), many(3, "thread")
('1 thread', '3 threads')
"""

from __future__ import annotations

import math


def time_text(seconds: float) -> str:
    """Write a time with three digits."""
    for size, unit in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= size:
            digits = max(0, 2 - int(math.log10(seconds / size)))
            return f"{seconds / size:.{digits}f} {unit}"
    return f"{seconds * 1e6:.0f} us"


def count_text(count: float) -> str:
    """Write a number with three digits, and thousands as letters."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        # What would be written as 1000 of a letter belongs to the next one.
        if count >= size * 0.9995:
            digits = max(0, 2 - int(math.log10(count / size * 1.0005)))
            return f"{count / size:.{digits}f} {letter}"
    return f"{count:.0f}"


def many(count: int, what: str) -> str:
    """Write how many there are of something."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
