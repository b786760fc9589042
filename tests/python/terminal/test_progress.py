from __future__ import annotations

import io
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pytest
from rich.console import Console

from penstock import Flow, OperatorError, flow
from penstock.local import rows_in, stream
from penstock.metrics import FlowMetrics
from penstock.terminal import progress as progress_module
from penstock.terminal.progress import LiveView, PatientConsole
from penstock.watch import Progress

HIDES, SHOWS = "\x1b[?25l", "\x1b[?25h"


def batches(count: int) -> list[pa.RecordBatch]:
    return [pa.record_batch({"n": [k] * 10}) for k in range(count)]


def numbers() -> Flow:
    return flow("numbers", "n long").map(lambda batch: batch, name="same")


class Screen:
    """A terminal that remembers everything, and tells when something was drawn."""

    def __init__(self, *, terminal: bool) -> None:
        self.file = _Told()
        self.console = Console(file=self.file, force_terminal=terminal, width=100)

    @property
    def text(self) -> str:
        return self.file.getvalue()


class _Told(io.StringIO):
    def __init__(self) -> None:
        super().__init__()
        self.drawn = threading.Event()

    def write(self, text: str) -> int:
        count = super().write(text)
        if "same" in text:
            self.drawn.set()
        return count


def slow(screen: Screen, then: Callable[[], None] = lambda: None) -> Iterator[pa.RecordBatch]:
    """Rows, of which the last come when the view has been drawn."""
    yield from batches(3)
    assert screen.file.drawn.wait(60)
    then()
    yield from batches(2)


def watch(screen: Screen, data: Any, total: int | None = None) -> list[pa.RecordBatch]:
    view = LiveView("numbers", total, screen.console)
    return list(stream(numbers(), data, watch=view))


def test_a_terminal_shows_a_moving_picture_and_keeps_one_line() -> None:
    screen = Screen(terminal=True)
    assert sum(one.num_rows for one in watch(screen, slow(screen), total=100)) == 50
    assert screen.text.count(HIDES) == screen.text.count(SHOWS) == 1
    assert "operator" in screen.text
    last = screen.text.rpartition(SHOWS)[2]
    assert last.startswith("\r\x1b[1A\x1b[2K"), "the picture is taken away again"
    assert "numbers: " in last
    assert "50 of 100 rows (50 %)" in last
    assert "busiest same 100 %" in last


def test_elsewhere_there_are_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "TELLS", 0.01)
    screen = Screen(terminal=False)
    watch(screen, slow(screen))
    assert "\x1b" not in screen.text
    lines = screen.text.splitlines()
    assert len(lines) >= 2
    assert all(line.startswith("numbers: ") for line in lines)
    assert "50 rows" in lines[-1]


def test_an_error_leaves_a_whole_screen_and_is_raised() -> None:
    screen = Screen(terminal=True)

    def fail(batch: pa.RecordBatch) -> pa.RecordBatch:
        if 2 in batch["n"].to_pylist():
            assert screen.file.drawn.wait(60)
            raise ValueError("two")
        return batch

    made = flow("numbers", "n long").map(fail, name="same")
    view = LiveView("numbers", None, screen.console)
    with pytest.raises(OperatorError, match="two"):
        list(stream(made, batches(5), watch=view))
    assert screen.text.count(HIDES) == screen.text.count(SHOWS) == 1
    assert screen.text.endswith("\n")


def test_an_interrupt_leaves_a_whole_screen() -> None:
    screen = Screen(terminal=True)
    data = slow(screen, lambda: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        watch(screen, data)
    assert screen.text.count(HIDES) == screen.text.count(SHOWS) == 1


def test_a_result_that_is_not_read_to_its_end_ends_the_view() -> None:
    screen = Screen(terminal=True)
    view = LiveView("numbers", None, screen.console)
    made = stream(numbers(), batches(5), watch=view)
    next(made)
    made.close()  # type: ignore[attr-defined]
    assert not [one for one in threading.enumerate() if one.name == "penstock-progress"]
    assert screen.text.count(HIDES) == screen.text.count(SHOWS) == 1


def test_nothing_is_drawn_any_more_when_the_run_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "TELLS", 0.01)
    asked, leaving, told = threading.Event(), threading.Event(), threading.Event()

    def look() -> Progress:
        if threading.current_thread().name == "penstock-progress":
            asked.set()
            leaving.wait(60)
            threading.Event().wait(0.2)  # whoever does not wait for this one is long gone
            told.set()
        return Progress(FlowMetrics((), (), (), seconds=1.0), 0, 0)

    view = LiveView("numbers", None, Screen(terminal=False).console)
    view.begin(look)
    assert asked.wait(60)
    leaving.set()
    view.end(look)
    assert told.is_set()


@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminal_that_goes_away_does_not_end_the_run(terminal: bool) -> None:
    class Gone(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    view = LiveView("numbers", None, PatientConsole(file=Gone(), force_terminal=terminal))
    made = list(stream(numbers(), batches(5), watch=view))
    assert sum(one.num_rows for one in made) == 50


def test_the_view_works_where_metrics_are_turned_off() -> None:
    screen = Screen(terminal=False)
    view = LiveView("numbers", None, screen.console)
    off = {"spark.penstock.metrics.enabled": False}
    seen: list[FlowMetrics | None] = []
    list(stream(numbers(), batches(5), off, watch=view, report=lambda one, _: seen.append(one)))
    assert "50 rows" in screen.text
    assert seen == [None]


def test_run_shows_progress_on_stderr_and_gives_the_same_result(
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = batches(5)
    assert numbers().run(data, progress=True) == numbers().run(data)
    said = capsys.readouterr()
    assert said.out == ""
    assert "50 of 50 rows (100 %)" in said.err


def test_a_run_without_progress_loads_no_view() -> None:
    program = (
        "import sys, pyarrow as pa, penstock\n"
        "penstock.flow('f', 'n long').select('n').run(pa.table({'n': [1]}))\n"
        "print([name for name in sys.modules if name.startswith(('penstock.terminal', 'rich',"
        " 'penstock.drawing'))])\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert ran.stdout == "[]\n"


@pytest.mark.parametrize(
    ("data", "rows"),
    [
        (pa.table({"n": [1, 2]}), 2),
        (pa.record_batch({"n": [1]}), 1),
        (batches(3), 30),
        (iter(batches(3)), None),
    ],
)
def test_the_length_of_the_input_is_known_where_it_can_be(data: Any, rows: int | None) -> None:
    assert rows_in(data) == rows
