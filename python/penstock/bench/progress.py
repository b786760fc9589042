"""What a suite is at, on standard error: a line that changes, or one now and then in a file."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from penstock.bench.suites import Tell

EVERY = 10.0  # seconds between two lines where lines stay


@contextmanager
def told(
    suite: str, console: Console, clock: Callable[[], float] = time.monotonic
) -> Iterator[Tell]:
    """Give what a suite tells its steps to.

    Args:
        suite: Its name, which is put before each line together with the minutes since it began.
        console: Where lines go.
        clock: Gives the time in seconds.
    """
    begun = clock()

    def line(step: str) -> str:
        minutes, seconds = divmod(int(clock() - begun), 60)
        return f"{suite} {minutes}:{seconds:02}: {step}"

    if console.is_terminal:
        with console.status(Text(line("starting"))) as status:
            yield lambda step: status.update(Text(line(step)))
        return
    last = -EVERY

    def tell(step: str) -> None:
        nonlocal last
        if clock() - begun - last >= EVERY:
            last = clock() - begun
            console.print(line(step), markup=False, soft_wrap=True)

    yield tell
