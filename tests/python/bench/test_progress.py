"""That a suite says what it is at, on a terminal and in a file."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from penstock.bench.progress import told


def test_where_lines_stay_there_is_one_every_ten_seconds() -> None:
    file = StringIO()
    seconds = [0.0]
    with told("spark", Console(file=file), clock=lambda: seconds[0]) as tell:
        for now in (0.0, 4.0, 9.9, 10.0, 19.0, 75.0):
            seconds[0] = now
            tell(f"[round] at {now:g}")
    assert file.getvalue().splitlines() == [
        "spark 0:00: [round] at 0",
        "spark 0:10: [round] at 10",
        "spark 1:15: [round] at 75",
    ]


def test_on_a_terminal_one_line_changes_and_none_is_left() -> None:
    file = StringIO()
    console = Console(file=file, force_terminal=True, width=60)
    with told("spark", console) as tell:
        tell("the first of [2]")
        tell("the second")
    said = file.getvalue()
    assert "the second" in said
    assert said.count("\n") <= 1, "the line is erased at the end"
