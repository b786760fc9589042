"""How many threads, by how busy they are."""

from __future__ import annotations

from penstock import _native
from penstock.elastic.arguments import as_setting_errors, number, whole
from penstock.elastic.thread_levels import ThreadLevels
from penstock.machine import cores


class UtilizationController(ThreadLevels):
    """Adds a thread while all are busy, and removes one while they rest.

    One thread at a time, by two thresholds, as C-Stream does. A thread is removed only if the
    others would not be too busy without it, and one that was added in vain is not added again under
    the same load: by the thresholds alone 4 threads with work for 3.9 become 5, 4, 5, 4 and so on.

    Args:
        minimum: Fewest threads, and the level to start from.
        maximum: Most threads; None means the usable processors.
        low: Busy for less than this part of the time, on average: one thread fewer.
        high: For more: one thread more.

    Raises:
        SettingError: Naming the value that is impossible and what is allowed.

    >>> controller = UtilizationController(maximum=8)
    >>> work = 3.9
    >>> [controller.update(min(1, work / controller.level)) for _ in range(6)]
    [2, 3, 4, 5, 5, 5]
    >>> print(controller.decisions[-1])
    period 5: stay at 5 threads: 5 threads were busy for 78 % of the time, but one fewer would be \
for 97.5 %
    >>> controller.update(97)
    Traceback (most recent call last):
        ...
    penstock.errors.SettingError: utilization is 97.000000; it must be 0 to 1, such as 0.9 for \
threads that are busy for nine tenths of the time
    """

    def __init__(
        self, minimum: int = 1, maximum: int | None = None, low: float = 0.90, high: float = 0.95
    ) -> None:
        least = whole("minimum", minimum, "threads")
        most = max(least, cores().usable) if maximum is None else maximum
        with as_setting_errors():
            self._native = _native.UtilizationController(
                minimum=least,
                maximum=whole("maximum", most, "threads"),
                low=number("low", low),
                high=number("high", high),
            )

    def update(self, utilization: float, cpu_ok: bool = True) -> int:
        """Take what was measured in one period at `level` and return the level of the next.

        Args:
            utilization: Which part of its time a thread ran operators, on average over threads.
            cpu_ok: False forbids more threads, because the machine is busy; it never causes fewer.

        Raises:
            SettingError: The utilization is not from 0 to 1.
        """
        with as_setting_errors():
            return self._native.update(number("utilization", utilization), bool(cpu_ok)).level

    def __repr__(self) -> str:
        state = "settled" if self.settled else "searching"
        return (
            f"UtilizationController(level={self.level}, {state}, "
            f"minimum={self.minimum}, maximum={self.maximum})"
        )
