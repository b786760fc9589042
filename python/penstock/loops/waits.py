"""What a driver loop waits for, and what it learns when the wait is over.

>>> wait_all(left=1, right=2)
wait_all(left=1, right=2)
>>> bool(Done), bool(Over), Over
(True, False, Over)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from penstock.errors import FlowError


class Outcome:
    """What a wait gives; there are two, `Done` and `Over`."""

    def __init__(self, word: str) -> None:
        self._word = word

    def __bool__(self) -> bool:
        return self._word == "Done"

    def __repr__(self) -> str:
        return self._word

    def __reduce__(self) -> str:
        return self._word  # by name, so that there is one of each in every process


Done: Final = Outcome("Done")
Over: Final = Outcome("Over")


@dataclass(frozen=True)
class Wait:
    """What a loop yields to wait.

    Attributes:
        word: Whether all ports must hold their rows, or any, or a mark must come.
        counts: Rows, by port.
    """

    word: Literal["all", "any", "mark"]
    counts: Mapping[str, int]

    def __repr__(self) -> str:
        return f"wait_{self.word}({', '.join(f'{p}={n}' for p, n in self.counts.items())})"


def wait_all(**rows: int) -> Wait:
    """Wait, with `yield`, until every port named holds at least so many rows.

    It gives `Done`, which is true, or `Over`, which is false: no more rows come to a port, and it
    holds fewer. What the ports still hold can be taken in either case.

    >>> def pairs(left, right, out):
    ...     while (yield wait_all(left=1, right=1)):
    ...         out.push(left.take(1))
    ...         right.take(1)
    """
    return _checked("all", rows)


def wait_any(**rows: int) -> Wait:
    """Wait, with `yield`, until one of the ports named holds at least so many rows.

    It gives `Done`, or `Over` when no more rows come to any of them and each holds fewer.

    >>> def merge(left, right, out):
    ...     while (yield wait_any(left=1, right=1)):
    ...         out.push(left.take())
    ...         out.push(right.take())
    """
    return _checked("any", rows)


def wait_mark() -> Wait:
    """Wait, with `yield`, until a mark comes: what the ports hold then is all before it.

    Marks are made by `punctuate`, and go on by themselves, behind what the loop pushes until it
    waits again. One that comes while the loop waits for rows only goes on. The wait gives `Done`,
    or `Over` when the input has ended.

    >>> def sums(n, out):
    ...     while (yield wait_mark()):
    ...         out.push({"n": [sum(n.take()["n"].to_pylist())]})
    """
    return Wait("mark", {})


def _checked(word: Literal["all", "any"], rows: Mapping[str, Any]) -> Wait:
    if not rows:
        raise FlowError(f"wait_{word} needs a port and a number of rows, as in wait_{word}(left=1)")
    for port, count in rows.items():
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise FlowError(
                f"wait_{word}({port}={count!r}): rows are counted by a whole number from 0"
            )
    return Wait(word, rows)
