"""The live view of `flow.run(..., progress=True)`: on a terminal it moves, elsewhere it is lines."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import TypeAlias

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from penstock.metrics import FlowMetrics
from penstock.plain_text import visible
from penstock.quantities import count_text, many, time_text
from penstock.terminal.pulse import Pulse, Rate, rows_of
from penstock.watch import Progress

# Asks a running flow for what it did so far; from any thread.
Look: TypeAlias = Callable[[], FlowMetrics]

MOVES = 0.1  # seconds between two pictures
TELLS = 2.0  # seconds between two lines
OPERATORS = 5


class PatientConsole(Console):
    """Falls silent where nobody listens any more; rich would end the whole program."""

    def on_broken_pipe(self) -> None:
        """Go on without a word."""
        self.quiet = True


class LiveView:
    """Shows a flow while it runs, on a thread of its own.

    Args:
        flow: Name of the flow.
        total: Rows of the whole input, if that is known.
        console: Where to; stderr unless told otherwise, so that results can be piped.
    """

    def __init__(self, flow: str, total: int | None = None, console: Console | None = None) -> None:
        self._flow = flow
        self._total = total
        # Never as a widget: a notebook may have none, and the view is on another thread.
        self._console = console or PatientConsole(stderr=True, force_jupyter=False)
        self._rate = Rate()
        self._shown = contextlib.ExitStack()

    def begin(self, look: Callable[[], Progress]) -> None:
        """Show the flow from now on."""
        self._shown.enter_context(self._watching(lambda: look().metrics))

    def end(self, _: Callable[[], Progress]) -> None:
        """Show it no more, but what it came to."""
        self._shown.close()

    @contextlib.contextmanager
    def _watching(self, look: Look) -> Iterator[None]:
        over = threading.Event()
        with self._screen() as show:
            thread = threading.Thread(
                target=self._watch, args=(look, show, over), name="penstock-progress", daemon=True
            )
            thread.start()
            try:
                yield
            finally:
                over.set()
                thread.join()
        with contextlib.suppress(OSError, ValueError):  # nobody is there to read it any more
            self._say(str(self._pulse(look, whole=True)))

    @contextlib.contextmanager
    def _screen(self) -> Iterator[Callable[[Pulse], None]]:
        if not self._console.is_terminal:
            yield lambda pulse: self._say(str(pulse))
            return
        with Live(console=self._console, auto_refresh=False, transient=True) as live:
            yield lambda pulse: live.update(picture(pulse), refresh=True)

    def _watch(self, look: Look, show: Callable[[Pulse], None], over: threading.Event) -> None:
        every = MOVES if self._console.is_terminal else TELLS
        while not over.wait(every):
            try:
                show(self._pulse(look))
            except (OSError, ValueError):
                return  # the terminal went away; the run goes on

    def _pulse(self, look: Look, *, whole: bool = False) -> Pulse:
        metrics = look()
        rows, seconds = rows_of(metrics), metrics.seconds
        rate = self._rate.at(seconds, rows)
        if whole:
            rate = rows / seconds if seconds else 0.0
        return Pulse.of(self._flow, metrics, rate, self._total)

    def _say(self, line: str) -> None:
        self._console.print(Text(line), soft_wrap=True, highlight=False)


def picture(pulse: Pulse) -> RenderableType:
    """What moves on a terminal."""
    head = Text.assemble(
        (pulse.flow, "bold"),
        f"  {time_text(pulse.metrics.seconds)}  {count_text(pulse.rows)} rows  ",
        (f"{count_text(pulse.rate)} rows/s", "cyan"),
        f"  {many(pulse.threads, 'thread')}",
        *(f"  {name} on {many(count, 'channel')}" for name, count in pulse.channels),
    )
    table = Table(box=None, pad_edge=False, show_edge=False)
    table.add_column("operator", no_wrap=True, overflow="ellipsis", max_width=32)
    for title in ("rows in", "rows out", "time", "waiting"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", width=20)
    for operator, share in pulse.busiest(OPERATORS):
        table.add_row(
            Text(visible(operator.name)),
            count_text(operator.rows_in),
            count_text(operator.rows_out),
            time_text(operator.busy),
            f"{operator.waiting_mean:.1f}",
            ProgressBar(total=1.0, completed=share, width=20, complete_style="dark_orange"),
        )
    parts: list[RenderableType] = [head, table]
    if pulse.total:
        bar = ProgressBar(total=pulse.total, completed=min(pulse.rows, pulse.total), width=40)
        line = Table.grid(padding=(0, 1))  # a bar alone does not end its line
        line.add_row(bar, f"{pulse.part or 0:.0%}")
        parts.insert(1, line)
    return Group(*parts)
