"""The controller that decides how many threads a flow runs on, to try out without threads.

It is the engine's own: numbers in, a number out, no clock. A period is one call of `update`, so a
machine of any size can be simulated in no time:

>>> controller = ThreadController(maximum=4)
>>> machine = {1: 1000, 2: 1900, 3: 2700, 4: 2500}
>>> for period in range(10):
...     level = controller.update(throughput=machine[controller.level])
>>> level
3
>>> print(controller.explain())
period 0: 1 -> 2 threads: throughput is 1000 with 1, and more threads are untried
period 1: 2 -> 4 threads: throughput rose from 1000 with 1 to 1900 with 2, and more threads are \
untried
period 2: 4 -> 3 threads: the best level tried is 2500 with 4; one as good may lie below it
period 3: 3 -> 2 threads: what was measured on the way up, 1900 with 2, is checked in case the \
load has changed since
period 4: 2 -> 3 threads: throughput is 1900 with 2, and by all samples more threads do better: \
2700 with 3
period 5: stay at 3 threads: throughput is 2700 with 3, and no level above or below is better
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from penstock import _native
from penstock.errors import SettingError
from penstock.machine import cores


@dataclass(frozen=True, slots=True)
class Decision:
    """One step of a controller.

    Attributes:
        period: Number of the period it was taken after, from 0.
        previous: Threads in that period.
        level: Threads decided for.
        reason: Why, in a word: `rising`, `not_yet_falling`, `better_above`, `nothing_above`,
            `nothing_below`, `no_gain`, `refine_above`, `refine_below`, `measure_again`,
            `measure_rival`, `doubtful`, `check_below`, `settled`, `processor_busy`, `maybe_noise`,
            `load_changed`, `held` or `limits_changed`.
        text: The same in a sentence with the numbers that led to it.
        before: Throughput of that period; None when it was not measured.
        after: Throughput of the next period, at the new level; None until it is known.
    """

    period: int
    previous: int
    level: int
    reason: str
    text: str
    before: float | None
    after: float | None

    def __str__(self) -> str:
        return f"period {self.period}: {self.text}"


class ThreadController:
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
        chosen = [_whole(f"levels[{i}]", level) for i, level in enumerate(levels or ())]
        least = _whole("minimum", minimum)
        if maximum is None:
            maximum = chosen[-1] if chosen else max(least, cores().usable)
        with _as_setting_errors():
            self._native = _native.ThreadController(
                levels=chosen,
                sensitivity=_number("sensitivity", sensitivity),
                load_change=str(load_change),
                minimum=least,
                maximum=_whole("maximum", maximum),
            )

    @property
    def level(self) -> int:
        """Threads to use now."""
        return self._native.level

    @property
    def settled(self) -> bool:
        """Whether the search has ended; it begins anew when the load or the limits change."""
        return self._native.settled

    @property
    def minimum(self) -> int:
        """Fewest threads."""
        return self._native.least

    @property
    def maximum(self) -> int:
        """Most threads."""
        return self._native.most

    @property
    def decisions(self) -> list[Decision]:
        """What was decided and why, oldest first; the last 4,096 decisions are kept."""
        return [_decision(native) for native in self._native.decisions()]

    def update(self, throughput: float, cpu_ok: bool = True) -> int:
        """Take the throughput of one period at `level` and return the level of the next.

        Args:
            throughput: Tuples per second; any unit will do that is the same for all periods.
            cpu_ok: False forbids more threads, because the machine is busy; it never causes fewer.

        Raises:
            SettingError: The throughput is negative or not a number.
        """
        with _as_setting_errors():
            return self._native.update(_number("throughput", throughput), bool(cpu_ok)).level

    def hold(self) -> int:
        """Let a period pass that says nothing, because the last change had not happened yet."""
        return self._native.hold().level

    def set_minimum(self, level: int) -> None:
        """Change the fewest threads; raises `maximum` too where it is below."""
        with _as_setting_errors():
            self._native.set_least_level(_whole("minimum", level))

    def set_maximum(self, level: int) -> None:
        """Change the most threads; lowers `minimum` too where it is above."""
        with _as_setting_errors():
            self._native.set_most_level(_whole("maximum", level))

    def explain(self) -> str:
        """Tell what was decided and why, one line each; the same again and again is told once."""
        runs = groupby(self.decisions, key=lambda made: (made.previous, made.level, made.reason))
        return "\n".join(str(next(run)) for _, run in runs)

    def __repr__(self) -> str:
        state = "settled" if self.settled else "searching"
        return (
            f"ThreadController(level={self.level}, {state}, "
            f"minimum={self.minimum}, maximum={self.maximum})"
        )


@contextmanager
def _as_setting_errors() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise SettingError(str(error)) from None


def _decision(made: _native.Decision) -> Decision:
    return Decision(
        period=made.period,
        previous=made.previous,
        level=made.level,
        reason=made.reason,
        text=made.text,
        before=made.before,
        after=made.after,
    )


def _whole(name: str, value: object) -> int:
    # Beyond 32 bits the native side could only say that the types do not match.
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31:
        return value
    raise SettingError(f"{name} is {value!r}; it must be a whole number of threads")


def _number(name: str, value: object) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    raise SettingError(f"{name} is {value!r}; it must be a number")
