"""Checks the protocol models with Spin, and that Spin finds each fault put into them.

    python tests/spin/run.py [--long] [--only NAME]

Needs `spin` and `gcc` on PATH. Every line is a run: a model with its defines, what is expected,
and how many states decided it. A fault that is not found fails as much as an error in the model,
and so does a search that was cut short.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEPTH = 400_000
MEMORY_MB = 6_144
# At the same time; each may take that much memory.
SEARCHES = 2
# In all runs without --long together. Fewer means that a model has become smaller unnoticed.
LEAST_STATES = 9_000_000


@dataclass(frozen=True)
class Run:
    """One search: `fault` says that Spin must find an error, `live` that progress is checked."""

    model: str
    defines: tuple[str, ...] = ()
    fault: bool = False
    live: bool = False
    long: bool = False

    @property
    def name(self) -> str:
        return " ".join((self.model, *self.defines, *(("progress",) if self.live else ())))


RUNS = (
    Run("ports"),
    Run("ports", ("RAISES",)),
    Run("ports", ("WORKERS=3", "TUPLES=4", "CAPACITY=2")),
    Run("ports", ("TUPLES=2",), live=True),
    Run("ports", ("TUPLES=2", "RAISES"), live=True),
    Run("ports", ("NO_ROLE",), fault=True),
    Run("ports", ("NO_DRAIN", "WORKERS=1"), fault=True),
    Run("ports", ("DOUBLE_PORT",), fault=True),
    Run("ports", ("LOSES_PORT",), fault=True, live=True),
    Run("ports", ("RAISES", "RAISE_LEAKS"), fault=True, live=True),
    Run("parking"),
    Run("parking", ("WORKERS=3",), long=True),
    Run("parking", ("EARLY_LOOK",), fault=True),
    Run("parking", ("NO_SECOND_LOOK",), fault=True),
    Run("parking", ("NO_EPOCH",), fault=True),
    Run("parking", ("KEEPS_WAKE_UP",), fault=True),
    Run("parking", ("NO_LAST_CALL",), fault=True),
    Run("ready"),
    Run("ready", ("CAPACITY=2", "TUPLES=4")),
    Run("ready", ("WORKERS=3", "TUPLES=2"), long=True),
    Run("ready", ("NO_ROLE",), fault=True),
    Run("ready", ("LOOKS_TOO_SOON",), fault=True),
    Run("ready", ("SILENT_SET",), fault=True),
    Run("ready", ("NO_SECOND_LOOK",), fault=True),
    Run("ready", ("KEEPS_WAKE_UP",), fault=True),
    Run("conveyor"),
    Run("conveyor", ("WINDOW=1", "RUNS=3")),
    Run("conveyor", ("WINDOW=3",)),
    Run("conveyor", ("WORKERS=3", "RUNS=3"), long=True),
    Run("conveyor", ("COMPLETES_EARLY",), fault=True),
    Run("conveyor", ("TORN_EXCHANGE",), fault=True),
    Run("conveyor", ("LEAVES_BATON",), fault=True),
    Run("conveyor", ("TOO_MANY",), fault=True),
    Run("conveyor", ("FORGETS_WAITING",), fault=True),
    Run("conveyor", ("RINGS_EARLY",), fault=True),
    Run("conveyor", ("NO_SECOND_LOOK",), fault=True),
    Run("conveyor", ("SILENT_END",), fault=True),
    Run("dedicated"),
    Run("dedicated", ("STOPS",)),
    Run("dedicated", ("WINDOW=1", "RUNS=3")),
    Run("dedicated", ("CAPACITY=2", "RUNS=5")),
    Run("dedicated", ("STATIONS=4", "WINDOW=4"), long=True),
    Run("dedicated", ("NO_SECOND_LOOK",), fault=True),
    Run("dedicated", ("RINGS_EARLY",), fault=True),
    Run("dedicated", ("TELLS_EARLY",), fault=True),
    Run("dedicated", ("FREES_EARLY",), fault=True),
    Run("dedicated", ("NO_ROOM_BELL",), fault=True),
    Run("dedicated", ("RINGS_IF_FULL",), fault=True),
    Run("dedicated", ("END_OVERTAKES", "CAPACITY=2"), fault=True),
    Run("dedicated", ("SILENT_STOP",), fault=True),
    Run("dedicated", ("STOP_UNSEEN",), fault=True),
    Run("migration"),
    Run("migration", ("WINDOW=1",)),
    Run("migration", ("FIRST=3", "CAPACITY=2")),
    Run("migration", ("CANCEL", "ROWS=3")),
    Run("migration", ("RAISES",)),
    Run("migration", ("CHANGES=3", "ROWS=5")),
    Run("migration", ("CHANGES=4", "ROWS=6"), long=True),
    Run("migration", ("NO_HOLD",), fault=True),
    Run("migration", ("ROWS_BETWEEN",), fault=True),
    Run("migration", ("EARLY_WIDTH",), fault=True),
    Run("migration", ("SHARED_WIDTH",), fault=True),
    Run("migration", ("NEW_STANDS_FIRST",), fault=True),
    Run("migration", ("ONE_PULSE",), fault=True),
    Run("migration", ("NO_TAKE",), fault=True),
    Run("migration", ("TAKES_AT_ONCE",), fault=True),
    Run("migration", ("ONLY_SURVIVORS",), fault=True),
    Run("migration", ("REMOVED_TAKES",), fault=True),
    Run("migration", ("GIVES_A_COPY",), fault=True),
    Run("migration", ("FORGETS_PULSE",), fault=True),
    Run("loops"),
    Run("loops", ("RAISES",), long=True),
    Run("loops", ("RAISES", "CAPACITY=2")),
    Run("loops", ("CANCEL", "ROWS=3")),
    Run("loops", ("CANCEL", "RAISES"), long=True),
    Run("loops", ("WORKERS=3",), long=True),
    Run("loops", ("WINDOW=3", "CAPACITY=2"), long=True),
    Run("loops", ("ROWS=2",), live=True),
    Run("loops", ("OVER_IF_CLOSED",), fault=True),
    Run("loops", ("SPINS", "ROWS=2"), fault=True, live=True),
    Run("loops", ("UPSTREAM_GOES_ON",), fault=True),
    Run("loops", ("BLOCKS_WRITERS",), fault=True),
    Run("loops", ("ROLE_TOO_SOON",), fault=True),
    Run("loops", ("NO_PUT_UP",), fault=True),
    Run("loops", ("HANDS_ON",), fault=True),
    Run("loops", ("BEGINS_AGAIN",), fault=True),
    Run("loops", ("LATE_FAILURE", "RAISES", "CAPACITY=2"), fault=True),
    Run("loops", ("TWO_LAST_RUNS",), fault=True),
    Run("loops", ("FORGETS_PORT",), fault=True),
    Run("loops", ("NO_ROLE",), fault=True),
    Run("loops", ("DESTROYS_TOO_SOON", "CANCEL"), fault=True),
    Run("budget"),
    Run("budget", ("CORES=3", "LIVES=1", "STEPS=4")),
    Run("budget", ("CORES=3",), long=True),
    Run("budget", ("PES=3", "CORES=3", "LIVES=1"), long=True),
    Run("budget", ("NO_START_TIME",), fault=True),
    Run("budget", ("NO_LOCK", "CORES=3", "LIVES=1"), fault=True),
    Run("budget", ("GIVES_BACK_EARLY",), fault=True),
    Run("budget", ("TAKES_EARLY",), fault=True),
    Run("budget", ("RECLAIM_UNLOCKED",), fault=True),
    Run("budget", ("WAITS",), fault=True),
    Run("budget", ("KEEPS_LOCK",), fault=True),
)


@dataclass(frozen=True)
class Outcome:
    """What a search found: `complete` only if it saw every state it wanted to see."""

    error: str
    states: int
    seconds: float
    complete: bool


def call(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0 and command[0] != "./pan":
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def search(run: Run) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="penstock-spin-") as name:
        folder = Path(name)
        defines = [f"-D{define}" for define in run.defines]
        call(["spin", "-a", *defines, str(HERE / f"{run.model}.pml")], folder)
        # Without NOCLAIM an ltl formula in the model switches the search for deadlocks off.
        mode = ["-DNFAIR=5"] if run.live else ["-DSAFETY", "-DNOCLAIM"]
        limit = f"-DMEMLIM={MEMORY_MB}"
        call(["gcc", "-O2", "-w", *mode, "-DCOLLAPSE", limit, "-o", "pan", "pan.c"], folder)
        start = time.monotonic()
        output = call(["./pan", f"-m{DEPTH}", *(["-a", "-f"] if run.live else [])], folder)
        return judge(run, output, time.monotonic() - start)


def judge(run: Run, output: str, seconds: float) -> Outcome:
    error = re.search(r"^pan:1: (.*?)(?: \(at depth \d+\))?$", output, re.MULTILINE)
    states = re.search(r"(\d+) states, stored", output)
    # The report itself must say that the search looked for what this run is about.
    wanted = r"acceptance\s+cycles\s+\+" if run.live else r"invalid end states\s+\+"
    cut_short = re.search(r"max search depth too small|out of memory|reached -DMEMLIM", output)
    return Outcome(
        error=error.group(1) if error else "",
        states=int(states.group(1)) if states else 0,
        seconds=seconds,
        complete=bool(states and re.search(wanted, output)) and not cut_short,
    )


def verdict(run: Run, outcome: Outcome) -> str:
    """Empty when the run went as it must."""
    if run.fault:
        return "" if outcome.error else "FAULT NOT FOUND"
    if outcome.error:
        return f"FAILED: {outcome.error}"
    return "" if outcome.complete else "FAILED: the search was cut short"


def main() -> int:
    parser = argparse.ArgumentParser(description="Check the protocol models with Spin.")
    parser.add_argument("--long", action="store_true", help="also the searches of many minutes")
    parser.add_argument("--only", default="", help="only runs whose name contains this")
    arguments = parser.parse_args()
    for tool in ("spin", "gcc"):
        if shutil.which(tool) is None:
            sys.stderr.write(f"{tool} is not on PATH; on Debian: apt-get install {tool}\n")
            return 2
    runs = [r for r in RUNS if arguments.only in r.name and (arguments.long or not r.long)]
    passed = failed = states = 0
    with ThreadPoolExecutor(SEARCHES) as searches:
        for run, outcome in zip(runs, searches.map(search, runs), strict=True):
            problem = verdict(run, outcome)
            passed, failed = (passed, failed + 1) if problem else (passed + 1, failed)
            states += outcome.states
            note = problem or (f"found: {outcome.error}" if run.fault else "ok")
            line = f"{run.name:<42}{outcome.states:>12,} states {outcome.seconds:>7.1f} s  {note}"
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    sys.stdout.write(f"{states:,} states\n{passed} passed, {failed} failed\n")
    if not arguments.only and states < LEAST_STATES:
        sys.stdout.write(f"FAILED: all models together have at least {LEAST_STATES:,} states\n")
        return 1
    return 1 if failed or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
