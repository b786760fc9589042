"""What the demo shows: a progress bar fed by Spark, and its tables. Nothing of the example."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from sshd_log import BreakIn

import penstock
from penstock.bench.interleave import Timing, ratio

Made = TypeVar("Made")

ROWS = "mapInArrow, row by row with re"
COLUMNS = "mapInArrow, pyarrow.compute by hand"
FLOW = "Penstock flow"


class Stage:
    """A console, and the Spark session whose work is shown on it."""

    def __init__(self, spark: Any) -> None:
        self._spark = spark
        self._console = Console(highlight=False)
        context = spark.sparkContext
        self._say("\n[bold]Break-ins in an sshd log[/], found inside Spark by a Penstock flow\n")
        self._say(f"Spark {spark.version}, {context.master}")
        self._say(f"Spark UI while this runs: {context.uiWebUrl or 'switched off'}")
        plugged = "io.penstock.spark.PenstockPlugin" in context.getConf().get("spark.plugins", "")
        self._say(f"Penstock's plugin: {'loaded' if plugged else 'not loaded, and not needed'}")

    def prepare(self, folder: Path, write: Callable[[], Made]) -> Made:
        """Make the log, or find it made."""
        begin = time.perf_counter()
        with self._console.status("writing the log"):
            made = write()
        files = sorted(folder.glob("*.parquet"))
        size = sum(file.stat().st_size for file in files) / 2**20
        where = f"{folder.parent.name}/{folder.name}"
        took = time.perf_counter() - begin
        self._say(f"The log: {where}, {len(files)} files, {size:.0f} MiB, ready in {took:.1f} s\n")
        return made

    def explain(self, flow: penstock.Flow) -> None:
        """Print what the flow does, a line of the terminal for each line."""
        for line in flow.explanation().splitlines():
            if not line.lstrip().startswith("ports"):
                self._console.print(line, style="cyan", no_wrap=True, overflow="ellipsis")
        self._say("[dim]flow.explain() prints this in full[/]\n")

    def run(self, title: str, job: Callable[[], Made]) -> Made:
        """Run Spark jobs under a bar that counts their tasks."""
        made: list[Made] = []
        failed: list[Exception] = []

        def work() -> None:
            self._spark.sparkContext.setJobGroup(title, title)
            try:
                made.append(job())
            except Exception as error:  # noqa: BLE001 - raised again on the main thread
                failed.append(error)

        worker = threading.Thread(target=work)
        with self._progress() as progress:
            bar = progress.add_task(title, total=None)
            worker.start()
            while worker.is_alive():
                worker.join(timeout=0.2)
                done, total = self._tasks(title)
                progress.update(bar, completed=done, total=total or None)
        if failed:
            raise failed[0]
        return made[0]

    def alerts(self, seen: Sequence[BreakIn], expected: Sequence[BreakIn]) -> None:
        """Show the break-ins that were found and say whether they are the hidden ones."""
        table = Table(box=box.SIMPLE_HEAD)
        for name in ("line", "login at", "host", "user", "failures", "since"):
            number = name in {"line", "failures"}
            table.add_column(name, justify="right" if number else "left", no_wrap=True)
        for each in seen:
            login, first = (time.gmtime(second) for second in (each.time, each.first))
            table.add_row(
                f"{each.seq:,}",
                time.strftime("%b %d %H:%M:%S", login),
                each.rhost,
                each.user,
                str(each.failures),
                time.strftime("%H:%M:%S", first),
            )
        self._console.print(table)
        if list(seen) == list(expected):
            self._say(f"[green]All {len(seen)} hidden break-ins were found, and nothing else.[/]\n")
        else:
            missed, wrong = set(expected) - set(seen), set(seen) - set(expected)
            self._say(f"[red]WRONG: {len(missed)} missed, {len(wrong)} that are none.[/]\n")

    def comparison(self, digests: dict[str, tuple[int, int]]) -> None:
        """Say whether all ways made the same rows in the same order."""
        if len(set(digests.values())) == 1:
            self._say(f"[green]The same {digests[FLOW][0]:,} events in the same order.[/]")
        else:
            self._say(f"[red]WRONG: the events differ: {digests}[/]")

    def throughput(self, timings: dict[str, Timing], lines: int) -> None:
        """Show how fast each way was, and say it in words."""
        table = Table(box=box.SIMPLE_HEAD)
        table.add_column("way", no_wrap=True)
        for name in ("median s", "IQR s", "lines/s", "speed"):
            table.add_column(name, justify="right")
        for name, timing in timings.items():
            rate, speed = lines / timing.median, ratio(timings[ROWS], timing)
            cells = (f"{timing.median:.2f}", f"{timing.spread:.2f}", f"{rate:,.0f}")
            table.add_row(name, *cells, f"{speed:.2f} x", style="bold" if name == FLOW else "")
        self._console.print(table)
        self._say(verdict(timings) + "\n")

    def next(self) -> None:
        """Say where to go from here."""
        self._say("[bold]Where to look next[/]")
        for what, why in (
            ("examples/break_ins.py", "this example; its flow is 20 lines"),
            ("README.md", "what Penstock is for, and when not to use it"),
            ("flow.explain()", "what of a flow runs natively and what holds the GIL"),
            ("penstock doctor", "whether this machine has all that flows need"),
            ("penstock bench --list", "what can be measured here"),
        ):
            self._say(f"  {what:<22} {why}")

    def _progress(self) -> Progress:
        return Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("tasks"),
            TimeElapsedColumn(),
            console=self._console,
        )

    def _tasks(self, group: str) -> tuple[int, int]:
        tracker = self._spark.sparkContext.statusTracker()
        done = total = 0
        for job in tracker.getJobIdsForGroup(group):
            found: Any = tracker.getJobInfo(job)
            for number in found.stageIds if found else ():
                stage = tracker.getStageInfo(number)
                # Stages that Spark plans and then skips never begin; they are not waited for.
                if stage and stage.numCompletedTasks + stage.numActiveTasks:
                    done += stage.numCompletedTasks
                    total += stage.numTasks
        return done, total

    def _say(self, text: str) -> None:
        self._console.print(text)


def verdict(timings: dict[str, Timing]) -> str:
    """Say plainly what the numbers mean for a reader who has to choose."""
    rows, columns = ratio(timings[ROWS], timings[FLOW]), ratio(timings[COLUMNS], timings[FLOW])
    first = f"The flow is {rows:.1f} x as fast as the loop over rows"
    if columns > 1.05:
        return f"{first} and {columns:.2f} x as fast as pyarrow.compute by hand."
    how = "as fast as" if columns > 0.95 else f"slower ({columns:.2f} x the speed) than"
    return (
        f"{first}. It is {how} the same pyarrow.compute written by hand: both run the same "
        "kernels on one thread per task. What the flow adds here is not speed but checks where "
        "it is written, errors that name operator and row, and a run without Spark for tests."
    )
