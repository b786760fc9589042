"""How many threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from penstock import _native
from penstock.elastic.arguments import as_setting_errors, number, whole
from penstock.elastic.thread_levels import ThreadLevels
from penstock.errors import SettingError
from penstock.machine import cores


class ThreadController(ThreadLevels):
    """Looks for the number of threads with the highest throughput, and for no more than it takes.

    It doubles the threads while that helps, then looks where a better level may hide and once more
    at those that come close, and settles within 15 periods; a lasting change of throughput starts
    the search anew. Where more threads bring nothing, it prefers fewer.

    Args:
        levels: Numbers of threads to choose from, rising; None means every number in the limits.
        sensitivity: Relative difference of throughput that counts as one.
        load_change: When throughput at the same level means a new load: "confirmed" wants six
            periods in a row that differ by a fifth, "literal" one that differs by `sensitivity`.
        minimum: Fewest threads, and the level to start from.
        maximum: Most threads; None means the highest of `levels`, or else the usable processors.

    Raises:
        SettingError: Naming the value that is impossible and what is allowed.

    >>> controller = ThreadController(levels=[1, 2, 4, 8])
    >>> [controller.update(throughput) for throughput in (100, 190, 195, 180)]
    [2, 4, 8, 2]
    >>> controller.decisions[1].reason
    'rising'
    >>> ThreadController(levels=[4, 2])
    Traceback (most recent call last):
        ...
    penstock.errors.SettingError: levels[1] is 2 after 4; levels must rise, so sort them and drop \
doubles
    """

    def __init__(
        self,
        levels: Sequence[int] | None = None,
        sensitivity: float = 0.05,
        load_change: Literal["literal", "confirmed"] = "confirmed",
        minimum: int = 1,
        maximum: int | None = None,
    ) -> None:
        if levels is not None and len(levels) == 0:
            raise SettingError("levels is empty; list at least one level, or None for all of them")
        chosen = [whole(f"levels[{i}]", level, "threads") for i, level in enumerate(levels or ())]
        least = whole("minimum", minimum, "threads")
        if maximum is None:
            maximum = chosen[-1] if chosen else max(least, cores().usable)
        with as_setting_errors():
            self._native = _native.ThreadController(
                levels=chosen,
                sensitivity=number("sensitivity", sensitivity),
                load_change=str(load_change),
                minimum=least,
                maximum=whole("maximum", maximum, "threads"),
            )

    def update(self, throughput: float, cpu_ok: bool = True) -> int:
        """Take the throughput of one period at `level` and return the level of the next.

        Args:
            throughput: Tuples per second; any unit will do that is the same for all periods.
            cpu_ok: False forbids more threads, because the machine is busy; it never causes fewer.

        Raises:
            SettingError: The throughput is negative or not a number.
        """
        with as_setting_errors():
            return self._native.update(number("throughput", throughput), bool(cpu_ok)).level

    def __repr__(self) -> str:
        state = "settled" if self.settled else "searching"
        return (
            f"ThreadController(level={self.level}, {state}, "
            f"minimum={self.minimum}, maximum={self.maximum})"
        )
