"""`penstock top`: the flows that Spark runs on this host, and how they are doing."""

from __future__ import annotations

import argparse
import json
import sys
import time

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from penstock.quantities import count_text, many, time_text
from penstock.terminal.elements import Found, find_elements
from penstock.terminal.pulse import Rate
from penstock.terminal.status import Status

INTERVAL = 1.0
NOTES_SHOWN = 3
ANY_WIDTH = 100_000  # a table takes as much as it needs
STYLES = {"running": "green", "done": "dim", "failed": "red"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.description = (
        "Show the flows that Spark runs in Python workers of this user on this host: rows, "
        "throughput, threads, channels and the busiest operator of each. Ctrl-C ends it."
    )
    parser.add_argument("--once", action="store_true", help="print once, and end")
    parser.add_argument("--json", action="store_true", help="print one JSON document, and end")
    parser.add_argument("--all", action="store_true", help="also those that have ended")


def run(chosen: argparse.Namespace) -> int:
    """Show what there is until nobody wants to see it any more."""
    console = Console()
    if chosen.json:
        found = find_elements()
        document = {
            "version": 1,
            "elements": [one.to_dict() for one in _chosen(found, everything=chosen.all)],
            "notes": list(found.notes),
        }
        sys.stdout.write(json.dumps(document, indent=2) + "\n")
    elif chosen.once or not console.is_terminal:
        print_once(console, find_elements(), everything=chosen.all)
    else:
        _watch(console, everything=chosen.all)
    return 0


def print_once(console: Console, found: Found, *, everything: bool) -> None:
    """Print the table as wide as it is, where there is no screen to fit it to."""
    table = view(found, Rates(), everything=everything)
    if not console.is_terminal:
        console = Console(file=console.file, width=ANY_WIDTH)
    console.print(table)


def _watch(console: Console, *, everything: bool) -> None:
    rates = Rates()
    with Live(console=console, auto_refresh=False, screen=True) as live:
        while True:
            live.update(view(find_elements(), rates, everything=everything), refresh=True)
            time.sleep(INTERVAL)


class Rates:
    """Rows per second of each PE, from one look to the next."""

    def __init__(self) -> None:
        self._rates: dict[tuple[str, int, int, int, int], Rate] = {}

    def of(self, one: Status) -> float:
        """Rows per second at present; on average where it was not seen before."""
        key = (one.application, one.stage, one.partition, one.attempt, one.pid)
        return self._rates.setdefault(key, Rate()).at(one.seconds, one.rows_in)


def view(found: Found, rates: Rates, *, everything: bool) -> RenderableType:
    """The table."""
    shown = _chosen(found, everything=everything)
    head = Text(f"{many(len(found.running), 'PE')} running on this host", style="bold")
    parts: list[RenderableType] = [head]
    if shown:
        parts.append(_table(shown, rates))
    for note in found.notes[:NOTES_SHOWN]:
        parts.append(Text(note, style="dim"))
    if len(found.notes) > NOTES_SHOWN:
        parts.append(Text(f"and {len(found.notes) - NOTES_SHOWN} more", style="dim"))
    return Group(*parts)


def _table(shown: tuple[Status, ...], rates: Rates) -> Table:
    table = Table(box=None, pad_edge=False)
    for title in ("flow", "task", "state"):
        table.add_column(title, no_wrap=True, overflow="ellipsis")
    for title in ("pid", "time", "rows in", "rows/s", "rows out", "threads", "channels"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("busiest", no_wrap=True, overflow="ellipsis")
    for one in shown:
        busiest = one.busiest
        table.add_row(
            Text(one.flow),
            Text(f"{one.stage}.{one.partition}" + (f" #{one.attempt}" if one.attempt > 0 else "")),
            Text(one.state, style=STYLES[one.state]),
            str(one.pid),
            time_text(one.seconds),
            count_text(one.rows_in),
            count_text(rates.of(one)),
            count_text(one.rows_out),
            str(one.threads),
            Text(_channels(one)),
            Text(f"{busiest[0].name} {100 * busiest[1]:.0f} %" if busiest else one.error),
        )
    return table


def _channels(one: Status) -> str:
    return ", ".join(
        f"{name} {count}" if name and len(one.channels) > 1 else str(count)
        for name, count in one.channels.items()
    )


def _chosen(found: Found, *, everything: bool) -> tuple[Status, ...]:
    return found.elements if everything else found.running
